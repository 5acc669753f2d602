// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "backend/batch.h"
#include "backend/line_counts.h"
#include "backend/observed.h"
#include "backend/problem.h"
#include "methods/chamfer_methods.h"
#include "methods/evaluation.h"
#include "methods/icp.h"
#include "methods/soft.h"
#include "spatial/normal_from_neighbours.h"

namespace dovetail {

/// A machine: it holds problems and runs batches over them. Each method adds one `run`.
class Backend {
 public:
  virtual ~Backend() = default;

  /// As the result names it: "cpu", "cuda:0".
  virtual std::string name() const = 0;

  /// What "the same bits" holds for: the instruction set or device that does the arithmetic.
  virtual std::string arithmetic() const = 0;

  /// Runs preparation on the host, on as many threads as this machine may use.
  virtual void on_host(const std::function<void()>& work) { work(); }

  /// Normals of the tree's points, by tree slot.
  virtual void estimate_normals(const KdTree& tree, const NormalSettings& settings, const NormalArrays& out) = 0;

  /// Makes problems resident; `problems` must outlive the runs over them.
  virtual void place(std::span<const Problem> problems) = 0;

  /// Fills in what each cell of a field's levels is nearest to; `keys` are those of each level's seeds. A machine with
  /// memory of its own keeps the field there, and copies it to the host where that is asked for.
  virtual void build_field(FieldData& field, std::span<const std::vector<std::uint64_t>> keys, bool on_host) = 0;

  /// Makes observed points resident over a field, which must outlive the runs; see observed_level() for the levels.
  virtual void place(const ObservedView& observed, const FieldData& field) = 0;

  /// Makes lines resident beside the observed points placed last; `lines` must outlive the runs among them.
  virtual void place(const LineIndex& lines) = 0;

  /// Where a transform puts the sample's points, and by how much they miss the reference.
  virtual std::vector<SampleMiss> misses(const Matrix<double, 3, 3>& target_from_source, std::uint32_t level) = 0;
  virtual std::vector<SampleMiss> misses(const Matrix<double, 4, 4>& target_from_source, std::uint32_t level) = 0;

  /// Counts observed points along the lines placed last.
  virtual LineCounts count(const LineCounting& counting) = 0;

  /// The coordinates of the sample's points, point after point.
  virtual std::vector<float> read_sample(const ObservedView& observed);

  virtual void run(Batch<icp::PointToPoint>& batch) = 0;
  virtual void run(Batch<icp::PointToPlane>& batch) = 0;
  virtual void run(Batch<icp::PlaneToPlane>& batch) = 0;
  virtual void run(Batch<soft::Soft>& batch) = 0;
  virtual void run(Batch<Evaluation>& batch) = 0;
#define DOVETAIL_RUN(M) virtual void run(Batch<M>& batch) = 0;
  DOVETAIL_CHAMFER_METHODS(DOVETAIL_RUN)
  DOVETAIL_LINE_METHODS(DOVETAIL_RUN)
#undef DOVETAIL_RUN
};

}  // namespace dovetail
