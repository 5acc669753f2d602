// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "core/eigen_symmetric.h"
#include "spatial/kd_search.h"

namespace dovetail {

/// The normal of the line or surface that neighbours lie on; false where they do not: where their variance across it is
/// more than `flat` of the least one along it.
template <int D, class Neighbours>
bool flat_normal(const KdTreeView& tree, const Neighbours& near, double flat, Vector<double, D>& normal) {
  const auto point = [&](int i) {
    const TreePoint& p = tree.points[near[i].slot];
    const float c[3] = {p.x, p.y, p.z};
    Vector<double, D> v{};
    for (int a = 0; a < D; ++a) v[a] = double{c[a]};
    return v;
  };
  Vector<double, D> mean{};
  for (int i = 0; i < near.size(); ++i) mean += (1.0 / near.size()) * point(i);
  Symmetric<double, D> scatter{};
  for (int i = 0; i < near.size(); ++i) scatter.add_outer(1.0, point(i) - mean);
  const auto eigen = eigen_symmetric(scatter);
  if (!(eigen.values[0] <= flat * eigen.values[1])) return false;
  for (int a = 0; a < D; ++a) normal[a] = eigen.vectors(a, 0);
  return true;
}

}  // namespace dovetail
