// SPDX-License-Identifier: MIT
// Part of Dovetail.

// The Gaussian sum of a cluster from its moments, (8) of docs/methods/em_icp.md, written once: `Real` is a float, a
// double, or a vector of floats with the operators + and *, made from a float by Real(float). Included into the
// namespace of whoever computes, once for each instruction set.

// Every index is then known when compiling, and the array of polynomials lies in registers.
// nvcc's passes over host code warn about either word, and clang where its sanitizers leave nothing to unroll.
#if !defined(DOVETAIL_UNROLL) && defined(__CUDA_ARCH__)
#define DOVETAIL_UNROLL _Pragma("unroll")
#elif !defined(DOVETAIL_UNROLL) && (defined(__CUDACC__) || defined(__clang__))
#define DOVETAIL_UNROLL
#elif !defined(DOVETAIL_UNROLL)
#define DOVETAIL_UNROLL _Pragma("GCC unroll 16")
#endif

/// With weights e_j = exp(−|y − x_j|² / σ²) over the points x_j of a cluster and E = exp(−|y − centre|² / σ²):
/// sum e_j = E × weight, sum e_j (x_j − y) = −E σ² / (2 radius) × slope.
template <class Real>
struct ClusterSum {
  Real weight;
  Real slope[3];
};

/// u = (y − centre) / σ, `ratio` = radius / σ, P the degree of the expansion (even, up to expansion_degree).
template <int P, class Real>
DOVETAIL_HD inline ClusterSum<Real> cluster_sum(const float* moments, const Real& ux, const Real& uy, const Real& uz,
                                                float ratio) {
  // Hermite polynomials times ratio^n: H(n + 1) = 2 u H(n) − 2 n H(n − 1).
  Real h[3][P + 2];
  const Real* u[3] = {&ux, &uy, &uz};
  DOVETAIL_UNROLL
  for (int axis = 0; axis < 3; ++axis) {
    const Real twice = *u[axis] * Real(2.0f * ratio);
    h[axis][0] = Real(1.0f);
    h[axis][1] = twice;
    DOVETAIL_UNROLL
    for (int n = 1; n <= P; ++n) {
      h[axis][n + 1] = twice * h[axis][n] + Real(-2.0f * static_cast<float>(n) * ratio * ratio) * h[axis][n - 1];
    }
  }
  ClusterSum<Real> sum{Real(0.0f), {Real(0.0f), Real(0.0f), Real(0.0f)}};
  DOVETAIL_UNROLL
  for (int a = 0; a <= P; ++a) {
    Real plain = Real(0.0f), along_y = Real(0.0f), along_z = Real(0.0f);
    DOVETAIL_UNROLL
    for (int b = 0; b <= P - a; ++b) {
      Real inner = Real(0.0f), inner_z = Real(0.0f);
      DOVETAIL_UNROLL
      for (int c = 0; c <= P - a - b; ++c) {
        const Real moment = Real(moments[moment_index(a, b, c)]);
        inner = inner + moment * h[2][c];
        inner_z = inner_z + moment * h[2][c + 1];
      }
      plain = plain + inner * h[1][b];
      along_y = along_y + inner * h[1][b + 1];
      along_z = along_z + inner_z * h[1][b];
    }
    sum.weight = sum.weight + plain * h[0][a];
    sum.slope[0] = sum.slope[0] + plain * h[0][a + 1];
    sum.slope[1] = sum.slope[1] + along_y * h[0][a];
    sum.slope[2] = sum.slope[2] + along_z * h[0][a];
  }
  return sum;
}
