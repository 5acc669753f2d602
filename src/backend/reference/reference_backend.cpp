// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/reference/reference_backend.h"

namespace dovetail {

ReferenceBackend::ReferenceBackend() {
  add_rows<EveryPoint>();  // misses have a pass of their own after it
  add_samples<EveryPoint>();
  add_icp();
  add_soft();
  add_chamfer();
  add_chamfer_lines();
  add_distance_field();
  add_rasterise();
  add_rough_pose();
  add_fine_pose();
}

}  // namespace dovetail
