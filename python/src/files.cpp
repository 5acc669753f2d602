// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "arrays.h"
#include "bindings.h"
#include "dovetail/io.h"
#include "dovetail/pose_file.h"
#include "moved_points.h"
#include "named.h"
#include "points_argument.h"
#include "pose_argument.h"
#include "session.h"

namespace dovetail::python {
namespace {

using Path = std::filesystem::path;

constexpr std::pair<const char*, Encoding> encodings[] = {{"auto", Encoding::automatic},
                                                          {"ascii", Encoding::ascii},
                                                          {"binary", Encoding::binary},
                                                          {"binary_big_endian", Encoding::binary_big_endian},
                                                          {"binary_compressed", Encoding::binary_compressed}};
constexpr std::pair<const char*, Precision> precisions[] = {{"float32", Precision::float32},
                                                            {"float64", Precision::float64}};

void write(const Path& file, const PointsLike& points, const std::string& encoding,
           const std::optional<std::string>& precision) {
  PointsArgument argument(points, "points");
  const WriteOptions how{value_named(encodings, "encoding", encoding)};
  const PointCloud* cloud = &argument.cloud();
  PointCloud other;
  if (precision) {
    const Precision wanted = value_named(precisions, "precision", *precision);
    if (wanted != cloud->precision) {
      other = *cloud;
      other.precision = wanted;
      cloud = &other;
    }
  }
  without_gil([&] { return write_points(file, *cloud, how), 0; });
}

}  // namespace

void add_files(py::module_& m) {
  m.def(
      "read_points", [](const Path& file) { return without_gil([&] { return read_points(file); }); }, py::arg("file"),
      "Reads a point or mesh file, its type told by the content first and by the name second: PLY, PCD, XYZ/TXT/CSV, "
      "OBJ, STL, OFF, NPY, LAS.");
  m.def("write_points", &write, py::arg("file"), py::arg("points"), py::kw_only(), py::arg("encoding") = "auto",
        py::arg("precision") = py::none(),
        "Writes a point or mesh file, its type told by the name's ending. encoding is 'auto', 'ascii', 'binary', "
        "'binary_big_endian' (PLY) or 'binary_compressed' (PCD); precision is 'float32' or 'float64', by default the "
        "points' own. The file appears whole or not at all.");
  m.def(
      "read_pose", [](const Path& file) { return matrix_of(read_pose(file)); }, py::arg("file"),
      "Reads a pose from a result's JSON or a text file with the matrix row by row: 4x4, or 3x3 in 2D.");
  m.def(
      "write_pose", [](const Path& file, const PoseLike& pose) { write_pose(file, pose_from(pose, "pose")); },
      py::arg("file"), py::arg("pose"),
      "Writes a pose as a text file, row by row. Every number reads back as the same bits.");
  m.def(
      "read_covariance",
      [](const Path& file) {
        const StoredCovariance stored = read_covariance(file);
        return std::pair(*square_array(stored.covariance),
                         stored.center ? std::optional(array_of(*stored.center)) : std::nullopt);
      },
      py::arg("file"), "Reads the covariance of a result's JSON or of a text file, and its centre, or None.");
  m.def(
      "apply", [](const PoseLike& pose, const PointsLike& points) { return moved(pose_from(pose, "pose"), points); },
      py::arg("pose"), py::arg("points"), "The points moved by a pose: an array for an array, a cloud for a cloud.");
  m.def("supported_formats", &supported_formats, "What files are read and written, in words.");
}

}  // namespace dovetail::python
