// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <string>
#include <vector>

#include "report/depth_picture.h"
#include "report/run_data.h"

namespace dovetail::report {

/// Where an object is, in the scene or in the camera's frame.
struct PlacedObject {
  std::size_t object = 0;
  Transform scene_from_object;
};

/// Adds "clouds": the scene, where there is one, and the objects, appending their points to `bytes`.
void add_clouds(Json& json, std::string& bytes, const PointCloud* scene, OriginPoints at_origin,
                std::span<const ObjectToFind> objects, const Budget& budget);

/// Adds "image" and "outlines", one for each placed object, null of an object that is not at hand.
void add_image(Json& json, std::string& bytes, const RangeImage& image, std::span<const ObjectToFind> objects,
               std::span<const PlacedObject> placed, const Budget& budget);

}  // namespace dovetail::report
