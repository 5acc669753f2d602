// SPDX-License-Identifier: MIT
// Part of Dovetail.

// No include guard and no namespace: icp_pair.h includes this for scalars, and each machine that computes with vectors
// includes it once for every instruction set, inside that instruction set's namespace.
// `Real` is float or a vector of floats; terms are float, sums are double. Equation numbers: docs/methods/icp.md.

/// One source point and its nearest target point.
template <class Real>
struct Pair {
  Real source[3];         ///< p, source point in its own frame
  Real moved[3];          ///< T p
  Real target[3];         ///< q, nearest target point
  Real target_normal[3];  ///< n, at q
  Real source_normal[3];  ///< R m, the source's normal, turned into the target frame
  Real weight;            ///< of the source point; 0 when it has no counterpart
};

/// Weight of a residual, u = r²/s² (2).
template <class Real>
DOVETAIL_HD inline Real kernel_weight(Kernel kernel, Real u) {
  const Real one = Real(1.0f), zero = Real(0.0f);
  switch (kernel) {
    case Kernel::none:
      return one;
    case Kernel::huber:
      return choose(u > one, one / square_root(u), one);
    case Kernel::tukey:
      return choose(u < one, (one - u) * (one - u), zero);
    case Kernel::geman_mcclure:
      return one / ((one + u) * (one + u));
    case Kernel::truncated:
      return choose(u < one, one, zero);
  }
  return one;
}

