// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "find/run_case.h"

#include <cmath>
#include <fstream>

#include "dovetail/io.h"
#include "dovetail/pose_file.h"
#include "find/score.h"
#include "stopwatch.h"

namespace dovetail::bench::find {
namespace {

using Json = nlohmann::ordered_json;

Json rows_of(const Transform& pose) {
  Json rows = Json::array();
  for (int i = 0; i < 4; ++i) {
    rows.push_back({pose.matrix(i, 0), pose.matrix(i, 1), pose.matrix(i, 2), pose.matrix(i, 3)});
  }
  return rows;
}

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(); }

/// What the case is, without anybody's answer.
Json description_of(const Case& c) {
  Json line;
  line["set"] = c.set, line["index"] = c.index, line["seed"] = c.seed;
  Json objects = Json::array(), placed = Json::array();
  for (const SoughtObject& o : c.objects) {
    objects.push_back({{"name", o.name}, {"points", o.cloud.size()}, {"diameter", o.diameter}});
  }
  for (const Placed& p : c.placed) {
    Json one = {{"name", p.name}, {"object", p.object ? Json(*p.object) : Json()}, {"asked", p.asked}};
    one["visible_share"] = p.visible_share, one["points"] = p.points;
    one["scene_from_object"] = rows_of(p.scene_from_object);
    placed.push_back(std::move(one));
  }
  line["objects"] = std::move(objects), line["placed"] = std::move(placed);
  line["scene_points"] = c.scene.size();
  line["limits"] = {{"degrees", c.limits.degrees}, {"shift", c.limits.shift}, {"mssd", c.limits.mssd}};
  line["details"] = c.details;
  return line;
}

}  // namespace

Json run_case(const Case& c, const std::string& method_name, const FindObjects& method, Machine machine, int threads) {
  Json line = description_of(c);
  line["method"] = method_name, line["threads"] = threads;
  line["machine"] = machine == Machine::cuda ? "cuda" : "cpu";
  Settings settings{c.start, {}, c.seed, machine, threads};
  if (method_name.ends_with("_given")) {
    for (const Placed& p : c.placed) settings.given.push_back(p.scene_from_object);
  }
  const Stopwatch watch;
  const std::vector<Found> answers = method(c.objects, c.scene, settings);
  line["milliseconds"] = watch.milliseconds();
  const Score scored = score(c, answers);
  Json told = Json::array();
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const Found& answer = answers[i];
    const ScoredAnswer& s = scored.answers[i];
    Json one = {{"object", answer.object}, {"right", s.right}, {"usable", answer.usable}};
    one["confidence"] = answer.confidence;
    one["placed"] = s.placed ? Json(*s.placed) : Json();
    const bool compared = s.placed.has_value();
    one["mssd"] = compared ? number_or_null(s.error.mssd) : Json();
    one["degrees"] = compared ? number_or_null(s.error.degrees) : Json();
    one["shift"] = compared ? number_or_null(s.error.shift) : Json();
    one["scene_from_object"] = rows_of(answer.scene_from_object);
    one["evidence"] = answer.evidence;
    told.push_back(std::move(one));
  }
  line["answers"] = std::move(told);
  line["asked"] = scored.asked, line["found"] = scored.found, line["found_usable"] = scored.found_usable;
  line["false_usable"] = scored.false_usable;
  line["right"] = scored.right();
  return line;
}

void save_case(const Case& c, const std::filesystem::path& folder) {
  const std::filesystem::path here = folder / (c.set + "_" + std::to_string(c.index));
  std::filesystem::create_directories(here);
  PointCloud scene = c.scene;
  if (!c.labels.empty()) scene.attributes.push_back({"label", 1, c.labels});
  write_points(here / "scene.ply", scene);
  for (const SoughtObject& object : c.objects) {
    write_points(here / (object.name + ".ply"), object.cloud);
    if (!object.mesh.empty()) write_points(here / (object.name + "_mesh.ply"), object.mesh);
  }
  if (c.start) write_pose(here / "start.txt", *c.start);
  std::ofstream(here / "truth.json") << description_of(c).dump(2) << '\n';
}

}  // namespace dovetail::bench::find
