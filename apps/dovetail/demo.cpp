// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/format.h>

#include <filesystem>
#include <numbers>

#include "command.h"
#include "demo_bin.h"
#include "demo_views.h"
#include "dovetail/dovetail.h"
#include "dovetail/pose_file.h"
#include "dovetail/scanner.h"
#include "option_flags.h"
#include "output.h"
#include "report_flags.h"

namespace dovetail::app {
namespace {

// What a view may be off by. 0.05 mm of noise over thousands of points leaves a tenth of this; what remains comes from
// edges, which no two scans sample alike.
constexpr double allowed_angle = 0.05;  // degrees
constexpr double allowed_shift = 0.05;  // millimetres

struct DemoCommand {
  std::string folder = "dovetail_demo";
  OptionFlags<Run> run_flags;

  void add_to(CLI::App& command) {
    add_file_flag(command, "Options", "--out", folder, "folder for the files it writes", "FOLDER")
        ->capture_default_str();
    run_flags.add_to(command, "Run",
                     {"start_at_centroid", "start_rotation_sigma", "start_shift_sigma", "seed", "origin_points",
                      "inlier_distance", "min_inlier_ratio", "time_limit_ms", "trace"});
  }
  int run() const;
};

std::filesystem::path numbered(const std::filesystem::path& folder, const char* name, int view, const char* ending) {
  return folder / fmt::format("{}{}{}", name, view + 1, ending);
}

int DemoCommand::run() const {
  Run how;
  run_flags.apply(how);
  if (!scanner_available()) {
    throw MachineError("demo: the virtual scanner is not in this build: it needs Embree 3 (Debian: libembree-dev)");
  }
  const std::filesystem::path out = folder;
  std::filesystem::create_directories(out);
  const PointCloud part = built_in_part();
  write_points(out / "part.ply", part);
  const std::vector<View> views = scan_around(part);
  fmt::print(
      "A virtual sensor scanned a part from {} sides, with {} mm of noise. Each scan is brought onto the\n"
      "first from a guess that is off by {} degrees and {} mm, and compared with the truth.\n\n",
      view_count, sensor_noise, guess_angle, guess_shift);
  fmt::print("view   points  overlap  rmse mm  error degrees  error mm     ms\n");
  fmt::print("{:>4} {:>8}    (the first one stays where it is)\n", 1, views[0].cloud.size());

  PointCloud merged;
  add_view(merged, views[0].cloud, 0);
  write_points(out / "view1.ply", views[0].cloud);
  Report report({}, view_count);  // the first view is none, the bin is one
  Reference first;
  first.points = views[0].cloud;
  bool all_fine = true;
  for (int i = 1; i < view_count; ++i) {
    const View& view = views[static_cast<std::size_t>(i)];
    write_points(numbered(out, "view", i, ".ply"), view.cloud);
    write_pose(numbered(out, "guess", i, ".txt"), view.guess);
    write_pose(numbered(out, "truth", i, ".txt"), view.first_from_view);
    how.start = view.guess;
    Registration found = register_points(view.cloud, views[0].cloud, Icp{}, how);
    found.source_file = numbered({}, "view", i, ".ply").string();
    found.target_file = "view1.ply";
    write_result(numbered(out, "result", i, ".json"), found);
    const double angle =
        rotation_angle_between(found.target_from_source, view.first_from_view) * 180 / std::numbers::pi;
    const Vec3 middle = view.first_from_view.inverse() * part_center_in_first_view();
    const double shift = distance_between(found.target_from_source, view.first_from_view, middle);
    const bool fine = found.usable() && angle < allowed_angle && shift < allowed_shift;
    all_fine = all_fine && fine;
    fmt::print("{:>4} {:>8} {:>7.1f}% {:>8.3f} {:>14.4f} {:>9.4f} {:>6.0f}  {}\n", i + 1, view.cloud.size(),
               100 * found.overlap, found.rmse, angle, shift, found.time_ms.total, fine ? "OK" : "FAILED");
    report.add(
        ReportedRegistration{pair_name(found.source_file, found.target_file), to_json(found), &view.cloud, &first, {}});
    add_view(merged, found.target_from_source * view.cloud, i);
  }
  write_points(out / "merged.ply", merged);
  fmt::print("\n{}\n", all_fine ? fmt::format("OK: every view is within {} degrees and {} mm of the truth.",
                                              allowed_angle, allowed_shift)
                                : fmt::format("FAILED: a view is farther than {} degrees or {} mm from the truth.",
                                              allowed_angle, allowed_shift));
  fmt::print(
      "The scans, guesses and results are in {0}; merged.ply holds all of them aligned. Try one yourself:\n"
      "  dovetail register icp {0}/view2.ply {0}/view1.ply --start {0}/guess2.txt --out {0}/aligned.ply\n",
      out.string());
  const bool bin_fine = demo_bin(out, how.threads, report);
  if (report_available()) {
    report.write(out / "report.html");
    fmt::print("\nOpen {} in a browser to see all of it: how each scan comes to its place, and what was found.\n",
               (out / "report.html").string());
  } else {
    fmt::print("\nNo report for a browser: this build was made without Node.js.\n");
  }
  return all_fine && bin_fine ? success : not_usable;
}

}  // namespace

void add_demo(CLI::App& program, Action& action) {
  add_command<DemoCommand>(program, action, "demo",
                           "Scan a part from all around and align the scans; find parts in a bin; check every pose",
                           "Example: dovetail demo --out my_demo");
}

}  // namespace dovetail::app
