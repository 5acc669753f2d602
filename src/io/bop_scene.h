// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "dovetail/models.h"

// What a folder of the BOP benchmark says of one scene, by image ids. Every reader throws FileError naming the file,
// the key and the reason.

namespace dovetail::io {

/// An entry of scene_camera.json.
struct BopCamera {
  Mat3 k = Mat3::identity();  ///< pixel = k x / z, of a point x in the camera's frame
  double depth_scale = 1;     ///< millimetres in one step of a depth image
  double pixel_center = 0;    ///< DepthCamera::pixel_center: a key of our own, which others pass over
};

/// An object that is in an image.
struct BopTruth {
  int object = 0;
  Rigid3 camera_from_object = Rigid3::identity();  ///< millimetres
  double visible_share = 1;                        ///< visib_fract of scene_gt_info.json
};

/// The size that a camera.json has for the images of a data set.
struct BopImageSize {
  int width = 0, height = 0;
};

std::map<int, BopCamera> read_bop_cameras(std::string_view file, std::string_view bytes);
/// scene_gt.json; `visible_share` stays 1.
std::map<int, std::vector<BopTruth>> read_bop_truths(std::string_view file, std::string_view bytes);
/// Sets `visible_share` from scene_gt_info.json, which has to have an entry for each truth of each image.
void add_bop_visibility(std::string_view file, std::string_view bytes, std::map<int, std::vector<BopTruth>>& truths);
BopImageSize read_bop_image_size(std::string_view file, std::string_view bytes);

}  // namespace dovetail::io
