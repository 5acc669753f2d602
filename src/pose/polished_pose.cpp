// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/polished_pose.h"

#include <deque>
#include <iterator>

#include "spatial/parallel.h"

namespace dovetail::pose {
namespace {

std::vector<PosedPart> posed_parts(const FineScene& scene, std::span<const PartCandidate> candidates) {
  std::vector<PosedPart> posed(candidates.size());
  parallel_for(posed.size(), 1,
               [&](std::size_t i) { posed[i] = posed_part(scene.scene(), *candidates[i].wanted, candidates[i].pose); });
  return posed;
}

std::vector<std::size_t> explained_pixels(const RangeScene& scene, const Verdict& verdict) {
  std::vector<std::size_t> pixels;
  const PixelRegion& region = verdict.rendered.region;
  for (int y = region.top; y < region.bottom(); ++y) {
    for (int x = region.left; x < region.right(); ++x) {
      if (verdict.agrees[region.offset(x, y)]) pixels.push_back(scene.at(x, y));
    }
  }
  return pixels;
}

/// Some candidates on their way, whose pictures all lie in the memory.
class Polishing {
 public:
  Polishing(const FineScene& scene, std::span<PartCandidate> candidates, std::span<const PosedPart> posed)
      : scene_(scene), candidates_(candidates) {
    pictures_.emplace_back(scene, std::vector<PosedPart>(posed.begin(), posed.end()));
    constexpr double hopeless = 0.5;  // too far from the truth to get there
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      candidates[i].log_odds = -20;
      const drawn::Seen& seen = pictures_[0].seen(i);
      if (seen.explained < hopeless * (seen.explained + seen.impossible) || seen.explained == 0) continue;
      hopeful_.push_back({i, 0, i});
    }
    for (std::size_t k = 0; k < hopeful_.size(); ++k) moving_.push_back(k);
  }

  /// Refines those that the last turn has made better. False: it was stopped.
  bool turn(bool first, const Control& control) {
    constexpr std::size_t most_points = 1200;
    std::vector<SeenPose> poses(moving_.size());
    parallel_for(poses.size(), 1, [&](std::size_t k) {
      const Standing& standing = hopeful_[moving_[k]];
      const PartCandidate& candidate = candidates_[standing.candidate];
      const double tolerance = candidate.wanted->tolerance;
      poses[k] = {pictures_[standing.picture].visible_points(standing.number, most_points),
                  candidate.pose,
                  {first ? 3 * tolerance : tolerance, tolerance, 10, 0}};
    });
    const std::vector<FinePose> refined = refine_seen(scene_, poses, control);
    if (refined.size() != moving_.size()) return false;
    std::vector<PosedPart> posed(moving_.size());
    parallel_for(posed.size(), 1, [&](std::size_t k) {
      posed[k] = posed_part(scene_.scene(), *candidates_[hopeful_[moving_[k]].candidate].wanted, refined[k].pose);
    });
    pictures_.emplace_back(scene_, std::move(posed));
    std::vector<std::size_t> better;
    for (std::size_t k = 0; k < moving_.size(); ++k) {
      Standing& standing = hopeful_[moving_[k]];
      const drawn::Seen &before = pictures_[standing.picture].seen(standing.number), &after = pictures_.back().seen(k);
      if (after.explained - after.impossible < before.explained - before.impossible) continue;
      standing = {standing.candidate, pictures_.size() - 1, k};
      candidates_[standing.candidate].pose = refined[k].pose;
      better.push_back(moving_[k]);
    }
    moving_ = std::move(better);
    return true;
  }

  void tell() {
    for (std::size_t picture = 0; picture < pictures_.size(); ++picture) {
      std::vector<std::size_t> candidate, number;
      for (const Standing& standing : hopeful_) {
        if (standing.picture != picture) continue;
        candidate.push_back(standing.candidate), number.push_back(standing.number);
      }
      if (number.empty()) continue;
      const std::vector<drawn::Told> told = pictures_[picture].told(number);
      parallel_for(number.size(), 1, [&](std::size_t k) {
        PartCandidate& c = candidates_[candidate[k]];
        c.verdict = pictures_[picture].verdict(number[k]);
        c.evidence = part_evidence(pictures_[picture].seen(number[k]), told[k], c.wanted->shape->surface.size(),
                                   c.wanted->tolerance, c.wanted->shape->outlined);
        c.log_odds = part_log_odds(c.evidence);
        c.explains = explained_pixels(scene_.scene(), c.verdict);
      });
    }
  }

 private:
  /// Where a candidate's best picture is.
  struct Standing {
    std::size_t candidate, picture, number;
  };

  const FineScene& scene_;
  std::span<PartCandidate> candidates_;
  std::deque<DrawnParts> pictures_;  // of each turn
  std::vector<Standing> hopeful_;
  std::vector<std::size_t> moving_;  // of these, the numbers of those that the last turn has made better
};

}  // namespace

std::vector<FinePose> refine_visible(const FineScene& scene, std::span<const PartCandidate> candidates,
                                     std::size_t most_points, const std::function<FineSettings(const WantedPart&)>& how,
                                     const Control& control) {
  std::vector<SeenPose> poses(candidates.size());
  in_portions(posed_parts(scene, candidates), [&](std::span<const PosedPart> posed, std::size_t first) {
    const DrawnParts drawn(scene, {posed.begin(), posed.end()});
    parallel_for(posed.size(), 1, [&](std::size_t i) {
      const PartCandidate& candidate = candidates[first + i];
      poses[first + i] = {drawn.visible_points(i, most_points), candidate.pose, how(*candidate.wanted)};
    });
  });
  return refine_seen(scene, poses, control);
}

void verify_and_polish(const FineScene& scene, std::span<PartCandidate> candidates, const Control& control) {
  in_portions(posed_parts(scene, candidates), [&](std::span<const PosedPart> posed, std::size_t first) {
    Polishing polishing(scene, candidates.subspan(first, posed.size()), posed);
    if (polishing.turn(true, control) && polishing.turn(false, control)) polishing.tell();
  });
}

}  // namespace dovetail::pose
