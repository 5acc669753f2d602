// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <span>
#include <vector>

#include "pose/fine_scene.h"
#include "pose/verified_pose.h"

namespace dovetail::pose {

/// A part at a pose, and where it is seen.
struct PosedPart {
  const WantedPart* wanted = nullptr;
  Rigid3 camera_from_part = Rigid3::identity();
  PixelRegion region;
};
PosedPart posed_part(const RangeScene& scene, const WantedPart& wanted, const Rigid3& camera_from_part);

/// Parts drawn at poses in a machine's memory, each alone in a region of its own, and held against the image.
class DrawnParts {
 public:
  DrawnParts(const FineScene& scene, std::vector<PosedPart> parts);

  /// Counts what the image says of the pixels of each.
  const drawn::Seen& seen(std::size_t i) const { return seen_[i]; }
  Verdict verdict(std::size_t i) const;
  /// Points of the surface that are seen, in the part's frame; at most about `most`.
  std::vector<Vec3> visible_points(std::size_t i, std::size_t most) const;
  /// What is counted for the evidence of some of them.
  std::vector<drawn::Told> told(std::span<const std::size_t> which) const;

 private:
  std::span<const raster::Pixel> pixels_of(std::size_t i) const {
    return pixels_.subspan(regions_[i].begin, parts_[i].region.pixels());
  }
  Batch<drawn::DrawnPart> batch() const;
  drawn::State state(std::size_t i, drawn::Phase phase) const;

  const FineScene& scene_;
  std::vector<PosedPart> parts_;
  std::vector<raster::Region> regions_;
  std::vector<drawn::Seen> seen_;
  Keeper keeper_;
  raster::Pixel* drawn_ = nullptr;  // in the machine's memory
  std::uint8_t* agree_ = nullptr;   // likewise
  std::size_t pixel_count_ = 0;
  std::vector<raster::Pixel> copied_;      // where that is not the host's
  std::span<const raster::Pixel> pixels_;  // on the host
  std::vector<std::uint8_t> agrees_;       // likewise
};

/// Calls work(parts, first) with as many at once as their pictures may take of the memory.
template <class Work>
void in_portions(std::span<const PosedPart> parts, const Work& work) {
  constexpr std::size_t most_pixels = 8u << 20;
  for (std::size_t first = 0; first < parts.size();) {
    std::size_t count = 0, pixels = 0;
    while (first + count < parts.size() &&
           (count == 0 || pixels + parts[first + count].region.pixels() <= most_pixels)) {
      pixels += parts[first + count++].region.pixels();
    }
    work(parts.subspan(first, count), first);
    first += count;
  }
}

}  // namespace dovetail::pose
