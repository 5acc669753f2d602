// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose_find.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "dovetail/error.h"
#include "dovetail/find_parts.h"
#include "found_table.h"
#include "input.h"
#include "numbers.h"
#include "option_flags.h"
#include "output.h"
#include "part_surfaces.h"
#include "progress.h"
#include "report_flags.h"
#include "summary.h"

namespace dovetail::app {
namespace {

struct PoseFindCommand {
  std::string image, camera, database, json, frame, dataset, split, results, picture, preset;
  std::string region, mask, start, reach, prefer;
  double depth_unit = 0;
  int threads = 0;
  bool quiet = false;
  ReportFlags report;
  OptionFlags<FindParts> find_flags;

  void add_to(CLI::App& command) {
    command.add_option("IMAGE", image, "a range image: 16-bit PNG, NPY, or an organised PLY or PCD")->group("Input");
    add_file_flag(command, "Input", "--poses", database, "the database of the parts, of `dovetail pose build`")
        ->required();
    add_file_flag(command, "Input", "--camera", camera,
                  "a JSON with fx, fy, cx, cy, or a 3 x 3 text; organised clouds need none");
    command.add_option("--depth-unit", depth_unit, "mm in a unit of NPY and clouds (default: told by the depths)")
        ->type_name("NUMBER")
        ->group("Input");
    command.add_option("--dataset", dataset, "instead of one image: a folder in BOP's layout, every image of it")
        ->type_name("FOLDER")
        ->group("Input");
    command.add_option("--split", split, "the folder in it that has the scenes (default test)")
        ->type_name("NAME")
        ->group("Input");
    command
        .add_option("--preset", preset,
                    "settings by name, which flags change: paper, as Park et al. 2009 have it, one part an image")
        ->type_name("NAME")
        ->group("Search");
    command
        .add_option("--region", region, "only parts that mostly lie in these pixels: where a detector looked before")
        ->type_name("LEFT,TOP,WIDTH,HEIGHT")
        ->group("Search");
    add_file_flag(command, "Search", "--mask", mask, "the same, pixel by pixel: those of the image that are not black",
                  "PNG");
    add_file_flag(command, "Search", "--start", start, "a result of pose find, the last image's: tried first");
    find_flags.add_to(command, "Search");
    add_file_flag(command, "Picking", "--scene-to", frame, "a pose: results are told in its frame as well, a robot's");
    command.add_option("--reach", reach, "only parts whose middle is in this box of that frame, mm")
        ->type_name("X0,Y0,Z0,X1,Y1,Z1")
        ->group("Picking");
    command
        .add_option("--prefer", prefer,
                    "the order of picking: what nothing covers first, of that the nearest to this point of that frame")
        ->type_name("X,Y,Z")
        ->group("Picking");
    add_json_flag(command, json);
    add_file_flag(command, "Output", "--picture", picture, "the image with the parts' outlines in colours", "PNG");
    add_file_flag(command, "Output", "--results", results, "BOP's results CSV", "CSV");
    report.add_to(command);
    command.add_flag("--quiet", quiet, "no table")->group("Output");
    command.add_option("--threads", threads, "0: all processors. Results do not depend on it")
        ->type_name("NUMBER")
        ->group("Run");
  }

  void check() const {
    if (image.empty() == dataset.empty()) throw InvalidArgument("pose find: an IMAGE or --dataset is needed, not both");
    if (!dataset.empty() && results.empty()) throw InvalidArgument("--dataset: --results is needed: where they go");
    for (const auto& [flag, value] : {std::pair{"--camera", &camera},
                                      {"--json", &json},
                                      {"--picture", &picture},
                                      {"--mask", &mask},
                                      {"--start", &start},
                                      {"--region", &region},
                                      {"--scene-to", &frame},
                                      {"--reach", &reach},
                                      {"--prefer", &prefer}}) {
      if (!dataset.empty() && !value->empty()) {
        throw InvalidArgument(
            fmt::format("{}: is for an IMAGE; --dataset has its own cameras and writes --results alone", flag));
      }
    }
    if (!dataset.empty() && report.wanted()) {
      throw InvalidArgument("--report: is for an IMAGE; --dataset writes --results alone");
    }
    check_outputs({{"--json", &json}, {"--results", &results}, {"--picture", &picture}, report.output()});
    report.check({image, camera, database, frame, mask});
    for (const NamedOutput& output : {NamedOutput{"--json", &json}, {"--results", &results}, {"--picture", &picture}}) {
      // The last image's result may make room for this one's: it is read before.
      check_not_input(output, {image, camera, database, frame, mask});
    }
  }

