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
  void run(Batch<icp::PointToPoint>& batch) override;
  void run(Batch<icp::PointToPlane>& batch) override;
  void run(Batch<icp::PlaneToPlane>& batch) override;
  void run(Batch<soft::Soft>& batch) override;
  void run(Batch<Evaluation>& batch) override;

 private:
  std::vector<ProblemView> problems_;
};

}  // namespace dovetail
