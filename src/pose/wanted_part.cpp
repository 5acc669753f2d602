// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/wanted_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

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

namespace {

/// A depth that one in twenty of the measured ones is nearer than; 0 where nothing was measured.
double near_depth(const RangeScene& scene) {
  std::vector<float> depths;
  std::ranges::copy_if(scene.depth, std::back_inserter(depths), [](float depth) { return depth > 0; });
  if (depths.empty()) return 0;
  const auto near = depths.begin() + static_cast<std::ptrdiff_t>(depths.size() / 20);
  std::nth_element(depths.begin(), near, depths.end());
  return static_cast<double>(*near);
}

}  // namespace

std::optional<std::string> why_not_to_be_told(const RangeScene& scene, const WantedPart& wanted, double noise) {
  constexpr double fewest_pixels = 8, fewest_wide = 3, most_noise = 0.025;  // across; of the diameter
  const double width = wanted.shape->width, diameter = wanted.diameter, pixel = near_depth(scene) / scene.camera.fx;
  if (diameter < fewest_pixels * pixel) {
    return fmt::format(
        "part {} is not looked for: it is {:.3g} mm across, {:.2g} pixels where the image is nearest: "
        "are the units right?",
        wanted.part->name, diameter, diameter / pixel);
  }
  if (width < fewest_wide * pixel) {
    return fmt::format("part {} is not looked for: it is {:.3g} mm wide, {:.2g} pixels where the image is nearest",
                       wanted.part->name, width, width / pixel);
  }
  if (wanted.shape->flat && !wanted.shape->outlined) {
    return fmt::format(
        "part {} is not looked for: it is a piece of a plane that is not known to end anywhere, and fits any",
        wanted.part->name);
  }
  if (noise > most_noise * diameter) {
    return fmt::format(
        "part {} is not looked for: it is {:.3g} mm across, and depths beside each other differ by "
        "{:.3g} mm: is it the right image, and its depth unit?",
        wanted.part->name, diameter, noise);
  }
  return std::nullopt;
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
