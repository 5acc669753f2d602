// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "dovetail/error.h"

namespace dovetail {

/// Throws MachineError when a CUDA call failed: what was being done, and CUDA's own words.
inline void check_cuda(cudaError_t status, const std::string& doing) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // so that the failure is not told again by a later, innocent call
  throw MachineError(doing + ": " + cudaGetErrorString(status));
}

/// Cheap on the good path: no string is made for it.
inline void check_cuda(cudaError_t status, const char* doing) {
  if (status != cudaSuccess) check_cuda(status, std::string(doing));
}

/// The device a thread works on, put back at the end.
class DeviceScope {
 public:
  explicit DeviceScope(int device) {
    check_cuda(cudaGetDevice(&previous_), "CUDA: asking for the current device");
    const cudaError_t status = cudaSetDevice(device);
    if (status != cudaSuccess) check_cuda(status, "CUDA: choosing device " + std::to_string(device));
  }
  ~DeviceScope() { cudaSetDevice(previous_); }
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  int previous_ = 0;
};

}  // namespace dovetail
