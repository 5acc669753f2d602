// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "chamfer/road_scene.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/random.h"
#include "spatial/kd_search.h"

namespace dovetail::test {

namespace {

struct Segment {
  Vec3 from, along;
  double length;
};

/// A random transform of the model about the data's middle, within the settings' ranges.
Transform random_transform(const DetectionSettings& s, const Vec3& centre, double radius, RandomStream& random) {
  const auto within = [&](double range) { return random.uniform(-range, range); };
  Projective2::Tangent t{};
  t[0] = within(s.rotation * std::numbers::pi / 180);
  t[1] = within(s.shift);
  t[2] = within(s.shift);
  const double scale = within(std::log1p(s.scale)), a = within(s.stretch), b = within(s.stretch);
  const double p = within(s.perspective / radius), q = within(s.perspective / radius);
  if (s.model >= ChamferModel::similarity) t[3] = scale;
  if (s.model >= ChamferModel::affine) t[4] = a, t[5] = b;
  if (s.model >= ChamferModel::projective) t[6] = p, t[7] = q;
  // The shift is the data's: turn about its centre first.
  const Affine2 to{Mat2::identity(), {-centre[0], -centre[1]}}, back{Mat2::identity(), {centre[0], centre[1]}};
  Projective2::Tangent still = t;
  still[1] = still[2] = 0;
  const Affine2 shift{Mat2::identity(), {t[1], t[2]}};
  const Projective2 map = Projective2::from(shift * back) * Projective2::exp(still) * Projective2::from(to);
  const auto model = static_cast<Model>(static_cast<int>(s.model));
  return {model, Transform(map).matrix};
}

}  // namespace

double Detections::error_of(const Transform& estimate) const {
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < on_road.size(); ++i) {
    if (!on_road[i]) continue;
    const double off = distance_between(estimate, target_from_source, observed.positions[i]);
    sum += off * off;
    count += 1;
  }
  return std::sqrt(sum / count);
}

Detections detect(const Reference& roads, const DetectionSettings& s) {
  RandomStream random(s.seed, 7);
  const std::vector<Vec3>& p = roads.points.positions;
  std::vector<Segment> segments;
  std::vector<double> upto;
  double total = 0;
  Vec3 low = p.front(), high = p.front();
  for (const Vec3& q : p) {
    for (int a = 0; a < 2; ++a) low[a] = std::min(low[a], q[a]), high[a] = std::max(high[a], q[a]);
  }
  for (std::size_t line = 0; line < roads.lines.size(); ++line) {
    const bool empty = random.uniform() < s.empty_roads;
    for (std::uint32_t i = roads.lines.start[line] + 1; i < roads.lines.start[line + 1] && !empty; ++i) {
      const Vec3 from = p[roads.lines.index[i - 1]], along = p[roads.lines.index[i]] - from;
      segments.push_back({from, along, norm(along)});
      upto.push_back(total += segments.back().length);
    }
  }
  const PointCloud sampled = sample_reference(roads, 2.0);
  std::vector<Vec3f> near;
  const Vec3 middle = 0.5 * (low + high);
  for (const Vec3& q : sampled.positions) near.push_back((q - middle).cast<float>());
  const KdTree tree(near);

  Detections d;
  std::vector<Vec3> places;
  for (std::size_t i = 0; i < s.count; ++i) {
    if (random.uniform() < s.clutter) {
      for (;;) {
        const Vec3 q{random.uniform(low[0], high[0]), random.uniform(low[1], high[1]), 0};
        const Vec3f at = (q - middle).cast<float>();
        const float clear = static_cast<float>(s.clearance + 1);  // samples are up to a metre from the foot
        if (nearest(tree.view(), at[0], at[1], 0.0f, clear * clear).found()) continue;
        places.push_back(q);
        break;
      }
      d.on_road.push_back(false);
    } else {
      const double at = random.uniform() * total;
      const auto k = static_cast<std::size_t>(std::lower_bound(upto.begin(), upto.end(), at) - upto.begin());
      const Segment& segment = segments[std::min(k, segments.size() - 1)];
      const Vec3 noise{s.noise * random.normal(), s.noise * random.normal(), 0};
      places.push_back(segment.from + random.uniform() * segment.along + noise);
      d.on_road.push_back(true);
    }
  }
  Vec3 centre{};
  for (const Vec3& q : places) centre += (1.0 / static_cast<double>(places.size())) * q;
  double squares = 0;
  for (const Vec3& q : places) squares += squared_norm(q - centre);
  d.target_from_source = random_transform(s, centre, std::sqrt(squares / static_cast<double>(places.size())), random);
  const Transform source_from_target = d.target_from_source.inverse();
  d.observed.dimension = 2;
  for (const Vec3& q : places) d.observed.positions.push_back(source_from_target * q);
  return d;
}

Reference made_up_roads(std::uint64_t seed) {
  RandomStream random(seed, 3);
  Reference roads;
  roads.points.dimension = 2;
  const auto add_line = [&](const std::vector<Vec3>& line) {
    for (const Vec3& q : line) {
      roads.lines.index.push_back(static_cast<std::uint32_t>(roads.points.positions.size()));
      roads.points.positions.push_back(q);
    }
    roads.lines.start.push_back(static_cast<std::uint32_t>(roads.lines.index.size()));
  };
  for (int i = 0; i < 60; ++i) {
    Vec3 at{random.uniform(-1000, 1000), random.uniform(-1000, 1000), 0};
    double heading = random.uniform(0, 2 * std::numbers::pi);
    std::vector<Vec3> line{at};
    const double bend = random.uniform(-0.15, 0.15);
    for (int k = 0; k < 20; ++k) {
      at += Vec3{30 * std::cos(heading), 30 * std::sin(heading), 0};
      heading += bend + random.uniform(-0.1, 0.1);
      line.push_back(at);
    }
    add_line(line);
  }
  return roads;
}

}  // namespace dovetail::test
