// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/format.h>

#include <filesystem>
#include <numbers>

#include "command.h"
#include "dovetail/dovetail.h"
#include "dovetail/error.h"
#include "found_table.h"
#include "input.h"
#include "mesh_notes.h"
#include "numbers.h"
#include "option_flags.h"
#include "output.h"
#include "part_input.h"
#include "progress.h"
#include "report_flags.h"
#include "starts.h"

namespace dovetail::app {
namespace {

struct FindCommand {
  std::vector<std::string> objects, starts;
  std::string scene, region, viewpoint, frame, json, out;
  ReportFlags report;
  bool quiet = false;
  OptionFlags<Find> find_flags;
  OptionFlags<Run> run_flags;

  void add_to(CLI::App& command);
  Find options() const;
  int run() const;
};

void FindCommand::add_to(CLI::App& command) {
  command.add_option("OBJECT", objects, "what to look for: meshes or scans, each a file; or built-in:NAME")
      ->required()
      ->type_name("FILE");
  command.add_option("--in", scene, "the scene: a point cloud")->required()->type_name("FILE")->group("Input");
  command.add_option("--region", region, "look only in this box of the scene")
      ->type_name("X0,Y0,Z0,X1,Y1,Z1")
      ->group("Input");
  command
      .add_option("--viewpoint", viewpoint,
                  "where the sensor stood; none: not known. By default the origin, where the scene looks like it")
      ->type_name("X,Y,Z|none")
      ->group("Input");
  add_file_flag(command, "Input", "--scene-to", frame,
                "a pose from the scene to another frame: poses are told there too");
  add_start_flag(command, starts);
  add_json_flag(command, json);
  add_file_flag(command, "Output", "--out", out, "write the scene with what was found in colours");
  report.add_to(command);
  command.add_flag("--quiet", quiet, "no table")->group("Output");
  find_flags.add_to(command, "Search", {"may_be_from_origin"});
  run_flags.add_to(command, "Run", {"start_at_centroid", "trace", "min_inlier_ratio"});
}

Find FindCommand::options() const {
  Find find;
  find_flags.apply(find);
  if (!region.empty()) {
    const auto n = numbers_of<6>("--region", region, "six numbers X0,Y0,Z0,X1,Y1,Z1");
    find.region = Box{{n[0], n[1], n[2]}, {n[3], n[4], n[5]}};
  }
  if (viewpoint == "none") {
    find.may_be_from_origin = false;
  } else if (!viewpoint.empty()) {
    const auto n = numbers_of<3>("--viewpoint", viewpoint, "three numbers X,Y,Z, nor 'none'");
    find.viewpoint = Vec3{n[0], n[1], n[2]};
  }
  return find;
}

int FindCommand::run() const {
  Run how;
  how.cancel = &stop_on_interrupt();
  run_flags.apply(how);
  const Find find = options();
  if (!out.empty()) check_point_file(out);
  check_outputs({{"--json", &json}, {"--out", &out}, report.output()});
  report.check({scene, frame});
  check_not_input({"--json", &json}, {scene, frame});
  check_not_input({"--out", &out}, {scene, frame});
  std::optional<Transform> frame_from_scene;
  if (!frame.empty()) frame_from_scene = read_frame("--scene-to", frame);
  const auto began = std::chrono::steady_clock::now();
  const PointCloud in = read_cloud(scene);
  std::vector<PointCloud> shapes;
  for (const std::string& file : objects) {
    check_not_input({"--json", &json}, {file});
    check_not_input({"--out", &out}, {file});
    check_not_input(report.output(), {file});
    shapes.push_back(read_part(file));
    warn_of_mesh(file, shapes.back(), PartUse::surface);
  }
  std::vector<ObjectToFind> wanted;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    wanted.push_back({part_name(objects[i]), &shapes[i]});
  }
  const double read_ms = milliseconds_since(began);
  set_starts(how, starts, 3, {Model::rigid3, "rigid"});
  Found found = [&] {
    FindLine line(quiet);
    return blame_flags({{"region", "--region"}}, [&] {
      return find_objects(wanted, in, find, how, [&](const FindProgress& at) { line.show(at); });
    });
  }();
  found.scene_file = scene;
  found.object_files = objects;
  found.time_ms.read = read_ms;
  found.time_ms.total += read_ms;
  if (frame_from_scene) set_frame(found, *frame_from_scene);
  Attempts attempt;
  for (const std::string& warning : found.warnings) print_error("dovetail: warning: {}\n", warning);
  attempt([&] { write_json(json, found); });
  if (!quiet && json != "-") print_found(found, found.run.min_confidence, "scene points");
  if (!out.empty()) attempt([&] { write_points(out, coloured_scene(found, in, wanted)); });
  attempt([&] { report.write(found, in, wanted); });
  if (attempt.failed()) return world_failure;
  return found.objects.empty() ? not_usable : success;
}

}  // namespace

void add_find(CLI::App& program, Action& action) {
  add_command<FindCommand>(
      program, action, "find", "Find known objects in a scene, wherever they are",
      "Examples:\n"
      "  dovetail find part.stl --in scene.pcd --json found.json --out found.ply\n"
      "  dovetail find bolt.stl nut.stl --in scene.ply --instances 0 --scene-to robot_from_camera.txt");
}

}  // namespace dovetail::app
