// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "dovetail/host_device.h"
#include "dovetail/transform.h"

namespace dovetail {

/// A pose as a pass uses it: in float, which for local coordinates costs at most 1e-7 of the extent.
struct FloatPose {
  float linear[9];  ///< rotation × scale
  float shift[3];
  float turn[9];  ///< rotation alone, for normals

  FloatPose() = default;
  DOVETAIL_HD explicit FloatPose(const Similarity3& pose) {
    for (int i = 0; i < 9; ++i) {
      linear[i] = static_cast<float>(pose.scale * pose.rotation[i]);
      turn[i] = static_cast<float>(pose.rotation[i]);
    }
    for (int i = 0; i < 3; ++i) shift[i] = static_cast<float>(pose.translation[i]);
  }

  DOVETAIL_HD void apply(float x, float y, float z, float* out) const {
    for (int i = 0; i < 3; ++i) {
      out[i] = linear[3 * i] * x + linear[3 * i + 1] * y + linear[3 * i + 2] * z + shift[i];
    }
  }
  DOVETAIL_HD void rotate(float x, float y, float z, float* out) const {
    for (int i = 0; i < 3; ++i) out[i] = turn[3 * i] * x + turn[3 * i + 1] * y + turn[3 * i + 2] * z;
  }
};

}  // namespace dovetail
