// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "dovetail/error.h"
#include "dovetail/points.h"

namespace dovetail {

/// Points where the caller holds them: floats or doubles, the coordinates of a point side by side, in host memory or in
/// that of the GPU the run is on. Nothing is copied before it has to be; host memory allocated with cudaMallocHost
/// uploads fastest. What it points to must stay until the call it is given to returns.
struct PointsView {
  const void* data = nullptr;
  std::size_t count = 0;
  int dimension = 3;
  std::size_t stride = 0;                    ///< numbers from a point to the next; 0: dimension
  bool on_device = false;                    ///< data and normals lie in the GPU's memory, ready to be read
  Precision precision = Precision::float32;  ///< what the numbers are
  const float* normals = nullptr;            ///< three a point, one point after another; null: there are none
  const Faces* faces = nullptr;              ///< over the points, in host memory; null: they are no mesh

  PointsView() = default;
  PointsView(const float* points, std::size_t size, int dimensions = 3, std::size_t step = 0, bool device = false)
      : data(points), count(size), dimension(dimensions), stride(step), on_device(device) {}
  PointsView(const double* points, std::size_t size, int dimensions = 3, std::size_t step = 0, bool device = false)
      : data(points),
        count(size),
        dimension(dimensions),
        stride(step),
        on_device(device),
        precision(Precision::float64) {}
  PointsView(const std::vector<Vec3>& positions)
      : data(positions.data()), count(positions.size()), stride(3), precision(Precision::float64) {}
  /// Throws InvalidArgument where the cloud's arrays differ in length.
  PointsView(const PointCloud& cloud) : PointsView(cloud.positions) {
    for (const std::size_t other : {cloud.normals.size(), cloud.colors.size()}) {
      if (other == 0 || other == count) continue;
      throw InvalidArgument("a cloud of " + std::to_string(count) + " points has " + std::to_string(other) +
                            (other == cloud.normals.size() ? " normals" : " colors") + "; one each is needed");
    }
    dimension = cloud.dimension;
    normals = cloud.normals.empty() ? nullptr : &cloud.normals.front()[0];
    faces = cloud.faces.empty() ? nullptr : &cloud.faces;
  }

  /// Bytes from a point to the next.
  std::size_t stride_bytes() const {
    const std::size_t number = precision == Precision::float32 ? sizeof(float) : sizeof(double);
    return number * (stride != 0 ? stride : static_cast<std::size_t>(dimension));
  }
  /// Bytes from the first point's first number to the last one's last.
  std::size_t size_bytes() const {
    const std::size_t number = precision == Precision::float32 ? sizeof(float) : sizeof(double);
    return count == 0 ? 0 : (count - 1) * stride_bytes() + number * static_cast<std::size_t>(dimension);
  }

  /// A normal in host memory.
  Vec3f normal(std::size_t i) const { return {normals[3 * i], normals[3 * i + 1], normals[3 * i + 2]}; }
};

}  // namespace dovetail
