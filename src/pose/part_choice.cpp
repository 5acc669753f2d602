// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/part_choice.h"

#include <algorithm>
#include <numeric>

#include "spatial/parallel.h"

namespace dovetail::pose {
namespace {

/// A part that explains less than half of its pixels alone is a wrong pose of what is there.
constexpr double most_shared = 0.5;
/// A rival explains at least this share of the pixels that a candidate explains.
constexpr double rival_share = 0.3;
/// Rivals that are less likely by more than this do not count.
constexpr double rival_behind = 5;
constexpr std::size_t most_rivals = 5;

bool overlap(const PixelRegion& a, const PixelRegion& b) { return !common(a, b).empty(); }

/// How many numbers two sorted lists have in common.
std::size_t in_both(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b) {
  std::size_t count = 0;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (*i == *j)
      ++count, ++i, ++j;
    else if (*i < *j)
      ++i;
    else
      ++j;
  }
  return count;
}

/// Whether two solids are in the same place along a ray, by more than `margin`.
bool meet(std::span<const SolidImage::Stretch> a, std::span<const SolidImage::Stretch> b, float margin) {
  for (const SolidImage::Stretch& i : a) {
    for (const SolidImage::Stretch& j : b) {
      if (std::min(i.to, j.to) - std::max(i.from, j.from) > margin) return true;
    }
  }
  return false;
}

}  // namespace

PartChoice::PartChoice(const RangeScene& scene, double min_confidence)
    : scene_(scene), min_confidence_(min_confidence), taken_(scene.depth.size(), 0) {}

const SolidImage& PartChoice::solid_of(std::size_t candidate) {
  const PartCandidate& c = open_[candidate];
  std::optional<SolidImage>& solid = open_solids_[candidate];
  if (!solid) solid = raster_solid(c.wanted->shape->mesh, c.pose, pinhole_of(scene_.camera));
  return *solid;
}

double PartChoice::share_inside(std::size_t number) {
  const PartCandidate& candidate = open_[number];
  const PixelRegion& region = candidate.verdict.rendered.region;
  std::vector<std::size_t> near;
  for (std::size_t i = 0; i < found_.size(); ++i) {
    if (overlap(region, solids_[i].region)) near.push_back(i);
  }
  if (near.empty() || candidate.verdict.pixels == 0) return 0;
  const SolidImage& own = solid_of(number);
  long inside = 0;
  for (int y = region.top; y < region.bottom(); ++y) {
    for (int x = region.left; x < region.right(); ++x) {
      if (candidate.verdict.rendered.depth_at(x, y) == 0) continue;
      inside += std::any_of(near.begin(), near.end(), [&](std::size_t i) {
        const double margin = 2 * std::max(candidate.wanted->tolerance, found_[i].wanted->tolerance);
        return meet(own.at(x, y), solids_[i].at(x, y), static_cast<float>(margin));
      });
    }
  }
  return static_cast<double>(inside) / static_cast<double>(candidate.verdict.pixels);
}

PartChoice::Standing PartChoice::standing_of(std::size_t number) {
  const PartCandidate& candidate = open_[number];
  Standing standing{candidate.evidence, candidate.log_odds};
  if (candidate.explains.empty()) return standing;
  long shared = 0;
  for (const std::size_t pixel : candidate.explains) shared += taken_[pixel];
  standing.evidence.shared = static_cast<double>(shared) / static_cast<double>(candidate.explains.size());
  if (standing.evidence.shared > most_shared) return standing;
  standing.evidence.inside = share_inside(number);
  standing.log_odds = part_log_odds(standing.evidence);
  return standing;
}

