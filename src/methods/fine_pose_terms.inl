// SPDX-License-Identifier: MIT
// Part of Dovetail.

// No include guard and no namespace: fine_pose.h includes this for scalars, and each machine that computes with vectors
// includes it once for every instruction set, inside that instruction set's namespace.
// `Real` is float or a vector of floats; terms are float, sums are double. Equation numbers: docs/methods/fine_pose.md.

/// A point of a part, and the plane of the pixel that it is seen at.
template <class Real>
struct PointOnPlane {
  Real arm[3];     ///< from the middle of the points, in the camera's frame
  Real off[3];     ///< from the measured point
  Real normal[3];  ///< of the plane; zero where there is none
};

template <class Real>
DOVETAIL_HD inline Real dot3(const Real* a, const Real* b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// What the point adds to the normal equations (2), (3), in the order of NormalEquations<6>.
template <class Real, class Add>
DOVETAIL_HD inline void plane_terms(const PointOnPlane<Real>& p, float inverse_gate, const Add& add) {
  const Real zero = Real(0.0f), one = Real(1.0f);
  const Real residual = dot3(p.normal, p.off);
  const Real share = residual * Real(inverse_gate), squared = share * share;
  const Real far = dot3(p.off, p.off) * Real(inverse_gate) * Real(inverse_gate);
  Real weight = choose(squared < one, (one - squared) * (one - squared), zero);
  weight = choose(far > Real(9.0f), zero, weight);
  weight = choose(dot3(p.normal, p.normal) > Real(0.25f), weight, zero);
  const Real row[6] = {p.arm[1] * p.normal[2] - p.arm[2] * p.normal[1],
                       p.arm[2] * p.normal[0] - p.arm[0] * p.normal[2],
                       p.arm[0] * p.normal[1] - p.arm[1] * p.normal[0],
                       p.normal[0],
                       p.normal[1],
                       p.normal[2]};
  int k = 0;
  for (int i = 0; i < 6; ++i) {
    const Real part = weight * row[i];
    for (int j = i; j < 6; ++j) add(k++, part * row[j]);
  }
  const Real pull = weight * residual;
  for (int i = 0; i < 6; ++i) add(k++, pull * row[i]);
  add(k++, pull * residual);
  add(k++, weight);
}
