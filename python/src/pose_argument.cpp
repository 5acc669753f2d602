// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose_argument.h"

#include <pybind11/numpy.h>
#include <pybind11/stl/filesystem.h>

#include "dovetail/error.h"
#include "dovetail/matrix_functions.h"
#include "dovetail/models.h"
#include "dovetail/pose_file.h"
#include "file_argument.h"
#include "report.h"
#include "shown.h"

namespace dovetail::python {

namespace py = pybind11;

Transform pose_from(const PoseLike& pose, const char* name) {
  py::object given = pose.object;
  if (is_file(given)) {
    return read_pose(given.cast<std::filesystem::path>());
  }
  if (py::hasattr(given, "transform")) given = given.attr("transform");
  const auto array = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(given);
  if (!array || array.ndim() != 2) {
    PyErr_Clear();
    throw InvalidArgument(
        std::string(name) + ": " + shown(given) +
        " is no pose; allowed: a matrix of 4x4, 3x4 or (2D) 3x3 numbers, a result, or the name of a file");
  }
  std::vector<std::vector<double>> rows;
  for (py::ssize_t i = 0; i < array.shape(0); ++i) rows.emplace_back(array.data(i), array.data(i) + array.shape(1));
  try {
    return pose_from_rows(rows);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(std::string(name) + ": " + error.what());
  }
}

Transform rigid_pose_from(const PoseLike& pose, const char* name) {
  const Transform given = pose_from(pose, name);
  if (given.model == Model::rigid3) return given;
  if (dimension(given.model) == 2)
    throw InvalidArgument(std::string(name) + ": a pose in the plane; allowed: a 4x4 pose");
  const double volume = determinant(Affine3::from_matrix(given.matrix).linear);
  throw InvalidArgument(std::string(name) + ": its determinant is " + short_text(volume) + " and it is no rigid pose" +
                        (volume < 0 ? ", but a mirror" : "") +
                        "; allowed: a rotation and a shift, no scale, no mirror");
}

}  // namespace dovetail::python