std::vector<PartRival> PartChoice::rivals_of(std::size_t candidate) const {
  const PartCandidate& of = open_[candidate];
  struct Other {
    std::size_t number;
    double share;
  };
  std::vector<Other> others;
  for (std::size_t i = 0; i < open_.size(); ++i) {
    const PartCandidate& other = open_[i];
    if (i == candidate || standing_[i].evidence.shared > most_shared) continue;
    if (standing_[i].log_odds < standing_[candidate].log_odds - rival_behind) continue;
    if (!overlap(of.verdict.rendered.region, other.verdict.rendered.region) || alike(of, other)) continue;
    const double share =
        static_cast<double>(in_both(of.explains, other.explains)) / static_cast<double>(of.explains.size());
    if (share >= rival_share) others.push_back({i, share});
  }
  std::stable_sort(others.begin(), others.end(), [&](const Other& a, const Other& b) {
    return standing_[a.number].log_odds > standing_[b.number].log_odds;
  });
  if (others.size() > most_rivals) others.resize(most_rivals);
  std::vector<PartRival> rivals;
  for (const auto& [i, share] : others) {
    const PartCandidate& other = open_[i];
    const double tolerance = std::max(of.wanted->tolerance, other.wanted->tolerance);
    rivals.push_back({other.wanted, other.pose, standing_[i].evidence, standing_[i].log_odds, share,
                      fits_worse(scene_, of.verdict, other.verdict, tolerance)});
  }
  return rivals;
}

void PartChoice::take(std::size_t candidate) {
  solids_.push_back(solid_of(candidate));
  open_solids_.erase(open_solids_.begin() + static_cast<std::ptrdiff_t>(candidate));
  PartCandidate part = std::move(open_[candidate]);
  open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(candidate));
  standing_.erase(standing_.begin() + static_cast<std::ptrdiff_t>(candidate));
  for (const std::size_t pixel : part.explains) taken_[pixel] = 1;
  const PixelRegion region = part.verdict.rendered.region;
  found_.push_back(std::move(part));
  parallel_for(open_.size(), 1, [&](std::size_t i) {
    if (overlap(open_[i].verdict.rendered.region, region)) standing_[i] = standing_of(i);
  });
}

bool PartChoice::take_next() {
  std::vector<std::size_t> order(open_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return standing_[a].log_odds > standing_[b].log_odds; });
  for (const std::size_t i : order) {
    if (standing_[i].evidence.shared > most_shared) continue;
    if (part_confidence(standing_[i].log_odds, {}) < min_confidence_) return false;
    std::vector<PartRival> rivals = rivals_of(i);
    if (confidence_of(standing_[i].log_odds, rivals) < min_confidence_) continue;
    open_[i].evidence = standing_[i].evidence;
    open_[i].log_odds = standing_[i].log_odds;
    open_[i].rivals = std::move(rivals);
    take(i);
    return true;
  }
  return false;
}

void PartChoice::consider(std::vector<PartCandidate> candidates, const std::function<bool()>& stopped) {
  for (PartCandidate& candidate : candidates) {
    if (candidate.explains.empty()) continue;
    const auto same =
        std::find_if(open_.begin(), open_.end(), [&](const PartCandidate& open) { return alike(open, candidate); });
    if (same == open_.end()) {
      open_.push_back(std::move(candidate));
    } else if (same->log_odds < candidate.log_odds) {
      open_solids_[static_cast<std::size_t>(same - open_.begin())].reset();
      *same = std::move(candidate);
    }
    open_solids_.resize(open_.size());
  }
  standing_.resize(open_.size());
  parallel_for(open_.size(), 1, [&](std::size_t i) { standing_[i] = standing_of(i); });
  while (!stopped() && take_next()) {
  }
}

std::vector<PartCandidate> PartChoice::doubtful() const {
  std::vector<PartCandidate> list;
  for (std::size_t i = 0; i < open_.size(); ++i) {
    if (standing_[i].evidence.shared > most_shared) continue;
    list.push_back(open_[i]);
    list.back().evidence = standing_[i].evidence;
    list.back().log_odds = standing_[i].log_odds;
    list.back().rivals = rivals_of(i);
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const PartCandidate& a, const PartCandidate& b) { return a.confidence() > b.confidence(); });
  return list;
}

}  // namespace dovetail::pose
