// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "dovetail/models.h"

namespace dovetail::io {

/// An axis about which an object may be turned by any angle.
struct BopAxis {
  Vec3 direction{};  ///< unit length
  Vec3 through{};    ///< a point of it
};

/// What models_info.json says of an object; millimetres.
struct BopObject {
  double diameter = 0;
  std::vector<Rigid3> discrete;     ///< symmetries beside the identity
  std::vector<BopAxis> continuous;  ///< symmetries by any angle
};

/// The objects of a models_info.json by their ids. Throws FileError naming the file, the key and the reason.
std::map<int, BopObject> read_bop_objects(std::string_view file, std::string_view bytes);

/// Refuses what is no rotation, by more than the digits of a text file explain: an entry of RᵀR off by more than 0.01,
/// or a mirror image. Returns the reason, empty where there is none.
std::string_view why_no_rotation(const Mat3& r);

}  // namespace dovetail::io
