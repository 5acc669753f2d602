// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "backend/backend.h"

namespace dovetail {

/// The oracle: every operation as its definition says it, one thread, brute-force search, double arithmetic.
class ReferenceBackend final : public Backend {
 public:
  std::string name() const override { return "reference"; }
  std::string arithmetic() const override { return "scalar"; }
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
  std::vector<ProblemView> problems_;
  HostObserved observed_;
};

}  // namespace dovetail
