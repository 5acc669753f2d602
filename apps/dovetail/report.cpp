// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/report.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.h"
#include "dovetail/dovetail.h"
#include "input.h"
#include "output.h"
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

/// A result that was written before. What it was made of is read again, where it is still there.
class StoredRun {
 public:
  explicit StoredRun(const std::string& file) : file_(file), text_(read_all(file)) {
    json_ = nlohmann::json::parse(text_, nullptr, false);
    if (json_.is_discarded()) throw FileError(file + ": is no JSON");
    schema_ = json_.is_object() ? text_at(json_, "schema") : std::string();
    if (schema_ != "dovetail.registration/1" && schema_ != "dovetail.found/1") {
      throw FileError(fmt::format("{}: {}; dovetail.registration/1 and dovetail.found/1 can be shown", file,
                                  schema_.empty() ? "names no \"schema\"" : "its schema is " + schema_));
    }
  }

  void add_to(Report& report) {
    try {
      schema_ == "dovetail.found/1" ? add_search(report) : add_registration(report);
    } catch (const InvalidArgument& error) {  // what is wrong with the file's content
      throw FileError(error.what());
    }
  }

 private:
  /// Where a file is that the result names: as named, or beside the result. Empty, with a note, where it is in neither.
  std::string found(const std::string& name, const char* what) {
    if (name.empty()) {
      notes_.push_back(
          fmt::format("{} does not say which file the {} was read from, so it is not drawn.", file_, what));
      return {};
    }
    std::error_code ignored;
    const fs::path beside = fs::path(file_).parent_path() / name;
    const fs::path near = fs::path(file_).parent_path() / fs::path(name).filename();
    for (const fs::path& place : {fs::path(name), beside, near}) {
      if (fs::is_regular_file(place, ignored)) return place.string();
    }
    notes_.push_back(fmt::format("The {}, {}, is not there any more, so it is not drawn.", what, name));
    return {};
  }

  /// Reads something; what cannot be read is a note.
  template <class F>
  void attempt(F&& read) {
    try {
      read();
    } catch (const Error& error) {
      notes_.push_back(fmt::format("Not drawn: {}.", error.what()));
    }
  }

  void add_registration(Report& report) {
    const std::string source = text_at(json_, "source_file"), target = text_at(json_, "target_file");
    std::optional<PointCloud> moving;
    std::optional<Reference> fixed;
    const StoredPose stored = read_stored_pose(file_);
    const bool degrees_as_numbers = takes_degrees_as_numbers(stored);
    if (const std::string file = found(target, "target"); !file.empty()) {
      attempt([&] { fixed = read_target(file, stored, degrees_as_numbers); });
    }
    if (const std::string file = found(source, "source"); !file.empty()) {
      attempt([&] {
        moving = degrees_as_numbers ? read_points(file) : read_observed(file, {}, stored.source_frame).points;
      });
    }
    report.add(ReportedRegistration{source.empty() || target.empty() ? file_ : pair_name(source, target), text_,
                                    moving ? &*moving : nullptr, fixed ? &*fixed : nullptr, notes_});
  }

  static Reference read_target(const std::string& file, const StoredPose& stored, bool degrees_as_numbers) {
    if (is_field(file)) return {reference_points(load_field(file)), {}, {}};
    if (degrees_as_numbers) return {read_points(file), {}, {}};
    return read_in_frame(file, {}, stored.target_frame);
  }

  void add_search(Report& report) {
    const std::string scene = text_at(json_, "scene_file");
    std::optional<PointCloud> in;
    if (const std::string file = found(scene, "scene"); !file.empty()) attempt([&] { in = read_cloud(file); });
    std::vector<std::unique_ptr<PointCloud>> shapes;
    std::vector<ObjectToFind> objects;
    for (const nlohmann::json& name : json_.value("object_files", nlohmann::json::array())) {
      if (!name.is_string()) continue;
      shapes.push_back(std::make_unique<PointCloud>());
      const std::string file = found(name.get<std::string>(), "object");
      if (!file.empty()) attempt([&] { *shapes.back() = read_cloud(file); });
      objects.push_back({fs::path(name.get<std::string>()).stem().string(), shapes.back().get()});
    }
    std::string names;
    for (const ObjectToFind& object : objects) names += (names.empty() ? "" : ", ") + object.name;
    const std::string title = names + " in " + fs::path(scene).filename().string();
    report.add(ReportedSearch{names.empty() ? file_ : title, text_, in ? &*in : nullptr, objects, notes_});
  }

  std::string file_, text_, schema_;
  nlohmann::json json_;
  std::vector<std::string> notes_;
};

struct ReportCommand {
  std::vector<std::string> results;
  std::string out, points;

  void add_to(CLI::App& command) {
    command.add_option("RUN", results, "results, as --json writes them; each a file")->required()->type_name("FILE");
    add_file_flag(command, "Output", "--out", out, "the page to write", "FILE.html")->required();
    add_report_points(command, points);
  }

  int run() const {
    const ReportOptions options = report_options(points);
    check_page_name("--out", out);
    check_outputs({{"--out", &out}});
    for (const std::string& file : results) check_not_input({"--out", &out}, {file});
    check_report_available();
    Report report(options, results.size());
    for (const std::string& file : results) StoredRun(file).add_to(report);
    report.write(out);
    fmt::print("{}: {} {}\n", out, results.size(), results.size() == 1 ? "run" : "runs");
    return success;
  }
};

}  // namespace

void add_report(CLI::App& program, Action& action) {
  add_command<ReportCommand>(program, action, "report", "Show results in a browser: one page for one or for many",
                             "Examples:\n"
                             "  dovetail report run.json --out run.html\n"
                             "  dovetail report results/*.json --out all.html");
}

}  // namespace dovetail::app
