// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "backend/backend.h"
#include "backend/host_loop.h"
#include "spatial/parallel.h"

namespace dovetail {

/// All cores through TBB, vector instructions through Highway. Work is dealt out in whole blocks; the bits of a result
/// do not depend on the number of threads.
class CpuBackend final : public Backend {
 public:
  /// `threads` 0 means all.
  explicit CpuBackend(int threads);

  std::string name() const override { return "cpu"; }
  std::string arithmetic() const override;
  void on_host(const std::function<void()>& work) override { threads_.execute(work); }
  void estimate_normals(const KdTree& tree, const NormalSettings& settings, const NormalArrays& out) override;
  void place(std::span<const Problem> problems) override;
  void build_field(FieldData& field, std::span<const std::vector<std::uint64_t>> keys, bool on_host) override;
  void place(const ObservedView& observed, const FieldData& field) override;
  void place(const LineIndex& lines) override;
  std::vector<SampleMiss> misses(const Matrix<double, 3, 3>& target_from_source, std::uint32_t level) override;
  std::vector<SampleMiss> misses(const Matrix<double, 4, 4>& target_from_source, std::uint32_t level) override;
  LineCounts count(const LineCounting& counting) override;
  void run(Batch<icp::PointToPoint>& batch) override;
  void run(Batch<icp::PointToPlane>& batch) override;
  void run(Batch<icp::PlaneToPlane>& batch) override;
  void run(Batch<soft::Soft>& batch) override;
  void run(Batch<Evaluation>& batch) override;
#define DOVETAIL_RUN(M) void run(Batch<M>& batch) override;
  DOVETAIL_CHAMFER_METHODS(DOVETAIL_RUN)
  DOVETAIL_LINE_METHODS(DOVETAIL_RUN)
#undef DOVETAIL_RUN

 private:
  template <Method M, class Pass>
  void loop(Batch<M>& batch, const Pass& pass) {
    const auto deal = [](std::size_t count, const auto& f) { parallel_for(count, 1, [&](std::size_t i) { f(i); }); };
    threads_.execute([&] { run_host_loop(batch, problems_, deal, pass); });
  }

  Threads threads_;
  std::vector<ProblemView> problems_;
  HostObserved observed_;
};

}  // namespace dovetail
