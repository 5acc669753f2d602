// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <span>
#include <vector>

#include "dovetail/bin_images.h"
#include "io/bop_write.h"
#include "pose/depth_renderer.h"

namespace dovetail::bins {

/// A bin as a camera sees it.
struct BinView {
  io::BopSeenImage seen;
  std::vector<float> depth;  ///< that was measured, row by row
  long surface_pixels = 0;   ///< those that show anything
  long measured_pixels = 0;
};

/// What all images of a data set have in common.
struct ViewSettings {
  pose::Pinhole camera;
  double depth_scale = 1;
  BinImages images;
  DepthSensor sensor;
  double pixel_center = 0.5;  ///< DepthCamera::pixel_center of what is written
};

/// The camera as files tell it.
DepthCamera written_camera(const ViewSettings& settings);

/// The camera that is used where none is given.
pose::Pinhole default_camera(const BinImages& images);
/// How far the camera stands from the middle of the bin, so that the bin fills the image.
double fitting_distance(const Bin& bin, const pose::Pinhole& camera);
/// Where the camera stands, turned by a random tilt.
Rigid3 camera_from_scene(const Bin& bin, double distance, double tilt, std::uint64_t seed);
/// The point it looks at.
Vec3 middle_of(const Bin& bin);

/// `meshes`: of the parts by their index. Throws InvalidArgument where no part is seen.
BinView view_bin(const Bin& bin, std::span<const pose::RenderMesh> meshes, const ViewSettings& settings,
                 double distance, int image);

}  // namespace dovetail::bins
