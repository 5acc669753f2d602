// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "moved_points.h"

#include <string>

#include "dovetail/error.h"
#include "points_argument.h"
#include "session.h"

namespace dovetail::python {

namespace py = pybind11;

namespace {

/// Each row of the view moved, into an array of `columns` columns.
template <class Number>
py::array_t<Number> moved_rows(const Transform& pose, const PointsView& view, int columns) {
  py::array_t<Number> rows({static_cast<py::ssize_t>(view.count), static_cast<py::ssize_t>(columns)});
  Number* out = rows.mutable_data();
  const auto* in = static_cast<const Number*>(view.data);
  const std::size_t stride = view.stride_bytes() / sizeof(Number);
  without_gil([&] {
    for (std::size_t i = 0; i < view.count; ++i, in += stride) {
      Vec3 p{};
      for (int k = 0; k < view.dimension; ++k) p[k] = static_cast<double>(in[k]);
      const Vec3 q = pose * p;
      for (int k = 0; k < columns; ++k) *out++ = static_cast<Number>(q[k]);
    }
    return 0;
  });
  return rows;
}

}  // namespace

py::object moved(const Transform& pose, const PointsLike& points) {
  PointsArgument argument(points, "points");
  if (!argument.is_array()) {
    const PointCloud& cloud = argument.cloud();
    return py::cast(without_gil([&] { return pose * cloud; }));
  }
  const PointsView& view = argument.view();
  if (dimension(pose.model) > view.dimension) {
    throw InvalidArgument("points: in " + std::to_string(view.dimension) + "D, and the pose is " +
                          std::string(to_string(pose.model)));
  }
  if (view.precision == Precision::float32) return moved_rows<float>(pose, view, view.dimension);
  return moved_rows<double>(pose, view, view.dimension);
}

}  // namespace dovetail::python
