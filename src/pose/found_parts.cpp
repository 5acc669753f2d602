// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/found_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace dovetail::pose {
namespace {

std::optional<double> margin_of(const PartCandidate& candidate) {
  if (candidate.rivals.empty()) return std::nullopt;
  double best = 0;
  for (const PartRival& rival : candidate.rivals) {
    best = std::max(best, odds_against(candidate.log_odds, {rival.log_odds, rival.share, rival.worse}));
  }
  return std::max(0.0, 1 - best);
}

SeenInImage seen(const PartCandidate& candidate) {
  const Verdict& verdict = candidate.verdict;
  SeenInImage image;
  image.pixels = verdict.pixels, image.explained = verdict.explained, image.hidden = verdict.hidden;
  image.contradicted = verdict.impossible, image.unknown = verdict.unknown;
  const Symmetry& symmetry = candidate.wanted->part->symmetry;
  for (std::size_t i = 1; i < symmetry.rotations.size(); ++i) {  // the first leaves it as it is
    image.equivalents.push_back(candidate.pose * symmetry.rotations[i].as<Rigid3>());
  }
  if (candidate.wanted->shape->space.turns_freely() && !symmetry.axes.empty()) {
    const SymmetryAxis& axis = symmetry.axes.front();
    image.turns_about = {candidate.pose * axis.through, candidate.pose.rotation * axis.direction};
  }
  return image;
}

FoundObject told(const PartCandidate& candidate, const FindParts& options) {
  FoundObject object;
  object.object = candidate.wanted->part->name;
  object.index = candidate.wanted->index;
  object.scene_from_object = candidate.pose;
  if (options.frame_from_camera) {
    object.frame_from_object = *options.frame_from_camera * object.scene_from_object;
  }
  object.visible_ratio = candidate.verdict.visible();
  object.support = static_cast<double>(candidate.verdict.explained);
  object.rmse = candidate.verdict.rmse;
  object.inlier_distance = candidate.wanted->tolerance;
  object.inlier_ratio = candidate.verdict.visible();
  object.score = candidate.verdict.purity();
  object.log_odds = candidate.log_odds;
  object.confidence = candidate.confidence();
  object.evidence = candidate.evidence.named();
  object.margin = margin_of(candidate);
  for (const PartRival& rival : candidate.rivals) {
    object.rivals.push_back({rival.wanted->part->name, rival.wanted->index, rival.pose, rival.log_odds, rival.share,
                             rival.worse, rival.evidence.named()});
  }
  object.image = seen(candidate);
  return object;
}

/// How many of the pixels in which a part is hidden each of the others explains.
std::map<std::size_t, long> hidden_by(const PartCandidate& candidate, const std::vector<int>& owner, int width) {
  std::map<std::size_t, long> count;
  const PixelRegion& region = candidate.verdict.rendered.region;
  for (int y = region.top; y < region.bottom(); ++y) {
    for (int x = region.left; x < region.right(); ++x) {
      const std::size_t at = region.offset(x, y);
      if (candidate.verdict.rendered.depth(at) == 0 || candidate.verdict.agrees[at]) continue;
      const auto pixel = static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
      if (owner[pixel] >= 0) ++count[static_cast<std::size_t>(owner[pixel])];
    }
  }
  return count;
}

/// Of each found part those that cover some of it, what covers most first.
std::vector<std::vector<std::size_t>> covers(const std::vector<PartCandidate>& parts, std::size_t pixels, int width) {
  std::vector<int> owner(pixels, -1);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (const std::size_t pixel : parts[i].explains) owner[pixel] = static_cast<int>(i);
  }
  std::vector<std::vector<std::size_t>> covering(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::map<std::size_t, long> count = hidden_by(parts[i], owner, width);
    // A pixel or two where outlines meet cover nothing.
    const double least = std::max(4.0, 0.01 * static_cast<double>(parts[i].verdict.pixels));
    std::erase_if(count, [&](const auto& c) { return c.first == i || static_cast<double>(c.second) < least; });
    for (const auto& [by, hidden] : count) covering[i].push_back(by);
    std::stable_sort(covering[i].begin(), covering[i].end(),
                     [&](std::size_t a, std::size_t b) { return count[a] > count[b]; });
  }
  return covering;
}

