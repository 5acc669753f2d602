// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "judge/distinction.h"

#include <algorithm>

#include "judge/contacts.h"
#include "search/free_space.h"

namespace dovetail {

namespace {

constexpr PointsAsked asked{1000, 1000};  // the same points at every pose
constexpr double reach = 0.3;             // radii
constexpr double least_cosine = 0.8;      // of normals that agree
/// What a share of points counts that lie where a sensor looked through. Nothing but noise puts points there.
constexpr double through_weight = 50;

/// What every point asked of one cloud says of the other one at a pose.
std::vector<Verdict> verdicts_of(std::span<const Touch> touches, double radius) {
  const double least = least_unit(touches, radius);
  std::vector<Verdict> verdicts;
  for (const Touch& t : touches) {
    Verdict verdict = verdict_of(t, std::max(t.spacing, least));
    if (verdict == Verdict::agrees && t.cosine >= 0 && t.cosine < least_cosine) verdict = Verdict::contradicts;
    verdicts.push_back(verdict);
  }
  return verdicts;
}

struct BothWays {
  std::vector<Verdict> there, back;
};

std::vector<BothWays> verdicts_at(std::span<const Similarity3> poses, const Prepared& prepared, const Level& full,
                                  Backend& backend) {
  const double radius = prepared.source->radius;
  const NormalSettings settings{.neighbours = 8, .dimension = prepared.dimension};
  std::vector<BothWays> verdicts;
  for (const Contact& c : contacts_of(full, poses, reach * radius, settings, backend, asked)) {
    verdicts.push_back({verdicts_of(c.there, radius), verdicts_of(c.back, radius)});
  }
  return verdicts;
}

std::vector<double> rarity_by(const std::vector<BothWays>& at, std::vector<Verdict> BothWays::*way) {
  std::vector<std::uint32_t> agreed(at.empty() ? 0 : (at.front().*way).size(), 0);
  for (const BothWays& v : at) {
    for (std::size_t i = 0; i < agreed.size(); ++i) agreed[i] += (v.*way)[i] == Verdict::agrees ? 1 : 0;
  }
  return rarity_of(agreed, at.size());
}

double telling(const std::vector<Verdict>& verdicts, const std::vector<double>& rarity) {
  double sum = 0;
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    if (verdicts[i] == Verdict::agrees) sum += rarity[i];
    if (verdicts[i] == Verdict::contradicts) sum -= 1;
  }
  return verdicts.empty() ? 0 : sum / static_cast<double>(verdicts.size());
}

std::vector<double> distinctions_by(const std::vector<BothWays>& at, const Rarity& rarity, const Prepared& prepared,
                                    std::span<const Similarity3> poses) {
  std::vector<double> all;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    all.push_back(telling(at[i].there, rarity.source) + telling(at[i].back, rarity.target) -
                  through_weight * seen_through(prepared, poses[i]).value_or(0));
  }
  return all;
}

}  // namespace

std::vector<double> distinctions(const Prepared& prepared, const Rarity& rarity, const Level& full,
                                 std::span<const Similarity3> poses, Backend& backend) {
  return distinctions_by(verdicts_at(poses, prepared, full, backend), rarity, prepared, poses);
}

RarityAmong rarity_among(const Prepared& prepared, const Level& full, std::span<const Similarity3> poses,
                         Backend& backend) {
  const std::vector<BothWays> at = verdicts_at(poses, prepared, full, backend);
  auto rarity = std::make_shared<Rarity>();
  rarity->source = rarity_by(at, &BothWays::there);
  rarity->target = rarity_by(at, &BothWays::back);
  std::vector<double> all = distinctions_by(at, *rarity, prepared, poses);
  rarity->most_distinct = all.empty() ? 0 : *std::max_element(all.begin(), all.end());
  return {rarity, std::move(all)};
}

}  // namespace dovetail
