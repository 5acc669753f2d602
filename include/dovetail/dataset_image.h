// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "dovetail/points.h"
#include "dovetail/range_image.h"
#include "dovetail/transform.h"

// Single images of a data set in the layout of the BOP benchmark, with what is in them: to look at.

namespace dovetail {

/// Which image of which scene.
struct DatasetImageId {
  int scene = 0, image = 0;
};

/// An object of which the data set knows the pose.
struct DatasetPose {
  int object = 0;                ///< its id: obj_000001 is 1
  Transform camera_from_object;  ///< millimetres
  double visible_ratio = 1;      ///< share of its pixels that nothing hides; 1 where the data set does not tell
};

/// An image and what is in it.
struct DatasetImage {
  DatasetImageId id;
  RangeImage range;
  std::vector<DatasetPose> poses;
};

/// Whether a folder looks like such a data set: it has the split, with a scene in it.
bool is_dataset(const std::filesystem::path& folder, const std::string& split = "test");

/// The images whose poses are known, scene by scene. Throws FileError naming file, place and reason.
std::vector<DatasetImageId> dataset_images(const std::filesystem::path& folder, const std::string& split = "test");

/// Throws FileError naming file, place and reason.
DatasetImage read_dataset_image(const std::filesystem::path& folder, DatasetImageId id,
                                const std::string& split = "test");

/// The mesh of an object, from models/. Throws FileError.
PointCloud read_dataset_model(const std::filesystem::path& folder, int object);

}  // namespace dovetail
