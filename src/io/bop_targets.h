// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <compare>
#include <string_view>
#include <vector>

namespace dovetail::io {

/// An image of a data set.
struct BopImageId {
  int scene = 0, image = 0;
  friend auto operator<=>(const BopImageId&, const BopImageId&) = default;
};

/// What has to be found: so many instances of an object in an image.
struct BopTarget {
  BopImageId image;
  int object = 0;
  int count = 0;
};

/// A targets file of BOP19: {scene_id, im_id, obj_id, inst_count}. Throws FileError naming the file, the entry and the
/// reason, also where two entries are for one object in one image.
std::vector<BopTarget> read_bop_targets(std::string_view file, std::string_view bytes);

/// The images that a targets file names, each once, in the order in which they come first: {scene_id, im_id}, other
/// keys do not matter. Throws FileError.
std::vector<BopImageId> read_bop_target_images(std::string_view file, std::string_view bytes);

}  // namespace dovetail::io
