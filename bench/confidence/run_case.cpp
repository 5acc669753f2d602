// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "confidence/run_case.h"

#include <fstream>
#include <string>

#include "dovetail/dovetail.h"
#include "stopwatch.h"

namespace dovetail::bench::confidence {
namespace {

using Json = nlohmann::ordered_json;

Registration registered(const Case& c, Run run) {
  if (c.method == "em_icp") return register_points(c.source, c.target, EmIcp{}, run);
  if (c.method == "softassign") return register_points(c.source, c.target, Softassign{}, run);
  if (c.method == "chamfer") return register_points(c.source, c.target, Chamfer{}, run);
  if (c.method != "evaluate") return register_points(c.source, c.target, Icp{}, run);
  Transform pose = c.start;
  if (c.evaluate_icps_answer) {
    Icp one;
    one.starts = 1;
    pose = register_points(c.source, c.target, one, run).target_from_source;
  }
  run.start.reset();
  return evaluate_pose(c.source, c.target, pose, run);
}

/// How far off an answer is, and what it says of itself.
void tell_answer(Json& line, const Case& c, const Json& answer, const Transform& pose) {
  line["right"] = is_right(c, pose);
  line["right_up_to_symmetry"] = is_right_up_to_symmetry(c, pose);
  if (c.has_truth) {
    const Off off = off_by(c, pose, c.truth);
    line["degrees_off"] = off.degrees, line["radii_off"] = off.radii;
  } else {
    line["degrees_off"] = nullptr, line["radii_off"] = nullptr;
  }
  for (const char* key :
       {"usable", "score", "inlier_ratio", "overlap", "rmse", "inlier_distance", "margin", "confidence", "evidence"}) {
    if (answer.contains(key)) line[key] = answer[key];
  }
}

/// What the truth itself says: where a wrong answer is no worse, no judge of the two clouds could tell.
Json told_at_truth(const Case& c, Run run) {
  run.start.reset();
  const Registration at_truth = evaluate_pose(c.source, c.target, c.truth, run);
  Json told;
  tell_answer(told, c, Json::parse(to_json(at_truth, -1)), at_truth.target_from_source);
  return told;
}

}  // namespace

Json run_case(const Case& c, Workspace& workspace) {
  Run run;
  run.workspace = &workspace;
  run.start = c.start;
  run.seed = c.seed;
  run.trace = false;
  Json line;
  line["set"] = c.set, line["kind"] = c.kind, line["object"] = c.object;
  line["index"] = c.index, line["seed"] = c.seed, line["method"] = c.method;
  line["symmetric"] = !c.equivalents.empty();
  line["dimension"] = c.source.dimension;
  line["source_points"] = c.source.size(), line["target_points"] = c.target.size();
  const Stopwatch watch;
  const Registration result = registered(c, run);
  const double milliseconds = watch.milliseconds();
  const Json whole = Json::parse(to_json(result, -1));
  tell_answer(line, c, whole, result.target_from_source);
  line["message"] = whole["message"];
  line["warnings"] = whole["warnings"];
  line["termination"] = whole["termination"], line["iterations"] = whole["iterations"];
  line["weak_directions"] = whole["weak_directions"].size();
  line["alternatives_count"] = result.alternatives.size();
  line["best_alternative_score"] = result.alternatives.empty() ? Json() : Json(result.alternatives[0].score);
  Json others = Json::array();
  for (std::size_t i = 0; i < result.alternatives.size(); ++i) {
    Json other;
    tell_answer(other, c, whole["alternatives"][i], result.alternatives[i].target_from_source);
    others.push_back(std::move(other));
  }
  line["alternatives"] = std::move(others);
  if (c.has_truth && c.kind != "opposite" && !line["right"]) line["at_truth"] = told_at_truth(c, run);
  line["details"] = c.details;
  line["milliseconds"] = milliseconds;
  line["answer"] = whole["target_from_source"];
  return line;
}

void save_case(const Case& c, const Json& line, const std::filesystem::path& folder) {
  const std::filesystem::path here = folder / (c.set + "_" + std::to_string(c.index) + "_" + c.kind);
  std::filesystem::create_directories(here);
  write_points(here / "source.ply", c.source);
  write_points(here / "target.ply", c.target);
  if (c.has_truth) {
    write_points(here / "source_at_truth.ply", c.truth * c.source);
    write_pose(here / "truth.txt", c.truth);
  }
  write_pose(here / "start.txt", c.start);
  std::ofstream(here / "result.json") << line.dump(2) << '\n';
}

}  // namespace dovetail::bench::confidence
