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

/// An NVIDIA GPU. The loop of a method runs on it whole: no copy and no wait of the host per iteration.
class CudaBackend final : public Backend {
 public:
  /// Throws MachineError when the device is not there.
  explicit CudaBackend(int device);
  ~CudaBackend() override;

  std::string name() const override;
  std::string arithmetic() const override;

  struct Impl;  ///< keeps CUDA's headers out of this one

 private:
  explicit CudaBackend(std::unique_ptr<Impl> impl);

  template <template <class> class Pass, class... M>
  void add_passes(List<M...>);

  // What it runs, each in the file of its name.
  void add_icp();
  void add_soft();
  void add_chamfer();
  void add_chamfer_lines();
  void add_distance_field();
  void add_rasterise();
  void add_rough_pose();
  void add_fine_pose();
  void add_rows();
  void add_samples();

  std::unique_ptr<Impl> impl_;
};

}  // namespace dovetail
