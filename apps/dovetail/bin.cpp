// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "command.h"
#include "dovetail/bin_images.h"
#include "dovetail/error.h"
#include "dovetail/scanner.h"
#include "input.h"
#include "option_flags.h"
#include "output.h"
#include "progress.h"
#include "summary.h"

namespace dovetail::app {
namespace {

constexpr std::string_view built_in = "built-in:";

/// Numbers separated by commas: "400,300,200".
template <class Number>
std::vector<Number> numbers_in(const char* flag, const std::string& text) {
  std::vector<Number> numbers;
  const char *at = text.data(), *const end = at + text.size();
  while (true) {
    Number number{};
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc() || (next != end && *next != ',')) {
      throw InvalidArgument(fmt::format("{}: '{}' is not allowed; allowed: numbers separated by commas", flag, text));
    }
    numbers.push_back(number);
    if (next == end) return numbers;
    at = next + 1;
  }
}

/// Millimetres in a unit; 0 for no name.
double millimetres_in(const std::string& unit) {
  if (unit.empty()) return 0;
  for (const auto& [name, size] : {std::pair{"mm", 1.0}, {"cm", 10.0}, {"m", 1000.0}, {"inch", 25.4}}) {
    if (unit == name) return size;
  }
  throw InvalidArgument(fmt::format("--unit: '{}' is not allowed; allowed: mm, cm, m, inch", unit));
}

PointCloud built_in_named(std::string_view name) {
  std::string all;
  for (const BuiltInPart part : built_in_parts()) {
    if (to_string(part) == name) return built_in_part(part);
    all += (all.empty() ? "" : ", ") + std::string(to_string(part));
  }
  throw InvalidArgument(fmt::format("{}{}: there is no such part; there are: {}", built_in, name, all));
}

double size_of(const PointCloud& mesh) {
  constexpr double far = std::numeric_limits<double>::infinity();
  Vec3 low{far, far, far}, high{-far, -far, -far};
  for (const Vec3& p : mesh.positions) {
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
  }
  return mesh.empty() ? 0 : norm(high - low);
}

struct BinSimulateCommand {
  std::vector<std::string> parts;
  std::string out, count = "10", size, camera, unit;
  std::uint64_t seed = 0;
  int threads = 0;
  bool quiet = false;
  OptionFlags<BinOptions> bin_flags;
  OptionFlags<BinImages> image_flags;
  OptionFlags<DepthSensor> sensor_flags;

  void add_to(CLI::App& command) {
    command.add_option("PART", parts, "closed meshes, each a file; or built-in:NAME, e.g. built-in:t_pipe")
        ->required()
        ->group("Input");
    command.add_option("--unit", unit, "of the files: mm, cm, m, inch (default: mm or m, told by the parts' size)")
        ->type_name("NAME")
        ->group("Input");
    add_file_flag(command, "Input", "--camera", camera,
                  "a camera.json with width, height, fx, fy, cx, cy and, if it likes, depth_scale");
    command.add_option("--count", count, "how many of each part, or one number for each: 20,5 (default 10)")
        ->type_name("LIST")
        ->group("Bin");
    command.add_option("--size", size, "inner length, width and height of the bin in mm: 400,300,200")
        ->type_name("LIST")
        ->group("Bin");
    bin_flags.add_to(command, "Bin", {"length", "width", "height"});
    image_flags.add_to(command, "Images");
    sensor_flags.add_to(command, "Sensor");
    command.add_option("--out", out, "the data set's folder; it must not be there yet, or be empty")
        ->required()
        ->type_name("FOLDER")
        ->group("Output");
    command.add_flag("--quiet", quiet, "no summary")->group("Output");
    command.add_option("--seed", seed, "of the first bin; the next has the next (default 0)")
        ->type_name("NUMBER")
        ->group("Run");
    command.add_option("--threads", threads, "bins at a time; 0: all processors. The files do not depend on it")
        ->type_name("NUMBER")
        ->group("Run");
  }

  /// In millimetres.
  PointCloud read_part(const std::string& name) const {
    if (name.starts_with(built_in)) return built_in_named(std::string_view(name).substr(built_in.size()));
    PointCloud mesh = read_cloud(name);
    double millimetres = millimetres_in(unit);
    if (millimetres == 0) {
      // Parts that a camera looks at are centimetres to decimetres large.
      millimetres = size_of(mesh) < 1 ? 1000 : 1;
      print_error("dovetail: {}: taken to be in {}, so that it is {:.4g} mm across; --unit tells what it is\n", name,
                  millimetres == 1 ? "mm" : "m", millimetres * size_of(mesh));
    }
    for (Vec3& p : mesh.positions) p *= millimetres;
    return mesh;
  }

