// SPDX-License-Identifier: MIT
// Part of Dovetail.

// No include guard and no namespace: chamfer_look.h includes this for scalars, and each machine that computes with
// vectors includes it once for every instruction set, inside that instruction set's namespace.
// `Real` is float or a vector of floats; terms are float, sums are double. Equation numbers: docs/methods/chamfer.md.

/// An observed point, moved, and the reference point its cell names.
template <class Real, int D>
struct Look {
  Real moved[D];   ///< y = T p
  Real site[D];    ///< q
  Real normal[D];  ///< n, of the line or surface q lies on; zero where it stands alone
  Real slack;      ///< how far from q that line or surface goes on; zero where q stands alone
  Real found;      ///< 1, or 0 where the cell names none
  Real weight;     ///< of the observed point
};

/// From the line or surface through q, or from q itself where it stands alone (2): along the surface a residual counts
/// from where the slack ends.
template <class Real, int D>
struct Residual {
  Real r[D];
  Real squared;
  Real along;  ///< χ: how much of a motion along the surface changes r

  DOVETAIL_HD explicit Residual(const Look<Real, D>& look) {
    const Real zero = Real(0.0f), one = Real(1.0f);
    Real across = zero, tangent[D], tangent_squared = zero;
    for (int i = 0; i < D; ++i) {
      r[i] = look.moved[i] - look.site[i];
      across = across + r[i] * look.normal[i];
    }
    for (int i = 0; i < D; ++i) {
      tangent[i] = r[i] - across * look.normal[i];
      tangent_squared = tangent_squared + tangent[i] * tangent[i];
    }
    const Real length = square_root(tangent_squared);
    const Real beyond = choose(length > look.slack, (length - look.slack) / length, zero);
    along = choose(look.slack > zero, beyond, one);
    squared = zero;
    for (int i = 0; i < D; ++i) {
      r[i] = across * look.normal[i] + along * tangent[i];
      squared = squared + r[i] * r[i];
    }
  }
};

/// What the bounded cost says of a point (3): ρ in units of cap², ρ's derivative k, and the slope of the pull k r.
template <class Real>
struct Judged {
  Real cost, weight, slope;

  template <int D>
  DOVETAIL_HD Judged(const Look<Real, D>& look, Real squared, const LookSettings& settings) {
    const Real one = Real(1.0f), zero = Real(0.0f);
    const Real ratio = squared * Real(settings.per_cap_squared);
    const Real t = choose(look.found > zero, choose(ratio < one, ratio, one), one);
    const Real left = one - t, inside = choose(left > zero, look.weight, zero);
    cost = look.weight * t * (one - t * (one - Real(1.0f / 3.0f) * t));
    weight = inside * left * left;
    slope = inside * left * (one - Real(5.0f) * t);
  }
};

/// The Jacobian of the model at the moved point, in the step frame (5).
template <class Typed, class Real>
struct Jacobian {
  static constexpr int D = Typed::dimension, dof = Typed::degrees_of_freedom;
  Real u[D];
  Real j[D][dof];  ///< set where the terms say that it is used

  DOVETAIL_HD Jacobian(const Real* moved, const LookSettings& settings) {
    constexpr chamfer::JacobianTerms<Typed> terms = chamfer::JacobianTerms<Typed>::of_model();
    static_assert(terms.single);
    Real phi[chamfer::JacobianTerms<Typed>::monomials];
    for (int i = 0; i < D; ++i) u[i] = (moved[i] - Real(settings.centre[i])) * Real(settings.per_radius);
    phi[0] = Real(1.0f);
    for (int i = 0; i < D; ++i) phi[1 + i] = u[i];
    if constexpr (D == 2) phi[3] = u[0] * u[0], phi[4] = u[0] * u[1], phi[5] = u[1] * u[1];
    // An entry has one summand at most: it is a coordinate of u, a product of two, or one, perhaps negative.
    DOVETAIL_UNROLL
    for (int s = 0; s < terms.count; ++s) {
      j[terms.term[s].row][terms.term[s].parameter] =
          Real(static_cast<float>(terms.term[s].factor)) * phi[terms.term[s].monomial];
    }
  }

  /// Jᵀ v.
  DOVETAIL_HD void transposed(const Real* v, Real* out) const {
    constexpr chamfer::JacobianTerms<Typed> terms = chamfer::JacobianTerms<Typed>::of_model();
    DOVETAIL_UNROLL
    for (int a = 0; a < dof; ++a) {
      bool begun = false;
      DOVETAIL_UNROLL
      for (int i = 0; i < D; ++i) {
        if (!terms.used[i][a]) continue;
        out[a] = begun ? out[a] + j[i][a] * v[i] : j[i][a] * v[i];
        begun = true;
      }
    }
  }
};