  int run() const {
    FindParts options = options_given();
    check();
    if (!frame.empty()) options.frame_from_camera = read_frame("--scene-to", frame);
    const PoseDatabase parts = PoseDatabase::load(database);
    ShareBar bar("parts", quiet);
    const Work work{threads, [&](double share) { bar.show(share); }, &stop_on_interrupt()};
    return dataset.empty() ? run_image(parts, options, work) : run_dataset(parts, options, work);
  }

  /// All but those that are files.
  FindParts options_given() const {
    FindParts options = preset.empty() ? FindParts{} : find_parts_preset(preset);
    find_flags.apply(options);
    if (!region.empty()) {
      const auto n = numbers_of<4>("--region", region, "four whole numbers LEFT,TOP,WIDTH,HEIGHT");
      for (const double x : n) {
        if (x != std::trunc(x) || std::fabs(x) > std::numeric_limits<int>::max() / 4) {
          throw InvalidArgument(fmt::format("--region: '{}' is not four whole numbers LEFT,TOP,WIDTH,HEIGHT", region));
        }
      }
      options.region =
          PixelBox{static_cast<int>(n[0]), static_cast<int>(n[1]), static_cast<int>(n[2]), static_cast<int>(n[3])};
    }
    if (!reach.empty()) {
      const auto n = numbers_of<6>("--reach", reach, "six numbers X0,Y0,Z0,X1,Y1,Z1");
      options.reach = Box{{n[0], n[1], n[2]}, {n[3], n[4], n[5]}};
    }
    if (!prefer.empty()) {
      const auto n = numbers_of<3>("--prefer", prefer, "three numbers X,Y,Z");
      options.prefer = Vec3{n[0], n[1], n[2]};
    }
    return options;
  }

  void read_files(const RangeImage& range, FindParts& options) const {
    if (!mask.empty()) options.mask = read_mask(mask, range.camera);
    if (start.empty()) return;
    for (const StoredObject& stored : read_found(start)) {
      options.start.push_back({stored.object, stored.scene_from_object});
    }
  }

  int run_dataset(const PoseDatabase& parts, const FindParts& options, const Work& work) const {
    PoseDataset set;
    set.folder = dataset;
    if (!split.empty()) set.split = split;
    const DatasetParts told = find_parts_in_dataset(set, parts, results, options, work);
    for (const std::string& warning : told.warnings) print_error("dovetail: warning: {}\n", warning);
    if (quiet) return success;
    print_line("images", fmt::format("{}, {:.2f} s each", told.images, told.mean_seconds));
    print_line("parts", fmt::format("{} found", told.parts));
    print_line("written", results);
    return success;
  }

  void write_report(const Found& found, const RangeImage& range, const PoseDatabase& parts) const {
    const PartSurfaces surfaces(parts);
    report.write(ReportedSearch{search_name(database, image), to_json(found), nullptr, surfaces.objects(), {}, &range});
  }

  int run_image(const PoseDatabase& parts, FindParts options, const Work& work) const {
    const auto began = std::chrono::steady_clock::now();
    std::optional<DepthCamera> own;
    if (!camera.empty()) own = read_camera(camera);
    const RangeImage range = read_range_image(image, own, depth_unit);
    read_files(range, options);
    const double read_ms = milliseconds_since(began);
    Found found = blame_flags({{"region", "--region"}, {"reach", "--reach"}, {"mask", "--mask: " + mask}},
                              [&] { return find_parts(range, parts, options, work); });
    found.camera = range.camera;
    found.depth_unit = depth_unit;
    found.time_ms.read = read_ms;
    found.time_ms.total += read_ms;
    found.scene_file = image;
    found.object_files = {database};
    Attempts attempt;
    for (const std::string& warning : found.warnings) print_error("dovetail: warning: {}\n", warning);
    attempt([&] { write_json(json, found); });
    if (report.wanted()) attempt([&] { write_report(found, range, parts); });
    if (!picture.empty()) attempt([&] { write_found_picture(picture, range, parts, found); });
    if (!results.empty()) attempt([&] { write_found_results(results, image, parts, found); });
    if (!quiet && json != "-") print_found(found, options.min_confidence, "pixels with a depth");
    if (attempt.failed()) return world_failure;
    return found.objects.empty() ? not_usable : success;
  }
};

}  // namespace

void add_pose_find(CLI::App& pose, Action& action) {
  add_command<PoseFindCommand>(pose, action, "find",
                               "Find every part of a database in a range image, with no idea of where they are",
                               "Examples:\n"
                               "  dovetail pose find depth.png --camera camera.json --poses part.posedb\n"
                               "  dovetail pose find scene.pcd --poses parts.posedb --best 3 --json found.json "
                               "--report found.html\n"
                               "  dovetail pose find depth.png --camera camera.json --poses part.posedb --scene-to "
                               "robot_from_camera.txt --prefer 0,0,900 --picture found.png\n"
                               "  dovetail pose find --dataset bins --poses parts.posedb --results results.csv");
}

}  // namespace dovetail::app
