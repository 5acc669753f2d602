// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/found_part_odds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "pose/edge_image.h"
#include "pose/part_weights.h"

namespace dovetail::pose {
namespace {

double share_of(long some, long all) { return all > 0 ? static_cast<double>(some) / static_cast<double>(all) : 0; }

struct Step {
  int x, y;
};
constexpr Step beside[] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};

/// What is told pixel by pixel.
struct Counts {
  long outline = 0, continued = 0;  ///< of the part's outline, where it is explained
  long steps = 0, met = 0;          ///< where it is so much nearer than what is beyond that the image shows it
  long unmeasured = 0;              ///< of the outline
  long border = 0, seamless = 0;    ///< of what is explained
  long inner = 0, crossed = 0, told = 0, askew = 0, beneath = 0;
  double cosines = 0;
};

class Counter {
 public:
  Counter(const RangeScene& scene, const Background& background, const Verdict& verdict, double tolerance)
      : scene_(scene), background_(background), verdict_(verdict), tolerance_(static_cast<float>(tolerance)) {}

  Counts count() {
    const PixelRegion& region = verdict_.rendered.region;
    const std::vector<std::uint8_t> edges =
        depth_edges(verdict_.rendered.depth, region.width, region.height, 2 * static_cast<double>(tolerance_));
    constexpr double surely = 1.25;  // of what is an edge in the image: noise does not hide it
    const std::vector<std::uint8_t> steps =
        depth_edges(verdict_.rendered.depth, region.width, region.height, surely * scene_.edge_step);
    for (int y = region.top; y < region.bottom(); ++y) {
      for (int x = region.left; x < region.right(); ++x) {
        const std::size_t at = region.offset(x, y);
        if (!verdict_.agrees[at]) {
          counts_.unmeasured += edges[at] && scene_.depth[scene_.at(x, y)] == 0;
          continue;
        }
        add_border(x, y, at);
        edges[at] ? add_outline(x, y, at) : add_inner(x, y, at);
        counts_.steps += steps[at];
        counts_.met += steps[at] && std::fabs(scene_.distance[scene_.at(x, y)]) <= 2;
      }
    }
    return counts_;
  }

 private:
  /// Where what is explained ends at what is said to be hidden.
  void add_border(int x, int y, std::size_t at) {
    const PixelRegion& region = verdict_.rendered.region;
    for (const Step& step : beside) {
      const int u = x + step.x, v = y + step.y;
      if (region.contains(u, v) && verdict_.agrees[region.offset(u, v)]) continue;
      if (!scene_.contains(u, v)) continue;
      ++counts_.border;
      const float rendered = verdict_.rendered.depth_at(u, v), there = scene_.depth[scene_.at(u, v)];
      if (rendered == 0 || there == 0 || there > rendered) continue;
      const float here = scene_.depth[scene_.at(x, y)];
      // Where the part itself steps back, into a bore say, what goes on at the same level is not before it.
      const float slope = std::min(rendered - verdict_.rendered.depth[at], slope_to(x, y, u, v, at) + tolerance_);
      counts_.seamless += here + slope - there < 1.5f * tolerance_;
    }
  }

  /// How much farther away the part's plane at a pixel is at the one beside it.
  float slope_to(int x, int y, int u, int v, std::size_t at) const {
    const Vec3 normal = verdict_.normal[at].cast<double>();
    const double here = dot(normal, scene_.camera.direction(x, y)), there = dot(normal, scene_.camera.direction(u, v));
    const double depth = static_cast<double>(verdict_.rendered.depth[at]);
    // Along the line of sight a plane says nothing.
    return here * there > 0 ? static_cast<float>(depth * (here / there - 1)) : std::numeric_limits<float>::max();
  }

  void add_outline(int x, int y, std::size_t at) {
    ++counts_.outline;
    const float here = scene_.depth[scene_.at(x, y)], rendered = verdict_.rendered.depth[at];
    bool goes_on = false;
    constexpr int reach = 3;  // pixels: an outline may be off by one, and the median smears it by another
    for (const Step& step : beside) {
      const int u = x + reach * step.x, v = y + reach * step.y;
      const float beyond = verdict_.rendered.depth_at(u, v);
      if (!scene_.contains(u, v) || (beyond != 0 && beyond - rendered <= 4 * tolerance_)) continue;
      const float there = scene_.depth[scene_.at(u, v)];
      goes_on = goes_on || (there != 0 && std::fabs(there - here) <= 2 * tolerance_);
    }
    counts_.continued += goes_on;
  }

