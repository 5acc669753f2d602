// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/problem.h"

namespace dovetail {

namespace {

const float* data_or_null(const std::vector<float>& values) { return values.empty() ? nullptr : values.data(); }

}  // namespace

LevelView Level::view() const {
  LevelView v;
  v.x = data_or_null(source.x);
  v.y = data_or_null(source.y);
  v.z = data_or_null(source.z);
  v.nx = data_or_null(source.nx);
  v.ny = data_or_null(source.ny);
  v.nz = data_or_null(source.nz);
  v.weight = data_or_null(source.weight);
  v.count = static_cast<std::uint32_t>(source.x.size());
  v.target = target.view();
  v.target_nx = data_or_null(target_nx);
  v.target_ny = data_or_null(target_ny);
  v.target_nz = data_or_null(target_nz);
  v.source_clusters = source_clusters.view(source_tree.view());
  v.target_clusters = target_clusters.view(target.view());
  return v;
}

ProblemView Problem::view() const {
  ProblemView v;
  v.levels = static_cast<int>(levels.size());
  for (std::size_t i = 0; i < levels.size(); ++i) v.level[i] = levels[i].view();
  return v;
}

}  // namespace dovetail
