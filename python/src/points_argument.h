// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <pybind11/numpy.h>

#include <memory>
#include <string>

#include "dovetail/points_view.h"
#include "likes.h"

namespace dovetail::python {

/// Points that came from Python, and what has to live while they are looked at. NumPy arrays, clouds and a GPU's memory
/// are looked at where they are; what is laid out otherwise is copied first.
class PointsArgument {
 public:
  /// `name` is what messages call it. Throws InvalidArgument, TypeError, FileError.
  PointsArgument(const PointsLike& points, const char* name);

  const PointsView& view() const { return view_; }
  /// Whether they came as an array or a list, and not as a cloud or a file.
  bool is_array() const { return pybind11::isinstance<pybind11::array>(keep_); }
  /// Normals beside the points: (n, 3).
  void set_normals(const pybind11::handle& normals, const char* name);

  /// The points as a cloud of the library's own: the one that came, or a copy.
  const PointCloud& cloud();

 private:
  void look_at_device(const pybind11::object& object, const char* name);
  void look_at(const pybind11::array& array);

  std::string name_;
  pybind11::object keep_, keep_normals_;
  std::shared_ptr<PointCloud> own_;    ///< where it was read from a file or copied
  const PointCloud* cloud_ = nullptr;  ///< where it is one
  PointsView view_;
};

}  // namespace dovetail::python
