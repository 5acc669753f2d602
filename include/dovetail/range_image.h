// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <vector>

#include "dovetail/models.h"
#include "dovetail/points.h"

// What a depth camera measured, and how its pixels look out.

namespace dovetail {

/// A pinhole camera: x to the right, y down, z along the view. A point is seen at (fx x / z + cx, fy y / z + cy).
struct DepthCamera {
  int width = 0, height = 0;  ///< 0 where the file does not tell: the image's
  double fx = 0, fy = 0, cx = 0, cy = 0;
  /// Millimetres in one step of a 16-bit image. 0: not told.
  double depth_scale = 0;
  /// Where in pixel (0, 0) its centre is, along x and y: 0 as OpenCV and ROS calibrate, ½ as most renderers do it.
  double pixel_center = 0;
  /// k1, k2, p1, p2, k3 of Brown's model as OpenCV has it; all 0: no distortion.
  std::array<double, 5> distortion{};

  bool distorted() const { return distortion != std::array<double, 5>{}; }
  /// Along the view of pixel (i, j) of an undistorted image, z = 1.
  Vec3 direction(double i, double j) const { return {(i + pixel_center - cx) / fx, (j + pixel_center - cy) / fy, 1}; }
};

/// Reads a camera: JSON with fx, fy, cx and cy, or cam_K (nine numbers, row by row), and where known width, height,
/// depth_scale, pixel_center, distortion (k1, k2, p1, p2, k3); or a text with the 3 × 3 matrix. Throws FileError naming
/// the file, the key and the reason.
DepthCamera read_camera(const std::filesystem::path& file);

/// Depth, row by row.
struct RangeImage {
  DepthCamera camera;        ///< with the image's size, and without distortion
  std::vector<float> depth;  ///< along z in millimetres; 0 where nothing was measured
  /// Of clouds whose camera looks another way than along z, as those of computer graphics do with y up: their own
  /// frame.
  std::optional<Rigid3> cloud_from_camera{};

  std::size_t size() const { return depth.size(); }
  float at(int x, int y) const {
    return depth[static_cast<std::size_t>(y) * static_cast<std::size_t>(camera.width) + static_cast<std::size_t>(x)];
  }
};

/// Reads a range image: a grey PNG of 16 bits in steps of the camera's depth_scale (1 mm where it has none), a NumPy
/// array (rows, columns) of 16-bit steps or of floats, or an organised cloud (PLY, PCD). Of clouds the camera is found
/// where none is given: they tell where each pixel looks, and along which axis of theirs. `millimetres` is what one
/// unit of arrays and clouds is in mm; 0: of floats told by the depths, metres where their median is below 20. A
/// distorted image is resampled, each pixel from the one nearest to where it was seen. Throws FileError naming the file
/// and the reason: no camera, another size than the camera's, a cloud that no pinhole camera can have seen.
RangeImage read_range_image(const std::filesystem::path& file, const std::optional<DepthCamera>& camera = {},
                            double millimetres = 0);

/// The same of an organised cloud in memory; `name` stands for it in messages.
RangeImage range_image_of(const PointCloud& cloud, const std::optional<DepthCamera>& camera = {},
                          double millimetres = 0, const std::string& name = "cloud");

/// Reads a PNG in which the pixels that count are not black (nor transparent): 1 for these, 0 for the others, row by
/// row. Throws FileError where it is none or not of the camera's size.
std::vector<std::uint8_t> read_mask(const std::filesystem::path& file, const DepthCamera& camera);

}  // namespace dovetail
