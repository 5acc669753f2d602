// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "stored_run.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "dovetail/dovetail.h"
#include "file_info.h"
#include "input.h"
#include "part_input.h"
#include "part_surfaces.h"
#include "report_flags.h"

namespace dovetail::app {
namespace {

namespace fs = std::filesystem;

std::string read_all(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in || fs::is_directory(file)) throw FileError(file + ": cannot be read");
  std::string text(std::istreambuf_iterator<char>(in), {});
  if (in.bad()) throw FileError(file + ": cannot be read");
  return text;
}

std::string text_at(const nlohmann::json& json, const char* key) {
  const auto text = json.find(key);
  return text != json.end() && text->is_string() ? text->get<std::string>() : std::string();
}

/// The number under a key, or 0.
double number_at(const nlohmann::json& json, const char* key) {
  const auto number = json.find(key);
  return number != json.end() && number->is_number() ? number->get<double>() : 0;
}

/// What an image was seen by, as a result tells it.
std::optional<DepthCamera> camera_of(const nlohmann::json& result) {
  const auto camera = result.find("camera");
  if (camera == result.end() || !camera->is_object()) return {};
  DepthCamera own;
  own.fx = number_at(*camera, "fx"), own.fy = number_at(*camera, "fy");
  own.cx = number_at(*camera, "cx"), own.cy = number_at(*camera, "cy");
  own.depth_scale = number_at(*camera, "depth_scale"), own.pixel_center = number_at(*camera, "pixel_center");
  return own.fx > 0 && own.fy > 0 ? std::optional(own) : std::nullopt;
}

Reference read_target(const std::string& file, const StoredPose& stored, bool degrees_as_numbers) {
  if (is_field(file)) return {reference_points(load_field(file)), {}, {}};
  if (degrees_as_numbers) return {read_points(file), {}, {}};
  return read_in_frame(file, {}, stored.target_frame);
}

}  // namespace

StoredRun::StoredRun(const std::string& file) : file_(file), text_(read_all(file)) {
  json_ = nlohmann::json::parse(text_, nullptr, false);
  if (json_.is_discarded()) throw FileError(file + ": is no JSON");
  schema_ = json_.is_object() ? text_at(json_, "schema") : std::string();
  for (const char* known :
       {"dovetail.registration/1", "dovetail.found/1", "dovetail.symmetry/1", "dovetail.pose_evaluation/1"}) {
    if (schema_ == known) return;
  }
  throw FileError(
      fmt::format("{}: {}; dovetail.registration/1, found/1, symmetry/1, pose_evaluation/1 and the folders of data "
                  "sets can be shown",
                  file, schema_.empty() ? "names no \"schema\"" : "its schema is " + schema_));
}

void StoredRun::add_to(Report& report) {
  try {
    if (schema_ == "dovetail.found/1") return add_search(report);
    if (schema_ == "dovetail.symmetry/1") return add_symmetry(report);
    if (schema_ == "dovetail.registration/1") return add_registration(report);
    report.add(ReportedScores{scores_name(text_at(json_, "results"), text_at(json_, "dataset")), text_, notes_});
  } catch (const InvalidArgument& error) {  // what is wrong with the file's content
    throw FileError(fmt::format("{}: {}", file_, error.what()));
  }
}

std::string StoredRun::found(const std::string& name, const char* what) {
  if (name.empty()) {
    notes_.push_back(fmt::format("{} does not say which file the {} was read from, so it is not drawn.", file_, what));
    return {};
  }
  if (is_built_in(name)) return name;
  std::error_code ignored;
  const fs::path beside = fs::path(file_).parent_path() / name;
  const fs::path near = fs::path(file_).parent_path() / fs::path(name).filename();
  for (const fs::path& place : {fs::path(name), beside, near}) {
    if (fs::is_regular_file(place, ignored)) return place.string();
  }
  notes_.push_back(fmt::format("The {}, {}, is not there any more, so it is not drawn.", what, name));
  return {};
}

template <class F>
void StoredRun::attempt(F&& read) {
  try {
    read();
  } catch (const Error& error) {
    notes_.push_back(fmt::format("Not drawn: {}.", error.what()));
  }
}

void StoredRun::add_registration(Report& report) {
  const std::string source = text_at(json_, "source_file"), target = text_at(json_, "target_file");
  std::optional<PointCloud> moving;
  std::optional<Reference> fixed;
  const StoredPose stored = read_stored_pose(file_);
  const bool degrees_as_numbers = takes_degrees_as_numbers(stored);
  if (const std::string file = found(target, "target"); !file.empty()) {
    attempt([&] { fixed = read_target(file, stored, degrees_as_numbers); });
  }
  if (const std::string file = found(source, "source"); !file.empty()) {
    attempt(
        [&] { moving = degrees_as_numbers ? read_points(file) : read_observed(file, {}, stored.source_frame).points; });
  }
  report.add(ReportedRegistration{source.empty() || target.empty() ? file_ : pair_name(source, target), text_,
                                  moving ? &*moving : nullptr, fixed ? &*fixed : nullptr, notes_});
}

void StoredRun::add_search(Report& report) {
  const nlohmann::json files = json_.value("object_files", nlohmann::json::array());
  if (json_.contains("camera") && files.size() == 1 && files[0].is_string()) {
    return add_parts_in_image(report, files[0].get<std::string>());
  }
  const std::string scene = text_at(json_, "scene_file");
  std::optional<PointCloud> in;
  if (const std::string file = found(scene, "scene"); !file.empty()) attempt([&] { in = read_cloud(file); });
  std::vector<std::unique_ptr<PointCloud>> shapes;
  std::vector<ObjectToFind> objects;
  for (const nlohmann::json& name : files) {
    if (!name.is_string()) continue;
    shapes.push_back(std::make_unique<PointCloud>());
    const std::string file = found(name.get<std::string>(), "object");
    if (!file.empty()) attempt([&] { *shapes.back() = read_part(file); });
    objects.push_back({part_name(name.get<std::string>()), shapes.back().get()});
  }
  std::string names;
  for (const ObjectToFind& object : objects) names += (names.empty() ? "" : ", ") + object.name;
  const std::string title = names + " in " + fs::path(scene).filename().string();
  report.add(ReportedSearch{names.empty() ? file_ : title, text_, in ? &*in : nullptr, objects, notes_});
}

void StoredRun::add_parts_in_image(Report& report, const std::string& database) {
  const std::string image = text_at(json_, "scene_file");
  std::optional<RangeImage> seen;
  std::optional<PartSurfaces> parts;
  if (const std::string file = found(image, "image"); !file.empty()) {
    attempt([&] { seen = read_range_image(file, camera_of(json_), number_at(json_, "depth_unit")); });
  }
  if (const std::string file = found(database, "pose database"); !file.empty()) {
    attempt([&] { parts.emplace(PoseDatabase::load(file)); });
  }
  ReportedSearch run{image.empty() ? file_ : search_name(database, image), text_, nullptr, {}, notes_};
  if (seen) run.image = &*seen;
  if (parts) run.objects = parts->objects();
  report.add(run);
}

void StoredRun::add_symmetry(Report& report) {
  const std::string name = text_at(json_, "part_file");
  std::optional<PointCloud> part;
  if (const std::string file = found(name, "part"); !file.empty()) attempt([&] { part = read_part(file); });
  report.add(ReportedSymmetry{name.empty() ? file_ : fs::path(name).filename().string(), text_, part ? &*part : nullptr,
                              notes_});
}

}  // namespace dovetail::app
