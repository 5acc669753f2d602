// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cuda/cuda_backend.h"

#include "backend/cuda/cuda_backend_impl.cuh"
#include "backend/cuda/normals.h"

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

CudaBackend::CudaBackend(int device) {
  const auto devices = cuda_devices();
  if (devices.empty()) throw MachineError("machine cuda: no GPU can be used: " + cuda_unavailable_reason());
  if (device < 0 || device >= static_cast<int>(devices.size())) {
    throw MachineError("machine cuda:" + std::to_string(device) + ": there is no such GPU; there are " +
                       std::to_string(devices.size()) + ", counted from 0");
  }
  const DeviceScope scope(device);
  impl_ = std::make_unique<Impl>(device);
  const CudaDevice& chosen = devices[static_cast<std::size_t>(device)];
  impl_->device_name = chosen.name + " sm_" + std::to_string(chosen.major) + std::to_string(chosen.minor);
}

CudaBackend::~CudaBackend() = default;

std::string CudaBackend::name() const { return "cuda:" + std::to_string(impl_->device); }
std::string CudaBackend::arithmetic() const { return impl_->device_name; }

void CudaBackend::estimate_normals(const KdTree& tree, const NormalSettings& settings, const NormalArrays& out) {
  estimate_normals_cuda(tree, settings, impl_->device, out);
}

void CudaBackend::place(std::span<const Problem> problems) {
  const DeviceScope scope(impl_->device);
  const cudaStream_t stream = impl_->workspace.stream();
  impl_->problems.clear();
  impl_->views.clear();
  for (const Problem& problem : problems) {
    impl_->views.push_back(impl_->problems.emplace_back(problem, stream).view());
  }
  impl_->device_views = DeviceBuffer<ProblemView>(std::span<const ProblemView>(impl_->views), stream);
  check_cuda(cudaStreamSynchronize(stream), "CUDA: uploading a problem");
}

}  // namespace dovetail
