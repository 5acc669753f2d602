// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/pose_density.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "dovetail/error.h"
#include "spatial/parallel.h"

namespace dovetail {
namespace {

constexpr std::size_t grid = 4000;  ///< directions on the sphere: about 3 degrees apart

/// Points on a spiral from pole to pole, each with the same area about it.
std::vector<Vec3> even_directions(std::size_t count) {
  std::vector<Vec3> directions;
  const double turn = M_PI * (3 - std::sqrt(5.0));
  for (std::size_t i = 0; i < count; ++i) {
    const double z = 1 - (2 * static_cast<double>(i) + 1) / static_cast<double>(count), r = std::sqrt(1 - z * z);
    const double angle = turn * static_cast<double>(i);
    directions.push_back({r * std::cos(angle), r * std::sin(angle), z});
  }
  return directions;
}

Vec3 up_of(const Mat3& scene_from_part) {
  return {scene_from_part(2, 0), scene_from_part(2, 1), scene_from_part(2, 2)};
}

/// How near two directions of a part are to each other, up to its symmetries: the cosine of the angle.
class Nearness {
 public:
  explicit Nearness(const Symmetry& symmetry) {
    for (const Transform& rotation : symmetry.rotations) {
      Mat3 r{};
      for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) r(i, k) = rotation.matrix(i, k);
      }
      rotations_.push_back(r);
    }
    sphere_ = symmetry.kind == SymmetryKind::sphere;
    free_ = symmetry.kind == SymmetryKind::revolution || symmetry.kind == SymmetryKind::revolution_with_flips;
    if (free_) axis_ = symmetry.axes.at(0).direction;
  }

  const std::vector<Mat3>& rotations() const { return rotations_; }

  /// Of two directions as they are, but for turns about a free axis.
  double plain(const Vec3& a, const Vec3& b) const {
    if (sphere_) return 1;
    if (!free_) return dot(a, b);
    const double x = std::clamp(dot(a, axis_), -1.0, 1.0), y = std::clamp(dot(b, axis_), -1.0, 1.0);
    return x * y + std::sqrt((1 - x * x) * (1 - y * y));
  }
  double operator()(const Vec3& a, const Vec3& b) const {
    double best = -1;
    for (const Mat3& r : rotations_) best = std::max(best, plain(a, r * b));
    return best;
  }
  /// The share of the sphere that is within an angle of a direction, symmetries not counted.
  double cap(const Vec3& direction, double reach) const {
    if (sphere_) return 1;
    if (!free_) return 0.5 * (1 - std::cos(reach));
    const double polar = std::acos(std::clamp(dot(direction, axis_), -1.0, 1.0));
    return 0.5 * (std::cos(std::max(0.0, polar - reach)) - std::cos(std::min(M_PI, polar + reach)));
  }

 private:
  std::vector<Mat3> rotations_;
  Vec3 axis_{};
  bool free_ = false, sphere_ = false;
};

/// The orientation that most of the poses left are near to, which are then taken away; until there are none or enough.
std::vector<FrequentOrientation> most_frequent(const std::vector<Mat3>& rotations, const std::vector<Vec3>& candidates,
                                               const Nearness& near, int most, double reach) {
  std::vector<Mat3> left = rotations;
  const double least = std::cos(reach);
  std::vector<FrequentOrientation> found;
  while (static_cast<int>(found.size()) < most && !left.empty()) {
    std::vector<std::size_t> count(candidates.size());
    parallel_for(candidates.size(), 16, [&](std::size_t i) {
      for (const Mat3& r : left) count[i] += near(candidates[i], up_of(r)) >= least;
    });
    const auto best = static_cast<std::size_t>(std::max_element(count.begin(), count.end()) - count.begin());
    if (count[best] == 0) break;  // a cell between the candidates: nothing is frequent there
    FrequentOrientation orientation{
        candidates[best], {}, count[best], static_cast<double>(count[best]) / static_cast<double>(rotations.size())};
    double nearest = -2;
    for (const Mat3& r : left) {
      const double cosine = near(candidates[best], up_of(r));
      if (cosine > nearest) nearest = cosine, orientation.scene_from_part = r;
    }
    std::erase_if(left, [&](const Mat3& r) { return near(candidates[best], up_of(r)) >= least; });
    found.push_back(orientation);
  }
  return found;
}