template <class Real>
DOVETAIL_HD inline Real dot3(const Real* a, const Real* b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// The weight of a pair with a squared residual and a squared distance.
template <class Real>
DOVETAIL_HD inline Real weight_of(const Pair<Real>& pair, Real residual, Real distance, const PairSettings& settings) {
  const Real judged = settings.kernel_on_distance ? distance : residual;
  return pair.weight * kernel_weight(settings.kernel, judged * Real(settings.inverse_scale_squared));
}

/// The last terms of every metric, in the order of `Tally`.
template <class Real, class Add>
DOVETAIL_HD inline void tally_terms(const Pair<Real>& pair, Real squared_distance, int k, const Add& add) {
  const Real zero = Real(0.0f);
  add(k, pair.weight * squared_distance);
  add(k + 1, pair.weight);
  add(k + 2, choose(pair.weight > zero, Real(1.0f), zero));
}

/// Moments of the weighted pairs (3), in the order of `Moments`: Σw, Σwp, Σwq, Σw q pᵀ, Σw p pᵀ, Σw|q|².
template <class Real, class Add>
DOVETAIL_HD inline void point_to_point_terms(const Pair<Real>& pair, const PairSettings& settings, const Add& add) {
  Real d[3];
  for (int i = 0; i < 3; ++i) d[i] = pair.moved[i] - pair.target[i];
  const Real squared = dot3(d, d);
  const Real w = weight_of(pair, squared, squared, settings);
  int k = 0;
  add(k++, w);
  for (int i = 0; i < 3; ++i) add(k++, w * pair.source[i]);
  for (int i = 0; i < 3; ++i) add(k++, w * pair.target[i]);
  for (int i = 0; i < 3; ++i) {
    const Real wq = w * pair.target[i];
    for (int j = 0; j < 3; ++j) add(k++, wq * pair.source[j]);
  }
  for (int i = 0; i < 3; ++i) {
    const Real wp = w * pair.source[i];
    for (int j = i; j < 3; ++j) add(k++, wp * pair.source[j]);
  }
  add(k++, w * dot3(pair.target, pair.target));
  tally_terms(pair, squared, k, add);
}

/// Jacobian of nᵀ(T p − q) for a left perturbation (ω, v) about c (5): ((T p − c) × n, n).
template <class Real>
DOVETAIL_HD inline void row_of(const Real* arm, const Real* n, Real* row) {
  row[0] = arm[1] * n[2] - arm[2] * n[1];
  row[1] = arm[2] * n[0] - arm[0] * n[2];
  row[2] = arm[0] * n[1] - arm[1] * n[0];
  for (int i = 0; i < 3; ++i) row[3 + i] = n[i];
}

/// Normal equations of the weighted distances to the target's tangent planes (6).
template <class Real, class Add>
DOVETAIL_HD inline void point_to_plane_terms(const Pair<Real>& pair, const PairSettings& settings, const Add& add) {
  Real d[3], arm[3], row[6];
  for (int i = 0; i < 3; ++i) {
    d[i] = pair.moved[i] - pair.target[i];
    arm[i] = pair.moved[i] - Real(settings.center[i]);
  }
  row_of(arm, pair.target_normal, row);
  const Real r = dot3(d, pair.target_normal);
  const Real w = weight_of(pair, r * r, dot3(d, d), settings);
  int k = 0;
  for (int i = 0; i < 6; ++i) {
    const Real wj = w * row[i];
    for (int j = i; j < 6; ++j) add(k++, wj * row[j]);
  }
  for (int i = 0; i < 6; ++i) add(k++, w * row[i] * r);
  add(k++, w * r * r);
  add(k++, w);
  tally_terms(pair, dot3(d, d), k, add);
}

/// Normal equations of generalised ICP (7): distances weighed by M = (C_q + R C_p Rᵀ)⁻¹ with C = I − (1 − ε) n nᵀ.
template <class Real, class Add>
DOVETAIL_HD inline void plane_to_plane_terms(const Pair<Real>& pair, const PairSettings& settings, const Add& add) {
  Real d[3], arm[3];
  for (int i = 0; i < 3; ++i) {
    d[i] = pair.moved[i] - pair.target[i];
    arm[i] = pair.moved[i] - Real(settings.center[i]);
  }
  // C_q + R C_p Rᵀ = 2I − k(aaᵀ + bbᵀ) has the eigenvectors a + b, a − b and a × b: its inverse is
  // I/2 + f g gᵀ + h e eᵀ with g = a + b, e = a − b and the eigenvalues 2 − k(1 ± aᵀb).
  const Real* a = pair.target_normal;
  const Real* b0 = pair.source_normal;
  const Real keep = Real(1.0f - settings.flatness);
  const Real one = Real(1.0f), two = Real(2.0f), half = Real(0.5f), zero = Real(0.0f);
  const Real turn = choose(dot3(a, b0) < zero, zero - one, one);  // a normal's sign means nothing here
  Real g[3], e[3];
  for (int i = 0; i < 3; ++i) {
    g[i] = a[i] + turn * b0[i];
    e[i] = a[i] - turn * b0[i];
  }
  const Real gg = dot3(g, g), ee = dot3(e, e);  // 2(1 + c), 2(1 − c): no cancellation in 1 − c
  const Real along = keep * gg * half, across = keep * ee * half;
  // (1/λ − 1/2)/|g|² with λ = 2 − along simplifies to keep/(4(2 − along)), which needs no division by |g|².
  // Where one of the two normals is unknown (zero), 2I − k ggᵀ is left, and e adds nothing to it.
  const auto both_known = dot3(a, a) * dot3(b0, b0) > half;
  const Real f = keep / choose(both_known, Real(4.0f) * (two - along), two * (two - keep * gg));
  const Real h = choose(both_known, keep / (Real(4.0f) * (two - across)), zero);

  const Real gd = dot3(g, d), ed = dot3(e, d);
  Real md[3];
  for (int i = 0; i < 3; ++i) md[i] = half * d[i] + f * gd * g[i] + h * ed * e[i];
  const Real cost = dot3(d, md);
  // As a squared length along the normal, so that the kernel's scale means what it does for planes.
  const Real squared = cost * Real(2.0f * settings.flatness);
  const Real w = weight_of(pair, squared, dot3(d, d), settings);

  // JᵀMJ = half Σ_axis (row)(row)ᵀ + f (row g)(row g)ᵀ + h (row e)(row e)ᵀ.
  Real rows[5][6];
  for (int axis = 0; axis < 3; ++axis) {
    Real unit[3] = {zero, zero, zero};
    unit[axis] = one;
    row_of(arm, unit, rows[axis]);
  }
  row_of(arm, g, rows[3]);
  row_of(arm, e, rows[4]);
  const Real part[5] = {w * half, w * half, w * half, w * f, w * h};
  const Real residual[5] = {d[0], d[1], d[2], gd, ed};
  int k = 0;
  for (int i = 0; i < 6; ++i) {
    for (int j = i; j < 6; ++j) {
      Real sum = part[0] * rows[0][i] * rows[0][j];
      for (int m = 1; m < 5; ++m) sum = sum + part[m] * rows[m][i] * rows[m][j];
      add(k++, sum);
    }
  }
  for (int i = 0; i < 6; ++i) {
    Real sum = part[0] * rows[0][i] * residual[0];
    for (int m = 1; m < 5; ++m) sum = sum + part[m] * rows[m][i] * residual[m];
    add(k++, sum);
  }
  add(k++, w * cost);
  add(k++, w);
  tally_terms(pair, dot3(d, d), k, add);
}
