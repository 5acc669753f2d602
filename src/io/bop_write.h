// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <array>
#include <filesystem>
#include <vector>

#include "io/bop_scene.h"
#include "io/bop_targets.h"

// The files of a data set of the BOP benchmark. Each appears whole or not at all; all throw FileError.

namespace dovetail::io {

/// An object in an image and what is seen of it.
struct BopSeenTruth {
  BopTruth truth;
  /// x, y, width, height in pixels, width = last column − first; all −1 where there is none. Of all of the object, even
  /// outside the image; of what is seen.
  std::array<int, 4> box{-1, -1, -1, -1}, visible_box{-1, -1, -1, -1};
  long pixels = 0;           ///< of the object alone, those outside the image too
  long measured_pixels = 0;  ///< of them, those in the image that have a depth
  long visible_pixels = 0;   ///< of them, those in which no other is before it
};

struct BopSeenImage {
  int image = 0;
  BopCamera camera;
  Rigid3 camera_from_world = Rigid3::identity();
  std::vector<BopSeenTruth> truths;
};

/// scene_camera.json, scene_gt.json and scene_gt_info.json of a scene's folder.
void write_bop_scene(const std::filesystem::path& folder, const std::vector<BopSeenImage>& images);
void write_bop_camera(const std::filesystem::path& file, const BopCamera& camera, const BopImageSize& size);
void write_bop_targets(const std::filesystem::path& file, const std::vector<BopTarget>& targets);

}  // namespace dovetail::io