  std::vector<int> counts() const {
    std::vector<int> numbers = numbers_in<int>("--count", count);
    if (numbers.size() == 1) numbers.resize(parts.size(), numbers[0]);
    if (numbers.size() != parts.size()) {
      throw InvalidArgument(fmt::format("--count: '{}' has {} numbers for {} parts; allowed: one, or one for each",
                                        count, numbers.size(), parts.size()));
    }
    return numbers;
  }

  BinOptions bin_options() const {
    BinOptions options;
    bin_flags.apply(options);
    if (size.empty()) return options;
    const std::vector<double> sides = numbers_in<double>("--size", size);
    if (sides.size() != 3 && !(options.plane && sides.size() == 2)) {
      throw InvalidArgument(fmt::format("--size: '{}' is not allowed; allowed: length,width,height", size));
    }
    options.length = sides[0], options.width = sides[1];
    if (sides.size() == 3) options.height = sides[2];
    for (const double side : sides) {
      if (!(side > 0)) throw InvalidArgument(fmt::format("--size: {} is not allowed; allowed: more than 0", side));
    }
    return options;
  }

  int run() const {
    BinImages images;
    DepthSensor sensor;
    image_flags.apply(images);
    sensor_flags.apply(sensor);
    const BinOptions options = bin_options();
    const std::vector<int> how_many = counts();
    if (!images.noise && !sensor_flags.given().empty()) {
      throw InvalidArgument(
          fmt::format("{}: tells what a sensor does, and --no-noise that there is none", sensor_flags.given().front()));
    }
    millimetres_in(unit);
    std::optional<BinCamera> own_camera;
    if (!camera.empty()) own_camera = read_bin_camera(camera);
    std::vector<PointCloud> meshes;
    for (const std::string& name : parts) meshes.push_back(read_part(name));
    std::vector<BinPart> wanted;
    for (std::size_t i = 0; i < meshes.size(); ++i) wanted.push_back({&meshes[i], how_many[i]});
    const auto began = std::chrono::steady_clock::now();
    BinRun how;
    how.threads = threads;
    how.cancel = &stop_on_interrupt();
    BinDataset set;
    {
      ShareBar bar("bins", quiet);
      how.on_progress = [&](double share) { bar.show(share); };
      set = write_bin_dataset(out, wanted, images, options, sensor, own_camera, seed, how);
    }
    if (!quiet) print_summary(set, milliseconds_since(began));
    const auto at_rest = [](const Bin& bin) { return bin.at_rest; };
    return std::all_of(set.bins.begin(), set.bins.end(), at_rest) ? success : not_usable;
  }

  void print_summary(const BinDataset& set, double ms) const {
    int dropped = 0, fell_out = 0, too_deep = 0, restless = 0;
    std::size_t resting = 0, unrest = 0;
    double deepest = 0;
    for (const Bin& bin : set.bins) {
      dropped += bin.dropped, fell_out += bin.fell_out, too_deep += bin.too_deep, restless += bin.restless;
      resting += bin.parts.size();
      unrest += !bin.at_rest;
      deepest = std::max(deepest, bin.deepest);
    }
    const Bin& first = set.bins.front();
    print_line("bins", fmt::format("{} of {:.4g} x {:.4g}{} mm", set.bins.size(), first.length, first.width,
                                   first.wall > 0 ? fmt::format(" x {:.4g}", first.height) : ""));
    print_line("parts", fmt::format("{} at rest of {} dropped{}{}{}", resting, dropped,
                                    fell_out ? fmt::format(", {} fell out", fell_out) : "",
                                    restless ? fmt::format(", {} never rested", restless) : "",
                                    too_deep ? fmt::format(", {} taken out for being inside another", too_deep) : ""));
    if (unrest > 0) print_line("", fmt::format("{} bins did not come to rest", unrest));
    print_line("deepest", fmt::format("{:.3g} of the diameter, of any part in another or in the bin", deepest));
    print_line("camera", fmt::format("{} x {}, {:.4g} mm from the bin's middle, depth in steps of {:.4g} mm",
                                     set.camera.width, set.camera.height, set.distance, set.camera.depth_scale));
    print_line("visible", fmt::format("{:.1f}% of an instance in the mean; {} of {} are targets",
                                      100 * set.mean_visible, set.targets, set.instances));
    print_line("measured", fmt::format("{:.1f}% of the pixels with a surface", 100 * set.measured_pixels));
    print_line("time", fmt::format("{:.1f} s", ms / 1000));
    print_line("written", out);
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
      "  dovetail bin simulate part.stl --unit mm --count 30 --images 20 --out bins\n"
      "  dovetail bin simulate built-in:hex_bolt built-in:hex_nut --count 20,10 --size 300,200,120 --out mixed\n"
      "  dovetail bin simulate part.ply --camera camera.json --no-noise --seed 7 --out exact");
}

}  // namespace dovetail::app
