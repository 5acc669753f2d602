// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/format.h>

#include "bin_density.h"
#include "bin_input.h"
#include "command.h"
#include "dataset_report.h"
#include "dovetail/bin_images.h"
#include "dovetail/error.h"
#include "input.h"
#include "output.h"
#include "progress.h"
#include "report_flags.h"
#include "summary.h"

namespace dovetail::app {
namespace {

struct BinSimulateCommand {
  BinInput input;
  std::string out, camera, poses;
  ReportFlags report;
  OptionFlags<BinImages> image_flags;
  OptionFlags<DepthSensor> sensor_flags;

  void add_to(CLI::App& command) {
    input.add_to(command);
    add_file_flag(command, "Input", "--camera", camera,
                  "a camera.json with width, height, fx, fy, cx, cy and, if it likes, depth_scale");
    image_flags.add_to(command, "Images");
    sensor_flags.add_to(command, "Sensor");
    add_file_flag(command, "Output", "--out", out, "the data set's folder; it must not be there yet, or be empty",
                  "FOLDER")
        ->required();
    add_file_flag(command, "Output", "--poses", poses, "how the parts rest, as JSON (dovetail.resting/1)");
    report.add_to(command);
  }

  int run() const {
    BinImages images;
    DepthSensor sensor;
    image_flags.apply(images);
    sensor_flags.apply(sensor);
    input.check();
    if (!images.noise && !sensor_flags.given().empty()) {
      throw InvalidArgument(
          fmt::format("{}: tells what a sensor does, and --no-noise that there is none", sensor_flags.given().front()));
    }
    for (const std::string& flag : image_flags.given()) {
      if (camera.empty() || (flag != "--columns" && flag != "--rows" && flag != "--field-of-view")) continue;
      throw InvalidArgument(fmt::format("{}: --camera {} says it; give one of the two", flag, camera));
    }
    if (!poses.empty()) check_writable(poses);
    check_outputs({{"--poses", &poses}, report.output()});
    report.check({camera});
    std::optional<DepthCamera> own_camera;
    if (!camera.empty()) own_camera = read_camera(camera);
    const std::vector<PointCloud> meshes = input.from.read_all();
    const std::vector<BinPart> wanted = input.wanted(meshes);
    const auto began = std::chrono::steady_clock::now();
    BinRun how = input.bin_run();
    BinDataset set;
    {
      ShareBar bar("bins", input.quiet);
      how.on_progress = [&](double share) { bar.show(share); };
      set = blame_flags({{"camera", camera.empty() ? "" : "--camera: " + camera},
                         {"length", "--size: length"},
                         {"width", "--size: width"}},
                        [&] {
                          return write_bin_dataset(out, wanted, images, input.bin_options(), sensor, own_camera,
                                                   input.seed, how);
                        });
    }
    if (!poses.empty()) write_resting_poses(poses, resting_poses(wanted, input.names(), set.bins));
    if (report.wanted()) write_report();
    if (!input.quiet) print_summary(set, milliseconds_since(began));
    return exit_code(set.bins);
  }

  /// Of what was written, as others read it.
  void write_report() const {
    const DatasetReport images(out);
    Report page(report.options(), images.runs());
    images.add_to(page);
    report.write_all(page);
  }

  void print_summary(const BinDataset& set, double ms) const {
    print_bins(set.bins);
    print_line("camera", fmt::format("{} x {}, {:.4g} mm from the bin's middle, depth in steps of {:.4g} mm",
                                     set.camera.width, set.camera.height, set.distance, set.camera.depth_scale));
    print_line("visible", fmt::format("{:.1f}% of an instance in the mean; {} of {} are targets",
                                      100 * set.mean_visible, set.targets, set.instances));
    print_line("measured", fmt::format("{:.1f}% of the pixels with a surface", 100 * set.measured_pixels));
    print_line("time", fmt::format("{:.1f} s", ms / 1000));
    print_line("written", poses.empty() ? out : out + ", " + poses);
  }
};

struct BinPosesCommand {
  BinInput input;
  int bins = default_density_bins;
  std::string out;

  void add_to(CLI::App& command) {
    input.add_to(command);
    command.add_option("--bins", bins, fmt::format("how many bins are filled (default {})", bins))
        ->type_name("NUMBER")
        ->group("Bin");
    add_file_flag(command, "Output", "--out", out, "how the parts rest, as JSON (dovetail.resting/1)")->required();
  }

  int run() const {
    if (bins < 1) throw InvalidArgument(fmt::format("--bins: {} is not allowed; allowed: 1 or more", bins));
    input.check();
    check_writable(out);
    const std::vector<PointCloud> meshes = input.from.read_all();
    const std::vector<BinPart> wanted = input.wanted(meshes);
    const auto began = std::chrono::steady_clock::now();
    BinRun how = input.bin_run();
    std::vector<Bin> filled;
    {
      ShareBar bar("bins", input.quiet);
      how.on_progress = [&](double share) { bar.show(share); };
      filled = blame_flags({{"length", "--size: length"}, {"width", "--size: width"}},
                           [&] { return simulate_bins(wanted, bins, input.bin_options(), input.seed, how); });
    }
    if (*how.cancel) throw Error("stopped; nothing was written");
    write_resting_poses(out, resting_poses(wanted, input.names(), filled));
    if (!input.quiet) {
      print_bins(filled);
      print_line("time", fmt::format("{:.1f} s", milliseconds_since(began) / 1000));
      print_line("written", out);
    }
    return exit_code(filled);
  }
};

}  // namespace

void add_bin(CLI::App& program, Action& action) {
  CLI::App* const command = program.add_subcommand("bin", "Bins of parts, simulated, with every pose known");
  command->footer("Example: dovetail bin simulate built-in:t_pipe --out pipes");
  command->require_subcommand(1);
  add_command<BinSimulateCommand>(
      *command, action, "simulate", "Drop parts into bins and write depth images with truth, in BOP's layout",
      "Examples:\n"
      "  dovetail bin simulate part.stl --unit mm --count 30 --images 20 --out bins --report bins.html\n"
      "  dovetail bin simulate built-in:hex_bolt built-in:hex_nut --count 20,10 --size 300,200,120 --out mixed\n"
      "  dovetail bin simulate part.ply --camera camera.json --no-noise --seed 7 --out exact");
  add_command<BinPosesCommand>(*command, action, "poses", "Drop parts into bins and write how they rest, no images",
                               "Examples:\n"
                               "  dovetail bin poses part.stl --unit mm --count 60 --out part.resting.json\n"
                               "  dovetail bin poses built-in:t_pipe --count 60 --bins 500 --out pipes.json");
  add_command<BinDensityCommand>(*command, action, "density", "Show how often parts lie how: pictures and a table",
                                 "Example: dovetail bin density pipes.json --out density");
}

}  // namespace dovetail::app
