// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose_scenes.h"

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "dovetail/rotation.h"
#include "pose/edge_image.h"

namespace dovetail::bench {
namespace {

constexpr double radius = 50, rod = 12;  // mm: of the ball about a T-piece, of its rods
constexpr float nothing = pose::SceneWindow::nothing;

struct Rod {
  Vec3 from, to;
};

std::vector<Rod> tee(const Mat3& rotation, const Vec3& center) {
  constexpr double reach = radius - rod - 2;
  return {{center + rotation * Vec3{-reach, 0, 0}, center + rotation * Vec3{reach, 0, 0}},
          {center, center + rotation * Vec3{0, reach, 0}}};
}

/// Nearest depth of a rod with round ends along z at (x, y), and |cos| of normal and view; `nothing` beside it.
struct Hit {
  double depth = static_cast<double>(nothing), cosine = 0;
};
Hit hit(const Rod& r, double x, double y) {
  Hit best;
  const auto take = [&](double z, const Vec3& middle) {
    if (z >= best.depth) return;
    best = {z, std::fabs(z - middle[2]) / rod};
  };
  for (const Vec3& end : {r.from, r.to}) {
    const double inside = rod * rod - (x - end[0]) * (x - end[0]) - (y - end[1]) * (y - end[1]);
    if (inside >= 0) take(end[2] - std::sqrt(inside), end);
  }
  const Vec3 along = (1 / norm(r.to - r.from)) * (r.to - r.from);
  // |p - (p·a) a|² = rod² for p = (x, y, z) - from: a quadratic in z.
  const double px = x - r.from[0], py = y - r.from[1];
  const double flat = px * along[0] + py * along[1], a = 1 - along[2] * along[2];
  if (a < 1e-9) return best;
  const double b = -flat * along[2], c = px * px + py * py - flat * flat - rod * rod;
  const double inside = b * b - a * c;
  if (inside < 0) return best;
  const double z = (-b - std::sqrt(inside)) / a, at = flat + z * along[2];
  if (at >= 0 && at <= norm(r.to - r.from)) take(z + r.from[2], r.from + at * along);
  return best;
}

Mat3 turn(RandomStream& random) { return exp_so3(random.uniform(0, 3.14159) * random.unit_vector()); }

}  // namespace

TeeReferences::TeeReferences(int references, int image_size, std::uint64_t seed) {
  part_.name = "tee";
  part_.radius = radius;
  part_.image_size = image_size;
  part_.pixel = 2 * radius / (image_size - 2);
  part_.distance_step = 0.125;
  part_.distance_limit = image_size / 4.0;
  part_.edge_step = 0.04 * image_size * part_.pixel;
  const auto size = static_cast<std::size_t>(image_size);
  RandomStream random(seed, 1);
  for (int r = 0; r < references; ++r) {
    const Mat3 rotation = turn(random);
    const auto q = quaternion_from_matrix(rotation);
    PoseReference reference{};
    for (int i = 0; i < 4; ++i) reference.orientation[i] = q[i];
    const std::vector<Rod> rods = tee(rotation, {});
    std::vector<float> depth(size * size, 0.0f), cosine(size * size, 0.0f);
    for (std::size_t i = 0; i < depth.size(); ++i) {
      const double x = (static_cast<double>(i % size) + 0.5 - 0.5 * image_size) * part_.pixel;
      const double y = (static_cast<double>(i / size) + 0.5 - 0.5 * image_size) * part_.pixel;
      Hit nearest;
      for (const Rod& rod_of : rods) {
        if (const Hit h = hit(rod_of, x, y); h.depth < nearest.depth) nearest = h;
      }
      if (nearest.depth >= radius) continue;
      depth[i] = static_cast<float>(nearest.depth + 2 * radius);  // more than 0
      cosine[i] = static_cast<float>(nearest.cosine);
      ++reference.pixels;
    }
    const auto distance = pose::edge_distance(depth, pose::depth_edges(depth, image_size, image_size, part_.edge_step),
                                              image_size, image_size, part_.distance_limit);
    for (std::size_t i = 0; i < depth.size(); ++i) {
      ReferencePixel p{};
      if (depth[i] > 0) {
        const double share = 0.5 * ((static_cast<double>(depth[i]) - 2 * radius) / radius + 1);
        p.depth = static_cast<std::uint16_t>(1 + std::lround(65534 * std::clamp(share, 0.0, 1.0)));
        p.confidence = static_cast<std::uint8_t>(std::clamp(255 * cosine[i], 1.0f, 255.0f));
      }
      p.distance = static_cast<std::int8_t>(std::clamp(distance[i] * 8, -127.0f, 127.0f));
      pixels_.push_back(p);
    }
    references_.push_back(reference);
  }
  part_.references = references_;
  part_.pixels = pixels_;
}

pose::SceneWindow heap_window(const PoseReferences& part, std::uint64_t seed) {
  pose::SceneWindow window;
  window.size = 2 * part.image_size;
  window.pixel = part.pixel;
  RandomStream random(seed, 2);
  std::vector<Rod> rods = tee(turn(random), {0, 0, 0});
  for (int i = 0; i < 24; ++i) {
    const Vec3 center{random.uniform(-2, 2) * radius, random.uniform(-2, 2) * radius, random.uniform(0.8, 2) * radius};
    for (const Rod& r : tee(turn(random), center)) rods.push_back(r);
  }
  constexpr double floor = 2.5 * radius;
  const auto size = static_cast<std::size_t>(window.size);
  const double top = hit(rods[0], 0, 0).depth;  // the place: on the piece on top
  window.depth.assign(size * size, nothing);
  std::vector<float> filled(size * size, 0.0f);
  for (std::size_t i = 0; i < window.depth.size(); ++i) {
    const double x = (static_cast<double>(i % size) + 0.5 - 0.5 * window.size) * part.pixel;
    const double y = (static_cast<double>(i / size) + 0.5 - 0.5 * window.size) * part.pixel;
    double nearest = floor;
    for (const Rod& r : rods) nearest = std::min(nearest, hit(r, x, y).depth);
    if (random.uniform() < 0.02) continue;  // a hole
    window.depth[i] = static_cast<float>(nearest - top + 0.002 * radius * random.normal());
    filled[i] = window.depth[i] + static_cast<float>(10 * radius);
  }
  window.distance = pose::edge_distance(filled, pose::depth_edges(filled, window.size, window.size, part.edge_step),
                                        window.size, window.size, part.distance_limit);
  return window;
}

}  // namespace dovetail::bench