  void add_inner(int x, int y, std::size_t at) {
    const std::size_t in_scene = scene_.at(x, y);
    ++counts_.inner;
    counts_.beneath += background_.seen[in_scene];
    counts_.crossed += scene_.distance[in_scene] == 0;
    const Vec3f& normal = scene_.normal[in_scene];
    if (normal[2] == 0) return;
    const double cosine = static_cast<double>(dot(normal, verdict_.normal[at]));
    ++counts_.told;
    counts_.cosines += std::max(0.0, cosine);
    constexpr double within = 0.866;  // 30 degrees
    counts_.askew += cosine < within;
  }

  const RangeScene& scene_;
  const Background& background_;
  const Verdict& verdict_;
  float tolerance_;
  Counts counts_;
};

/// Share of points that are beyond floor or wall.
double share_sunk(const RangeScene& scene, const Background& background, std::span<const Vec3> surface,
                  double tolerance) {
  long sunk = 0;
  for (const Vec3& p : surface) {
    if (!(p[2] > 0)) continue;
    const auto [x, y] = scene.pixel_of(p);
    sunk += scene.contains(x, y) && background.beyond(scene.at(x, y), p, 2 * tolerance);
  }
  return share_of(sunk, static_cast<long>(surface.size()));
}

double number(const PartEvidence& evidence, std::string_view name) {
  for (const Evidence& e : evidence.named()) {
    if (e.name == name) return e.value;
  }
  return 0;
}

}  // namespace

std::vector<Evidence> PartEvidence::named() const {
  return {{"purity", purity},       {"visible", visible},   {"closeness", closeness}, {"edges", edges},
          {"continued", continued}, {"seamless", seamless}, {"crossed", crossed},     {"normals", normals},
          {"askew", askew},         {"beneath", beneath},   {"sunk", sunk},           {"log_pixels", log_pixels},
          {"shared", shared},       {"inside", inside}};
}

PartEvidence part_evidence(const RangeScene& scene, const Background& background, const Verdict& verdict,
                           std::span<const Vec3> surface, double tolerance, bool outlined) {
  PartEvidence evidence;
  evidence.purity = verdict.purity();
  evidence.visible = verdict.visible();
  evidence.closeness = 1 - verdict.rmse / tolerance;
  evidence.log_pixels = std::log(static_cast<double>(std::max(1l, verdict.explained)));
  const Counts counts = Counter(scene, background, verdict, tolerance).count();
  constexpr double fairly_met = 0.97, fairly_continued = 0.03;  // the worse quarter of right poses begins there
  evidence.edges = !outlined ? fairly_met : counts.steps > 0 ? share_of(counts.met, counts.steps) : 1;
  evidence.continued = outlined ? share_of(counts.continued, counts.outline + counts.unmeasured) : fairly_continued;
  evidence.seamless = share_of(counts.seamless, counts.border);
  evidence.crossed = share_of(counts.crossed, counts.inner);
  evidence.normals = counts.told > 0 ? counts.cosines / static_cast<double>(counts.told) : 0;
  evidence.askew = share_of(counts.askew, counts.told);
  evidence.beneath = share_of(counts.beneath, verdict.explained);
  evidence.sunk = share_sunk(scene, background, surface, tolerance);
  return evidence;
}

double part_log_odds(const PartEvidence& evidence) {
  double odds = part_weights.constant;
  for (const Weight& weight : part_weights.each) odds += weight.weight * shaped(weight, number(evidence, weight.name));
  return std::clamp(odds, -7.0, 7.0);
}

double odds_against(double log_odds, const RivalOdds& rival) {
  const double less = part_weights.share * std::log(std::max(rival.share, 1e-3));
  const double exponent = part_weights.rival * (rival.log_odds + less - log_odds) - part_weights.worse * rival.worse;
  return std::exp(std::clamp(exponent, -30.0, 30.0));
}

double part_confidence(double log_odds, std::span<const RivalOdds> rivals) {
  double all = 1;
  for (const RivalOdds& rival : rivals) all += odds_against(log_odds, rival);
  return 1 / (1 + std::exp(-part_weights.slope * log_odds - part_weights.offset)) / all;
}

}  // namespace dovetail::pose