Vec3 middle_of(const PartCandidate& candidate, const FindParts& options) {
  const Vec3 middle = candidate.pose * candidate.wanted->part->center;
  return options.frame_from_camera ? options.frame_from_camera->as<Rigid3>() * middle : middle;
}

bool within(const Box& box, const Vec3& p) {
  for (int k = 0; k < 3; ++k) {
    if (p[k] < box.low[k] || p[k] > box.high[k]) return false;
  }
  return true;
}

/// The parts that are told, in the order of picking.
std::vector<std::size_t> order_of(const std::vector<PartCandidate>& parts,
                                  const std::vector<std::vector<std::size_t>>& covering, const FindParts& options) {
  std::vector<std::size_t> order(parts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (options.reach) {
    std::erase_if(order, [&](std::size_t i) { return !within(*options.reach, middle_of(parts[i], options)); });
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return parts[a].confidence() != parts[b].confidence() ? parts[a].confidence() > parts[b].confidence()
                                                          : parts[a].log_odds > parts[b].log_odds;
  });
  if (!options.prefer) return order;
  const auto far = [&](std::size_t i) { return norm(middle_of(parts[i], options) - *options.prefer); };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const bool a_covered = !covering[a].empty(), b_covered = !covering[b].empty();
    return a_covered != b_covered ? b_covered : far(a) < far(b);
  });
  return order;
}

std::string message_of(std::size_t found, std::size_t out_of_reach) {
  std::string message = found == 0 ? "nothing that is likely to be one of the parts was found"
                                   : fmt::format("{} part{} found", found, found == 1 ? "" : "s");
  if (out_of_reach > 0) message += fmt::format("; {} more out of reach", out_of_reach);
  return message;
}

}  // namespace

void tell_sizes(const RangeScene& scene, const std::vector<WantedPart>& wanted, Found& found) {
  std::vector<float> depths;
  for (const float depth : scene.depth) {
    if (depth > 0) depths.push_back(depth);
  }
  found.scene_points = depths.size();
  if (depths.empty()) {
    found.warnings.push_back("the image has no depth anywhere");
    return;
  }
  const auto middle = depths.begin() + static_cast<std::ptrdiff_t>(depths.size() / 2);
  std::nth_element(depths.begin(), middle, depths.end());
  const double depth = static_cast<double>(*middle), pixel = depth / scene.camera.fx;
  const double across = pixel * std::max(scene.camera.width, scene.camera.height);
  for (const WantedPart& part : wanted) {
    if (part.diameter < 2 * across) continue;
    found.warnings.push_back(
        fmt::format("part {} is {:.3g} mm across, the image {:.3g} mm at its median depth of {:.3g} mm, a pixel {:.3g} "
                    "mm: are the units right?",
                    part.part->name, part.diameter, across, depth, pixel));
  }
}

void tell_parts(const PartChoice& choice, const FindParts& options, Found& found) {
  const std::vector<PartCandidate>& parts = choice.found();
  const auto covering = covers(parts, choice.taken().size(), choice.scene().camera.width);
  std::vector<std::size_t> order = order_of(parts, covering, options);
  const std::size_t out_of_reach = parts.size() - order.size();
  if (options.best > 0 && order.size() > static_cast<std::size_t>(options.best)) {
    order.resize(static_cast<std::size_t>(options.best));
  }
  std::map<std::size_t, std::size_t> place;
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  for (const std::size_t i : order) {
    FoundObject& object = found.objects.emplace_back(told(parts[i], options));
    for (const std::size_t by : covering[i]) {
      if (place.contains(by)) object.image->covered_by.push_back(place[by]);
    }
    object.image->on_top = covering[i].empty();
  }
  for (const PartCandidate& candidate : choice.doubtful()) {
    if (found.doubtful.size() == static_cast<std::size_t>(options.doubtful)) break;
    found.doubtful.push_back(told(candidate, options));
  }
  found.frame_from_scene = options.frame_from_camera;
  found.message = message_of(found.objects.size(), out_of_reach);
}

}  // namespace dovetail::pose
