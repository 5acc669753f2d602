// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cmath>

#include "dovetail/host_device.h"
#include "dovetail/models.h"
#include "methods/chamfer_model.h"

#if defined(__CUDA_ARCH__)
#define DOVETAIL_UNROLL _Pragma("unroll")
#elif defined(__CUDACC__) || defined(__clang__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define DOVETAIL_UNROLL  // these do not know the pragma, warn where they do not follow it, or take minutes over it
#else
#define DOVETAIL_UNROLL _Pragma("GCC unroll 128")
#endif

// What one observed point gives to the sums of chamfer alignment, written once for all machines in chamfer_terms.inl.

namespace dovetail::chamfer {

/// The numbers a pass needs besides the transform, in local units.
struct LookSettings {
  float per_cap_squared = 1;    ///< 1 / cap²
  float centre[3] = {0, 0, 0};  ///< of the step frame
  float per_radius = 1;
  bool cost_only = false;  ///< no derivatives are wanted

  template <int D>
  DOVETAIL_HD void set(double cap, const StepFrame<D>& frame) {
    const float c = static_cast<float>(cap);
    per_cap_squared = 1.0f / (c * c);
    for (int i = 0; i < D; ++i) centre[i] = static_cast<float>(frame.centre[i]);
    per_radius = 1.0f / static_cast<float>(frame.radius);
  }
};

DOVETAIL_HD inline float choose(bool condition, float yes, float no) { return condition ? yes : no; }
DOVETAIL_HD inline float square_root(float x) { return sqrtf(x); }
DOVETAIL_HD inline bool any(bool condition) { return condition; }

#include "methods/chamfer_terms.inl"

/// A transform as a pass uses it: in float.
template <int D, bool Projective>
struct FloatMap {
  static constexpr int rows = D + (Projective ? 1 : 0);
  float m[rows][D + 1];

  FloatMap() = default;
  DOVETAIL_HD explicit FloatMap(const Matrix<double, D + 1, D + 1>& t) {
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j <= D; ++j) m[i][j] = static_cast<float>(t(i, j));
    }
  }
  /// False where the point goes to infinity or behind it.
  DOVETAIL_HD bool apply(const float* p, float* out) const {
    for (int i = 0; i < D; ++i) {
      out[i] = m[i][D];
      for (int j = 0; j < D; ++j) out[i] += m[i][j] * p[j];
    }
    if constexpr (Projective) {
      const float w = depth(p);
      if (!(w > least_depth)) return false;
      for (int i = 0; i < D; ++i) out[i] /= w;
    }
    return true;
  }
  /// What the image is divided by.
  DOVETAIL_HD float depth(const float* p) const {
    if constexpr (Projective) {
      return m[D][D] + m[D][0] * p[0] + m[D][1] * p[1];
    } else {
      return 1.0f;
    }
  }
  /// The image of the origin has depth 1.
  static constexpr float least_depth = 0.05f;
};

}  // namespace dovetail::chamfer
