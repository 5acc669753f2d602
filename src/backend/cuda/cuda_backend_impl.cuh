// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "backend/cuda/cuda_backend.h"
#include "backend/cuda/memory.h"
#include "backend/cuda/run_loop.cuh"

namespace dovetail {

struct CudaBackend::Impl {
  int device = 0;
  std::string device_name;
  cuda::Workspace workspace;

  /// Runs a batch by a pass.
  template <class Pass, Method M>
  void loop(Batch<M>& batch) {
    const DeviceScope scope(device);
    cuda::run_loop<M, Pass>(batch, workspace);
  }
};

/// Says that each of a list of methods has the pass `Pass<M>`.
template <template <class> class Pass, class... M>
void CudaBackend::add_passes(List<M...>) {
  (add<Batch<M>>([](Backend& self, void* batch) {
     static_cast<CudaBackend&>(self).impl_->loop<Pass<M>>(*static_cast<Batch<M>*>(batch));
   }),
   ...);
}

}  // namespace dovetail
