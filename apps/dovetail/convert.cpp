// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "command.h"
#include "dovetail/error.h"
#include "dovetail/io.h"
#include "dovetail/prepare.h"
#include "output.h"

namespace dovetail::app {
namespace {

constexpr std::array<std::pair<std::string_view, Encoding>, 5> encodings{
    {{"auto", Encoding::automatic},
     {"ascii", Encoding::ascii},
     {"binary", Encoding::binary},
     {"binary_big_endian", Encoding::binary_big_endian},
     {"binary_compressed", Encoding::binary_compressed}}};
constexpr std::array<std::pair<std::string_view, Precision>, 2> precisions{
    {{"float", Precision::float32}, {"double", Precision::float64}}};

/// The value of that name; hyphens and underscores mean the same.
template <class Table>
auto value_named(const Table& table, const char* option, std::string name) {
  std::string wanted = name, allowed;
  std::replace(wanted.begin(), wanted.end(), '-', '_');
  for (const auto& [known, value] : table) {
    if (known == wanted) return value;
    allowed += fmt::format("{}{}", allowed.empty() ? "" : ", ", known);
  }
  throw InvalidArgument(fmt::format("option {}: '{}' is not allowed; allowed: {}", option, name, allowed));
}

struct ConvertCommand {
  std::string in, out, encoding = "auto", precision;
  double voxel = 0;
  int neighbours = 0;
  bool drop = false;
  CLI::Option *voxel_flag = nullptr, *normals_flag = nullptr;

  void add_to(CLI::App& command) {
    command.add_option("IN", in, "the file to read; its type is told by the content first")->required();
    command.add_option("OUT", out, "the file to write; its ending tells the format")->required();
    voxel_flag = command.add_option("--voxel", voxel, "keep one point for each cube of this side, in file units");
    normals_flag = command.add_flag("--normals{16}", neighbours,
                                    "estimate normals from K neighbours (default 16; allowed: 3 to 32): --normals [K]");
    command.add_option("--encoding", encoding, "auto, ascii, binary, binary_big_endian (PLY), binary_compressed (PCD)")
        ->type_name("NAME");
    command.add_option("--precision", precision, "float or double coordinates; as in the file read by default")
        ->type_name("NAME");
    command.add_flag("--drop-invalid", drop, "leave out points that are not finite and no-return marks");
  }

  int run() const {
    check_point_file(out);
    const WriteOptions how{value_named(encodings, "encoding", encoding)};
    const bool keep_precision = precision.empty();
    const Precision wanted = keep_precision ? Precision::float64 : value_named(precisions, "precision", precision);
    PointCloud cloud = read_points(in);
    if (drop) cloud = drop_invalid(cloud);
    if (cloud.empty()) {
      throw FileError(fmt::format("{}: there are no points{}: nothing to write", in,
                                  drop ? " left once those that are not valid are dropped (--drop-invalid)" : ""));
    }
    if (voxel_flag->count() > 0) cloud = downsample(cloud, voxel);
    if (normals_flag->count() > 0) estimate_normals(cloud, {.neighbours = neighbours});
    if (!keep_precision) cloud.precision = wanted;
    write_points(out, cloud, how);
    return success;
  }
};

}  // namespace

void add_convert(CLI::App& program, Action& action) {
  add_command<ConvertCommand>(
      program, action, "convert", "Turn a point or mesh file into another format",
      "Formats: " + supported_formats() + "\nExample: dovetail convert scan.pcd scan.ply --voxel 0.5 --normals 20");
}

}  // namespace dovetail::app
