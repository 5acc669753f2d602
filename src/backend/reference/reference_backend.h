// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "backend/host_backend.h"
#include "backend/reference/every_point.h"

namespace dovetail {

/// The oracle: every operation as its definition says it, one thread, brute-force search, double arithmetic.
class ReferenceBackend final : public HostBackend<ReferenceBackend> {
 public:
  ReferenceBackend();

  std::string name() const override { return "reference"; }
  std::string arithmetic() const override { return "scalar"; }

  template <Method M>
  void loop(Batch<M>& batch, BlockPass<M> pass) {
    run_host_loop(batch, one_by_one, pass);
  }

 private:
  // What it runs, each in the file of its name.
  void add_icp();
  void add_soft();
  void add_chamfer();
  void add_chamfer_lines();
  void add_distance_field();
  void add_rasterise();
  void add_rough_pose();
  void add_fine_pose();
};

}  // namespace dovetail
