// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "backend/reference/reference_backend.h"
#include "core/random.h"
#include "prepare/levels.h"
#include "support/shapes.h"

namespace dovetail::test {

/// Positive weights for `count` points, every seventh of them zero.
inline std::vector<double> some_weights(std::size_t count) {
  std::vector<double> weights(count);
  for (std::size_t i = 0; i < count; ++i) weights[i] = i % 7 == 3 ? 0.0 : RandomStream(77, i).uniform(0.1, 2.0);
  return weights;
}

/// Two clouds, and their one level on any machine. The clouds bring their normals, so that every machine has the same.
struct Problem {
  Prepared prepared;

  Level on(Backend& backend, const LevelNeeds& needs = {true, true, 12}) const {
    const double full_resolution[] = {0.0};
    return make_levels(prepared, full_resolution, needs, backend).front();
  }
};

inline Problem one_level_problem(const PointCloud& source, const PointCloud& target, bool weighted) {
  Run run;
  if (weighted) run.weights = some_weights(source.size());
  return {prepare_clouds(source, target, run)};
}

/// Source and target are two samplings of one surface.
inline Problem bumpy_problem(std::size_t source_points, std::size_t target_points, bool weighted) {
  return one_level_problem(bumpy_surface_with_normals(source_points, 3), bumpy_surface_with_normals(target_points, 4),
                           weighted);
}

}  // namespace dovetail::test