std::array<double, 3> euler_of(const Mat3& r) {
  return {std::atan2(r(1, 0), r(0, 0)), std::asin(std::clamp(-r(2, 0), -1.0, 1.0)), std::atan2(r(2, 1), r(2, 2))};
}

void fill_euler(const std::vector<Mat3>& rotations, PoseDensity& density) {
  const double one = 1.0 / static_cast<double>(rotations.size());
  for (const Mat3& r : rotations) {
    const auto angles = euler_of(r);
    for (std::size_t k = 0; k < 3; ++k) {
      const double range = k == 1 ? M_PI : 2 * M_PI;
      const int step = static_cast<int>((angles[k] / range + 0.5) * PoseDensity::euler_steps);
      density.euler[k][static_cast<std::size_t>(std::clamp(step, 0, PoseDensity::euler_steps - 1))] += one;
    }
  }
}

}  // namespace

PoseDensity pose_density(const RestingPoses& poses, std::size_t kind, const Symmetry& symmetry, int most,
                         double reach) {
  if (kind >= poses.parts.size()) {
    throw InvalidArgument(
        fmt::format("kind: {} is not allowed; allowed: indices of the {} parts", kind, poses.parts.size()));
  }
  if (!(reach > 0 && reach < M_PI)) {
    throw InvalidArgument(fmt::format("reach: {} is not allowed; allowed: more than 0 and less than pi", reach));
  }
  std::vector<Mat3> rotations;
  for (const RestingBin& bin : poses.bins) {
    for (const RestingPart& part : bin.parts) {
      if (part.part == kind) rotations.push_back(part.scene_from_part.rotation);
    }
  }
  if (rotations.empty()) {
    throw InvalidArgument(fmt::format("{}: none of it rests in any of the bins", poses.parts[kind].name));
  }
  const Nearness near(symmetry);
  PoseDensity density;
  density.poses = rotations.size();
  density.reach = reach;
  density.directions = even_directions(grid);
  density.orientations = most_frequent(rotations, density.directions, near, most, reach);
  density.density.resize(grid);
  const double smooth = 0.5 * reach;
  parallel_for(grid, 16, [&](std::size_t i) {
    double count = 0;
    for (const Mat3& r : rotations) {
      for (const Mat3& s : near.rotations())
        count += near.plain(density.directions[i], s * up_of(r)) >= std::cos(smooth);
    }
    const double all = static_cast<double>(rotations.size() * near.rotations().size());
    density.density[i] = count / all / near.cap(density.directions[i], smooth);
  });
  fill_euler(rotations, density);
  return density;
}

double density_distance(const PoseDensity& a, const PoseDensity& b) {
  if (a.density.size() != b.density.size() || a.density.empty()) {
    throw InvalidArgument("density: the two are not over the same directions");
  }
  double sum = 0;
  for (std::size_t i = 0; i < a.density.size(); ++i) sum += std::fabs(a.density[i] - b.density[i]);
  return 0.5 * sum / static_cast<double>(a.density.size());
}

std::string to_json(const PoseDensity& density, const std::string& name, int indent) {
  using Json = nlohmann::ordered_json;
  const auto numbers = [](const auto& m) { return Json(std::vector<double>(std::begin(m.data), std::end(m.data))); };
  Json listed = Json::array();
  for (const FrequentOrientation& o : density.orientations) {
    listed.push_back({{"up", numbers(o.up)},
                      {"scene_from_part", numbers(o.scene_from_part)},
                      {"count", o.count},
                      {"share", o.share}});
  }
  const Json all = {{"schema", "dovetail.density/1"},
                    {"name", name},
                    {"poses", density.poses},
                    {"reach", density.reach},
                    {"orientations", std::move(listed)},
                    {"euler", {{"yaw", density.euler[0]}, {"pitch", density.euler[1]}, {"roll", density.euler[2]}}}};
  return all.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace dovetail