/// Adds the terms of a point in the order of `Sums`: cost, weights, gradient, Hessian (4).
template <class Typed, class Real, class Add>
DOVETAIL_HD inline void look_terms(const Look<Real, Typed::dimension>& look, const LookSettings& settings,
                                   const Add& add) {
  constexpr int D = Typed::dimension, dof = Typed::degrees_of_freedom;
  const Residual<Real, D> residual(look);
  const Judged<Real> judged(look, residual.squared, settings);
  const Real k = judged.weight, zero = Real(0.0f), used = choose(k > zero, look.weight, zero);
  add(0, judged.cost);
  add(1, look.weight);
  add(2, used);
  add(3, used * residual.squared);
  if (settings.cost_only) return;
  add(4, k);
  const Jacobian<Typed, Real> jacobian(look.moved, settings);
  Real pull[D], v[dof];
  for (int i = 0; i < D; ++i) pull[i] = k * residual.r[i];
  jacobian.transposed(pull, v);
  for (int a = 0; a < dof; ++a) add(5 + a, v[a]);
  // W = n nᵀ + χ (1 − n nᵀ) = (1 − χ) n nᵀ + χ, where χ is mostly zero: far along a surface, or no surface at all.
  jacobian.transposed(look.normal, v);
  const Real across = k * (Real(1.0f) - residual.along), along = k * residual.along;
  int n = 5 + dof;
  DOVETAIL_UNROLL
  for (int a = 0; a < dof; ++a) {
    const Real row = across * v[a];
    DOVETAIL_UNROLL
    for (int b = a; b < dof; ++b) add(n++, row * v[b]);
  }
  if (!any(along > zero)) return;
  constexpr chamfer::JacobianTerms<Typed> terms = chamfer::JacobianTerms<Typed>::of_model();
  n = 5 + dof;
  DOVETAIL_UNROLL
  for (int a = 0; a < dof; ++a) {
    DOVETAIL_UNROLL
    for (int b = a; b < dof; ++b, ++n) {
      DOVETAIL_UNROLL
      for (int i = 0; i < D; ++i) {
        if (terms.used[i][a] && terms.used[i][b]) add(n, along * jacobian.j[i][a] * jacobian.j[i][b]);
      }
    }
  }
}

/// Adds the terms of a point in the order of `ScatterSums`: how the pulls scatter (9).
template <class Typed, class Real, class Add>
DOVETAIL_HD inline void scatter_terms(const Look<Real, Typed::dimension>& look, const LookSettings& settings,
                                      const Add& add) {
  constexpr int D = Typed::dimension, dof = Typed::degrees_of_freedom;
  const Residual<Real, D> residual(look);
  const Judged<Real> judged(look, residual.squared, settings);
  Real pull[D], v[dof];
  for (int i = 0; i < D; ++i) pull[i] = judged.weight * residual.r[i];
  Jacobian<Typed, Real>(look.moved, settings).transposed(pull, v);
  add(0, judged.weight);
  add(1, judged.slope);
  int n = 2;
  DOVETAIL_UNROLL
  for (int a = 0; a < dof; ++a) {
    DOVETAIL_UNROLL
    for (int b = a; b < dof; ++b) add(n++, v[a] * v[b]);
  }
}

/// An observed point, moved among lines that points are expected on (11).
template <class Real>
struct LineLook {
  Real moved[2];  ///< y = T p
  Real pull[2];   ///< the gradient of the cost in y
  Real cost;      ///< -log(1 + density of the lines' points / density of strays)
  Real share;     ///< how probable it is that the point belongs to a line
  Real squared;   ///< the squared distance to expect to that line
  Real weight;    ///< of the observed point
};

/// Adds the terms of a point among lines in the order of `Sums` (12): pulls, and their outer products for a Hessian.
template <class Typed, class Real, class Settings, class Add>
DOVETAIL_HD inline void line_terms(const LineLook<Real>& look, const Settings& settings, const Add& add) {
  constexpr int dof = Typed::degrees_of_freedom;
  const Real belongs = look.weight * look.share;
  add(0, look.weight * look.cost);
  add(1, look.weight);
  add(2, belongs);
  add(3, belongs * look.squared);
  if (settings.cost_only) return;
  add(4, belongs * Real(settings.per_spread * settings.per_spread));
  const Jacobian<Typed, Real> jacobian(look.moved, settings);
  Real v[dof];
  jacobian.transposed(look.pull, v);
  // Points that a motion spreads are less dense where they lie: the determinant's derivative.
  constexpr chamfer::Divergence<Typed> spreads = chamfer::Divergence<Typed>::of_model();
  const Real share = look.share * Real(settings.per_radius);
  DOVETAIL_UNROLL
  for (int a = 0; a < dof; ++a) {
    if (spreads.constant[a] > 0.0 || spreads.constant[a] < 0.0) {
      v[a] = v[a] - share * Real(static_cast<float>(spreads.constant[a]));
    }
    DOVETAIL_UNROLL
    for (int i = 0; i < 2; ++i) {
      if (!(spreads.slope[a][i] > 0.0 || spreads.slope[a][i] < 0.0)) continue;
      v[a] = v[a] - share * Real(static_cast<float>(spreads.slope[a][i])) * jacobian.u[i];
    }
  }
  DOVETAIL_UNROLL
  for (int a = 0; a < dof; ++a) add(5 + a, look.weight * v[a]);
  int n = 5 + dof;
  const Real stiff = look.weight * Real(settings.stiffness);
  DOVETAIL_UNROLL
  for (int a = 0; a < dof; ++a) {
    const Real row = stiff * v[a];
    DOVETAIL_UNROLL
    for (int b = a; b < dof; ++b) add(n++, row * v[b]);
  }
}
