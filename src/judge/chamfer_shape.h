// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <span>

#include "search/chamfer_search.h"

namespace dovetail {

/// Whether most of a field's reference points stand alone: too far from each other, for its cells, to tell what surface
/// or line they lie on.
bool stands_alone(const FieldData& field);

/// How observed points are held by the surface or line that reference points lie on, though each point of it stands
/// alone: along it a point finds another one as near, wherever it goes. In the step frame, over the points given.
template <int L>
struct PointShape {
  Symmetric<double, L> hessian;    ///< as if no distance were too far to count
  Symmetric<double, L> curvature;  ///< of the bounded cost
  Symmetric<double, L> scatter;    ///< of the pulls
  double points = 0;
};

/// `points` are observed ones, local; `t` puts them onto the reference.
template <class Typed>
PointShape<Typed::degrees_of_freedom> shape_about(const ChamferContext<Typed::dimension>& context,
                                                  const Homogeneous<Typed::dimension>& t, double cap,
                                                  std::span<const Vector<double, Typed::dimension>> points);

}  // namespace dovetail
