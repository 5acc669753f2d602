// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cuda/cuda_backend.h"

#include "backend/cuda/cuda_backend_impl.cuh"

namespace dovetail {

std::vector<CudaDevice> cuda_devices() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    cudaGetLastError();
    return {};
  }
  std::vector<CudaDevice> devices;
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, i) != cudaSuccess) continue;
    devices.push_back({i, properties.name, properties.major, properties.minor, properties.totalGlobalMem});
  }
  return devices;
}

std::string cuda_unavailable_reason() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  cudaGetLastError();
  if (status != cudaSuccess) return cudaGetErrorString(status);
  return count == 0 ? "no CUDA device" : "";
}

namespace {

std::unique_ptr<CudaBackend::Impl> make_impl(int device) {
  const auto devices = cuda_devices();
  if (devices.empty()) throw MachineError("machine cuda: no GPU can be used: " + cuda_unavailable_reason());
  if (device < 0 || device >= static_cast<int>(devices.size())) {
    throw MachineError("machine cuda:" + std::to_string(device) + ": there is no such GPU; there are " +
                       std::to_string(devices.size()) + ", counted from 0");
  }
  const DeviceScope scope(device);
  auto impl = std::make_unique<CudaBackend::Impl>();
  const CudaDevice& chosen = devices[static_cast<std::size_t>(device)];
  impl->device = device;
  impl->device_name = chosen.name + " sm_" + std::to_string(chosen.major) + std::to_string(chosen.minor);
  return impl;
}

}  // namespace

CudaBackend::CudaBackend(int device) : CudaBackend(make_impl(device)) {}

CudaBackend::CudaBackend(std::unique_ptr<Impl> impl) : Backend(impl->workspace.memory()), impl_(std::move(impl)) {
  add_icp();
  add_soft();
  add_chamfer();
  add_chamfer_lines();
  add_distance_field();
  add_rasterise();
  add_rough_pose();
  add_fine_pose();
  add_rows();
  add_samples();
}

CudaBackend::~CudaBackend() = default;

std::string CudaBackend::name() const { return "cuda:" + std::to_string(impl_->device); }
std::string CudaBackend::arithmetic() const { return impl_->device_name; }

}  // namespace dovetail
