// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "chamfer/road_scene.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/ldlt.h"
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
  std::vector<bool> busy;
  Vec3 low = p.front(), high = p.front();
  for (const Vec3& q : p) {
    for (int a = 0; a < 2; ++a) low[a] = std::min(low[a], q[a]), high[a] = std::max(high[a], q[a]);
  }
  for (std::size_t line = 0; line < roads.lines.size(); ++line) {
    const bool empty = random.uniform() < s.empty_roads;
    busy.push_back(!empty);
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
  d.busy = busy;
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

double least_error(const Reference& roads, const DetectionSettings& s, const Detections& d) {
  const std::vector<Vec3>& p = roads.points.positions;
  std::vector<Segment> segments;
  double total = 0;
  Vec3 low = p.front(), high = p.front();
  for (std::size_t line = 0; line < roads.lines.size(); ++line) {
    for (std::uint32_t i = roads.lines.start[line] + 1; i < roads.lines.start[line + 1]; ++i) {
      const Vec3 from = p[roads.lines.index[i - 1]], along = p[roads.lines.index[i]] - from;
      for (int a = 0; a < 2; ++a) low[a] = std::min(low[a], from[a]), high[a] = std::max(high[a], from[a]);
      const double length = norm(along);
      if (!d.busy[line] || !(length > 0)) continue;
      segments.push_back({from, (1 / length) * along, length});
      total += length;
    }
  }
  const double radius = 0.5 * norm(high - low), clutter = s.clutter / ((high[0] - low[0]) * (high[1] - low[1]));
  const Vec3 middle = 0.5 * (low + high);
  constexpr int most = Projective2::degrees_of_freedom, dofs[] = {3, 4, 6, 8};
  const int dof = dofs[static_cast<int>(s.model)];
  Symmetric<double, most> information{}, motion{};
  const auto bell = [&](double x) {
    return std::exp(-0.5 * x * x / (s.noise * s.noise)) / (s.noise * std::sqrt(2 * std::numbers::pi));
  };
  const auto below = [&](double x) { return 0.5 * std::erfc(-x / (s.noise * std::numbers::sqrt2)); };
  double count = 0;
  for (std::size_t i = 0; i < d.on_road.size(); ++i) {
    const Vec3 y = d.target_from_source * d.observed.positions[i];
    double density = 0, slope[2] = {0, 0};
    for (const Segment& g : segments) {
      const Vec3 off = y - g.from;
      const double along = off[0] * g.along[0] + off[1] * g.along[1],
                   across = off[1] * g.along[0] - off[0] * g.along[1];
      if (std::fabs(across) > 8 * s.noise || along < -8 * s.noise || along > g.length + 8 * s.noise) continue;
      const double inside = below(along) - below(along - g.length), edge = bell(along) - bell(along - g.length);
      const double share = (1 - s.clutter) / total, by_across = -across / (s.noise * s.noise) * bell(across) * inside;
      density += share * bell(across) * inside;
      slope[0] += share * (bell(across) * edge * g.along[0] - by_across * g.along[1]);
      slope[1] += share * (bell(across) * edge * g.along[1] + by_across * g.along[0]);
    }
    const auto j = Projective2::action_jacobian({(y[0] - middle[0]) / radius, (y[1] - middle[1]) / radius});
    Vector<double, most> pull{}, dx{}, dy{};
    for (int a = 0; a < dof; ++a) {
      pull[a] = radius * (j(0, a) * slope[0] + j(1, a) * slope[1]) / (density + clutter);
      dx[a] = radius * j(0, a);
      dy[a] = radius * j(1, a);
    }
    information.add_outer(1.0, pull);
    if (!d.on_road[i]) continue;
    motion.add_outer(1.0, dx);
    motion.add_outer(1.0, dy);
    count += 1;
  }
  for (int a = dof; a < most; ++a) information(a, a) = 1;  // what the model does not have stays where it is
  const Matrix<double, most, most> error = ldlt(information).inverse().to_matrix() * motion.to_matrix();
  double squares = 0;
  for (int a = 0; a < dof; ++a) squares += error(a, a);
  return std::sqrt(squares / count);
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

Reference street_grid(std::uint32_t side) {
  Reference roads;
  roads.points.dimension = 2;
  for (std::uint32_t j = 0; j < side; ++j) {
    for (std::uint32_t i = 0; i < side; ++i) {
      roads.points.positions.push_back({110.0 * i + 9.0 * (i % 2), 140.0 * j + 13.0 * (j % 3), 0});
    }
  }
  const auto add_line = [&](const auto& vertex) {
    for (std::uint32_t i = 0; i < side; ++i) roads.lines.index.push_back(vertex(i));
    roads.lines.start.push_back(static_cast<std::uint32_t>(roads.lines.index.size()));
  };
  for (std::uint32_t j = 0; j < side; ++j) {
    add_line([&](std::uint32_t i) { return j * side + i; });
    add_line([&](std::uint32_t i) { return i * side + j; });
  }
  return roads;
}

}  // namespace dovetail::test
