// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <vector>

#include "dovetail/chamfer.h"
#include "dovetail/transform.h"
#include "methods/chamfer.h"
#include "prepare/field_data.h"

namespace dovetail {

/// Between files and local frames: local = (p − origin) × scale on both sides.
template <int D>
struct ChamferFrames {
  Vector<double, D> source_origin{}, target_origin{};
  double scale = 1;

  Homogeneous<D> to_local(const Transform& t) const;
  Transform from_local(const Homogeneous<D>& t, Model model) const;
};

/// The observed points as a whole, from a sample: the middle of them and how far they reach, strays left out. Local.
template <int D>
struct Ball {
  Vector<double, D> centre{};
  double radius = 0;  ///< root mean square distance from the centre
};
template <int D>
Ball<D> ball_around(const std::vector<Vector<double, D>>& points);

/// What a run does, in local units.
struct ChamferPlan {
  double shift = 0, rotation = 0, log_scale = 0;  ///< either way, about each given start
  int starts = 1;
  double cap_start = 0, cap_search = 0;  ///< of the search: annealed from one to the other
  double least_cap = 0;                  ///< of the polish
  double cap_end = 0;                    ///< as asked for; 0: from the residuals
};

template <int D>
ChamferPlan make_chamfer_plan(const Chamfer& options, const FieldData& field, const Ball<D>& moved);

/// How far apart two transforms put the observed points, in the root mean square: probed on their sphere.
template <int D>
double displacement(const Homogeneous<D>& a, const Homogeneous<D>& b, const Ball<D>& observed);

/// The model of a dimension.
constexpr Model model_of(ChamferModel model, int dimension) {
  return static_cast<Model>(static_cast<int>(model) + (dimension == 3 ? static_cast<int>(Model::rigid3) : 0));
}

}  // namespace dovetail
