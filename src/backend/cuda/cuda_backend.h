// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backend/backend.h"

namespace dovetail {

/// A GPU as `dovetail info` lists it.
struct CudaDevice {
  int index = 0;
  std::string name;
  int major = 0, minor = 0;  ///< compute capability
  std::size_t memory = 0;    ///< bytes
};

/// The GPUs that can be used now; empty where there is no GPU or no driver.
std::vector<CudaDevice> cuda_devices();

/// Why cuda_devices() is empty, in CUDA's words.
std::string cuda_unavailable_reason();

/// An NVIDIA GPU. The loop of a method runs on it whole: no copy and no wait of the host an iteration.
class CudaBackend final : public Backend {
 public:
  /// Throws MachineError when the device is not there.
  explicit CudaBackend(int device);
  ~CudaBackend() override;

  std::string name() const override;
  std::string arithmetic() const override;
  void estimate_normals(const KdTree& tree, const NormalSettings& settings, const NormalArrays& out) override;
  void place(std::span<const Problem> problems) override;
  void build_field(FieldData& field, std::span<const std::vector<std::uint64_t>> keys, bool on_host) override;
  void place(const ObservedView& observed, const FieldData& field) override;
  void place(const LineIndex& lines) override;
  std::vector<SampleMiss> misses(const Matrix<double, 3, 3>& target_from_source, std::uint32_t level) override;
  std::vector<SampleMiss> misses(const Matrix<double, 4, 4>& target_from_source, std::uint32_t level) override;
  LineCounts count(const LineCounting& counting) override;
  std::vector<float> read_sample(const ObservedView& observed) override;
  void run(Batch<icp::PointToPoint>& batch) override;
  void run(Batch<icp::PointToPlane>& batch) override;
  void run(Batch<icp::PlaneToPlane>& batch) override;
  void run(Batch<soft::Soft>& batch) override;
  void run(Batch<Evaluation>& batch) override;
#define DOVETAIL_RUN(M) void run(Batch<M>& batch) override;
  DOVETAIL_CHAMFER_METHODS(DOVETAIL_RUN)
  DOVETAIL_LINE_METHODS(DOVETAIL_RUN)
#undef DOVETAIL_RUN

  struct Impl;  ///< keeps CUDA's headers out of this one

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace dovetail
