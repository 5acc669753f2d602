// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "api/build_problem.h"
#include "backend/reference/reference_backend.h"
#include "core/random.h"
#include "support/shapes.h"

namespace dovetail::test {

/// Positive weights for `count` points, every seventh of them zero.
inline std::vector<double> some_weights(std::size_t count) {
  std::vector<double> weights(count);
  for (std::size_t i = 0; i < count; ++i) weights[i] = i % 7 == 3 ? 0.0 : RandomStream(77, i).uniform(0.1, 2.0);
  return weights;
}

/// Two clouds of one level with all normals, ready for a pass. Missing normals come from the oracle, so that every
/// machine is given the same.
inline Problem one_level_problem(const PointCloud& source, const PointCloud& target, bool weighted) {
  Run run;
  if (weighted) run.weights = some_weights(source.size());
  ReferenceBackend backend;
  const Prepared prepared = prepare_clouds(source, target, run);
  const double full_resolution[] = {0.0};
  return build_problem(prepared, full_resolution, {true, true, 12}, backend);
}

/// Source and target are two samplings of one surface.
inline Problem bumpy_problem(std::size_t source_points, std::size_t target_points, bool weighted) {
  return one_level_problem(bumpy_surface_with_normals(source_points, 3), bumpy_surface_with_normals(target_points, 4),
                           weighted);
}

}  // namespace dovetail::test
