// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "dovetail/points_view.h"

namespace dovetail {

/// The points of a view in host memory, one number type at a time; z = 0 in 2D.
template <class Number>
class PointReader {
 public:
  explicit PointReader(const PointsView& view)
      : data_(static_cast<const char*>(view.data)), stride_(view.stride_bytes()), planar_(view.dimension == 2) {}

  Vec3 operator[](std::size_t i) const {
    const Number* const p = reinterpret_cast<const Number*>(data_ + i * stride_);
    return {static_cast<double>(p[0]), static_cast<double>(p[1]), planar_ ? 0.0 : static_cast<double>(p[2])};
  }

 private:
  const char* data_;
  std::size_t stride_;
  bool planar_;
};

/// Calls use(reader of the view's points).
template <class Use>
auto with_reader(const PointsView& view, const Use& use) {
  return view.precision == Precision::float32 ? use(PointReader<float>(view)) : use(PointReader<double>(view));
}

}  // namespace dovetail
