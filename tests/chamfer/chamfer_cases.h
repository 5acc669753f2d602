// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "backend/backend.h"
#include "core/random.h"
#include "dovetail/dovetail.h"
#include "prepare/field_plan.h"
#include "support/machines.h"

namespace dovetail::test {

/// A point on a bumpy closed surface about the origin, of radius about 1.
inline Vec3 on_bump(RandomStream& random) {
  const Vec3 u = random.unit_vector();
  return (1 + 0.25 * u[0] * u[1] + 0.15 * std::sin(3 * u[2]) + 0.1 * u[0]) * u;
}

/// Points of a curve in the plane, or of the surface.
template <int D>
PointCloud reference_points(std::size_t count, std::uint64_t seed) {
  PointCloud cloud;
  cloud.dimension = D;
  for (std::size_t i = 0; i < count; ++i) {
    RandomStream random(seed, i);
    if constexpr (D == 2) {
      const double a = random.uniform(0, 6.283185307179586), r = 1 + 0.3 * std::cos(2 * a) + 0.2 * std::sin(3 * a);
      cloud.positions.push_back({r * std::cos(a), r * std::sin(a), 0});
    } else {
      cloud.positions.push_back(on_bump(random));
    }
  }
  return cloud;
}

/// A field of such points, dense or banded, on a machine that keeps it in host memory too.
template <int D>
DistanceField case_field(FieldStorage storage, Machine machine = Machine::cpu) {
  FieldOptions options;
  options.cell = D == 2 ? 0.01 : 0.04;
  options.storage = storage;
  return build_field(reference_points<D>(D == 2 ? 6000 : 40000, 5), options, on(machine));
}

/// Observed points: most of them near the reference, some far out, some not there.
template <int D>
std::vector<float> case_points(std::size_t count, std::uint64_t seed) {
  const PointCloud cloud = reference_points<D>(count, seed);
  std::vector<float> points;
  for (std::size_t i = 0; i < count; ++i) {
    RandomStream random(seed + 1, i);
    const bool far = i % 11 == 3, none = i % 17 == 5;
    for (int a = 0; a < D; ++a) {
      const double p = cloud.positions[i][a] + (far ? random.uniform(-3, 3) : 0.02 * random.normal());
      points.push_back(none && a == 1 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(p));
    }
  }
  return points;
}

/// A transform of the model, not far from the identity.
template <class Typed>
typename Typed::Homogeneous case_transform(double size) {
  typename Typed::Tangent t{};
  for (int a = 0; a < Typed::degrees_of_freedom; ++a) t[a] = size * std::sin(2.3 * a + 0.7);
  return Typed::exp(t).matrix();
}

}  // namespace dovetail::test
