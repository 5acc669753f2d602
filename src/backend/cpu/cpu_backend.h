// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "backend/host_backend.h"
#include "spatial/parallel.h"

namespace dovetail {

/// All cores through TBB, vector instructions through Highway. Work is dealt out in whole blocks; the bits of a result
/// do not depend on the number of threads.
class CpuBackend final : public HostBackend<CpuBackend> {
 public:
  /// `threads` 0 means all.
  explicit CpuBackend(int threads);

  std::string name() const override { return "cpu"; }
  std::string arithmetic() const override;
  void on_host(const std::function<void()>& work) override { threads_.execute(work); }

  template <Method M>
  void loop(Batch<M>& batch, BlockPass<M> pass) {
    const auto deal = [](std::size_t count, const auto& f) { parallel_for(count, 1, [&](std::size_t i) { f(i); }); };
    threads_.execute([&] { run_host_loop(batch, deal, pass); });
  }

 private:
  // What it runs, each in the file of its name.
  void add_icp();
  void add_soft();
  void add_placements();
  void add_chamfer();
  void add_chamfer_lines();
  void add_distance_field();
  void add_rasterise();
  void add_rough_pose();
  void add_fine_pose();

  Threads threads_;
};

}  // namespace dovetail
