// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "search/direction_starts.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "dovetail/rotation.h"
#include "spatial/parallel.h"

namespace dovetail {

namespace {

/// Half of the cone about a direction, in radians; directions within twice of it are the same.
constexpr double cone = 0.15;
constexpr double least_share = 0.02;
constexpr std::size_t most_directions = 8;
/// Normals that are looked at, and those of them that a direction may begin with.
constexpr std::size_t asked = 3000, begun_with = 500;
constexpr int settling = 5;
/// Two directions tell a rotation where they differ by this much; how far angles between them may differ.
constexpr double least_apart = 0.35, alike = 0.12;
constexpr double same_rotation = 0.15;

Vec3 normal_of(const gpicp::OrientedPoint& p) {
  return {double{p.normal[0]}, double{p.normal[1]}, double{p.normal[2]}};
}

std::vector<Vec3> spread_normals(const FacingPoints& cloud, std::size_t most) {
  std::vector<Vec3> normals;
  const std::size_t count = std::min(most, cloud.points.size());
  for (std::size_t i = 0; i < count; ++i) normals.push_back(normal_of(cloud.points[i * cloud.points.size() / count]));
  return normals;
}

/// The mean of the normals within the cone, again and again.
Vec3 settled(Vec3 direction, std::span<const Vec3> normals, bool one_sided) {
  for (int i = 0; i < settling; ++i) {
    Vec3 sum{};
    for (const Vec3& n : normals) {
      const double c = dot(n, direction);
      if ((one_sided ? c : std::fabs(c)) > std::cos(cone)) sum += (c < 0 ? -1.0 : 1.0) * n;
    }
    const double length = norm(sum);
    if (!(length > 0)) break;
    direction = (1 / length) * sum;
  }
  return direction;
}

/// Two directions and what is across them.
Mat3 frame_of(const Vec3& a, const Vec3& b) {
  Vec3 u = a + b;
  u = (1 / norm(u)) * u;
  Vec3 w = cross(a, b);
  w = (1 / norm(w)) * w;
  const Vec3 v = cross(w, u);
  return {u[0], v[0], w[0], u[1], v[1], w[1], u[2], v[2], w[2]};
}

double angle_between(const Vec3& a, const Vec3& b) { return std::acos(std::clamp(dot(a, b), -1.0, 1.0)); }

struct WeighedRotation {
  Mat3 rotation;
  double weight = 0;
};

}  // namespace

std::vector<Direction> dominant_directions(const FacingPoints& cloud) {
  std::vector<Vec3> left = spread_normals(cloud, asked);
  const auto all = static_cast<double>(left.size());
  std::vector<Direction> directions;
  while (directions.size() < most_directions && static_cast<double>(left.size()) > least_share * all) {
    const std::size_t begin = std::min(begun_with, left.size());
    std::vector<std::size_t> count(begin, 0);
    const auto cosine = [&](const Vec3& a, const Vec3& b) {
      return cloud.one_sided ? dot(a, b) : std::fabs(dot(a, b));
    };
    parallel_for(begin, 16, [&](std::size_t i) {
      const Vec3& from = left[i * left.size() / begin];
      for (const Vec3& n : left) count[i] += cosine(from, n) > std::cos(cone) ? 1 : 0;
    });
    const auto best = static_cast<std::size_t>(std::max_element(count.begin(), count.end()) - count.begin());
    Direction d{settled(left[best * left.size() / begin], left, cloud.one_sided), 0};
    for (const Vec3& n : left) d.share += cosine(n, d.normal) > std::cos(cone) ? 1 / all : 0;
    if (d.share < least_share) break;
    directions.push_back(d);
    std::erase_if(left, [&](const Vec3& n) { return cosine(n, d.normal) > std::cos(2 * cone); });
  }
  std::stable_sort(directions.begin(), directions.end(),
                   [](const Direction& a, const Direction& b) { return a.share > b.share; });
  return directions;
}

std::vector<Mat3> rotations_between(std::span<const Direction> source, std::span<const Direction> target,
                                    bool one_sided, int dimension, std::size_t most) {
  std::vector<WeighedRotation> all;
  const auto add = [&](const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, double weight) {
    if (std::fabs(angle_between(a, b) - angle_between(c, d)) > alike) return;
    all.push_back({frame_of(c, d) * transpose(frame_of(a, b)), weight});
  };
  const Vec3 up{0, 0, 1};
  const double sides[2] = {1, -1};
  const int last_side = one_sided ? 1 : 2;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const Vec3& a = source[i].normal;
    for (std::size_t j = dimension == 2 ? i : i + 1; j < (dimension == 2 ? i + 1 : source.size()); ++j) {
      const Vec3 b = dimension == 2 ? up : source[j].normal;
      const double apart = angle_between(a, b);
      if (apart < least_apart || apart > 3.14159265358979 - least_apart) continue;
      for (std::size_t k = 0; k < target.size(); ++k) {
        for (std::size_t l = 0; l < (dimension == 2 ? 1 : target.size()); ++l) {
          if (dimension == 3 && l == k) continue;
          const Vec3 d = dimension == 2 ? up : target[l].normal;
          const double weight = std::min(source[i].share, source[j].share) *
                                std::min(target[k].share, dimension == 2 ? 1.0 : target[l].share);
          for (int s = 0; s < last_side; ++s) {
            for (int t = 0; t < (dimension == 2 ? 1 : last_side); ++t) {
              add(a, b, sides[s] * target[k].normal, sides[t] * d, weight);
            }
          }
        }
      }
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const WeighedRotation& x, const WeighedRotation& y) { return x.weight > y.weight; });
  std::vector<Mat3> rotations;
  for (const WeighedRotation& r : all) {
    if (rotations.size() >= most) break;
    const bool is_new = std::none_of(rotations.begin(), rotations.end(), [&](const Mat3& kept) {
      return rotation_angle(r.rotation * transpose(kept)) < same_rotation;
    });
    if (is_new) rotations.push_back(r.rotation);
  }
  return rotations;
}

std::vector<Similarity3> direction_starts(const FacingPoints& source, const FacingPoints& target,
                                          const DirectionStarts& settings) {
  const std::vector<Direction> from = dominant_directions(source), onto = dominant_directions(target);
  const std::vector<Mat3> rotations =
      rotations_between(from, onto, source.one_sided, source.dimension, settings.rotations);
  std::vector<std::vector<Vec3>> shifts(rotations.size());
  parallel_for(rotations.size(), 1, [&](std::size_t i) {
    shifts[i] = voted_shifts(rotations[i], source, target, {settings.cell, settings.shifts});
  });
  std::vector<Similarity3> poses;
  for (std::size_t i = 0; i < rotations.size(); ++i) {
    for (const Vec3& shift : shifts[i]) poses.push_back({rotations[i], shift, 1.0});
  }
  return poses;
}

}  // namespace dovetail
