// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <deque>

#include "backend/cuda/cuda_backend.h"
#include "backend/cuda/device_field.h"
#include "backend/cuda/device_problem.h"
#include "backend/cuda/loop.cuh"
#include "backend/cuda/workspace.h"

namespace dovetail {

struct CudaBackend::Impl {
  explicit Impl(int which) : device(which) {}

  int device;
  std::string device_name;
  cuda::Workspace workspace;
  std::deque<cuda::DeviceProblem> problems;
  std::vector<ProblemView> views;
  DeviceBuffer<ProblemView> device_views;
  cuda::DeviceField field;  ///< the last one used stays
  cuda::DeviceObserved observed;
  cuda::DeviceLines lines;

  template <class Pass, Method M>
  void loop(Batch<M>& batch) {
    const DeviceScope scope(device);
    workspace.reset();
    cuda::run_loop<M, Pass>(batch, workspace, device_views.data(), views);
  }
};

}  // namespace dovetail
