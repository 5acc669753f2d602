// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/wanted_part.h"

#include <algorithm>

#include "pose/rough_parts.h"

namespace dovetail::pose {

std::vector<WantedPart> wanted_parts(const PoseDatabase& database, double noise) {
  const auto shapes = database.cache().shapes(database.parts());
  std::vector<WantedPart> all;
  for (std::size_t i = 0; i < database.parts().size(); ++i) {
    WantedPart wanted;
    wanted.part = &database.parts()[i];
    wanted.index = i;
    wanted.shape = std::shared_ptr<const PartShape>(shapes, &(*shapes)[i]);
    wanted.diameter = 2 * wanted.part->radius;
    wanted.tolerance = std::max(0.012 * wanted.diameter, 4 * noise);
    all.push_back(std::move(wanted));
  }
  return all;
}

bool as_near_as(double limit, const WantedPart& part, const Rigid3& a, const Rigid3& b) {
  const Vec3& center = part.part->symmetry.center;  // stays where it is, whichever way round
  const Vec3 shift = a * center - b * center;
  if (norm(shift) > limit) return false;
  const Mat3 turned = matrix_from_quaternion(
      part.shape->space.nearest_alike(quaternion_from_matrix(b.rotation), quaternion_from_matrix(a.rotation)));
  const Mat3 difference = a.rotation - turned;
  return std::all_of(part.shape->surface.begin(), part.shape->surface.end(),
                     [&](const Vec3& p) { return norm(difference * (p - center) + shift) <= limit; });
}

}  // namespace dovetail::pose
