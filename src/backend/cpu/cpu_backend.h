// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <vector>

#include "backend/backend.h"
#include "backend/host_loop.h"

namespace dovetail {

/// All cores through TBB, vector instructions through Highway. Work is dealt out in whole blocks; the bits of a result
/// do not depend on the number of threads.
class CpuBackend final : public Backend {
 public:
  /// `threads` 0 means all.
  explicit CpuBackend(int threads);

  std::string name() const override { return "cpu"; }
  std::string arithmetic() const override;
  void on_host(const std::function<void()>& work) override { arena_.execute(work); }
  void estimate_normals(const KdTree& tree, const NormalSettings& settings, const NormalArrays& out) override;
  void place(std::span<const Problem> problems) override;
  void run(Batch<icp::PointToPoint>& batch) override;
  void run(Batch<icp::PointToPlane>& batch) override;
  void run(Batch<icp::PlaneToPlane>& batch) override;
  void run(Batch<Evaluation>& batch) override;

 private:
  template <Method M, class Pass>
  void loop(Batch<M>& batch, const Pass& pass) {
    const auto deal = [](std::size_t count, const auto& f) {
      tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, 1), [&](const auto& range) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) f(i);
      });
    };
    arena_.execute([&] { run_host_loop(batch, problems_, deal, pass); });
  }

  tbb::task_arena arena_;
  std::vector<ProblemView> problems_;
};

}  // namespace dovetail
