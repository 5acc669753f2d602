// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cuda/memory.h"

#include "backend/cuda/check.h"

namespace dovetail::cuda {

DeviceMemory::DeviceMemory() {
  check_cuda(cudaGetDevice(&device_), "CUDA: asking for the current device");
  check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "CUDA: creating a stream");
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = device_;
  check_cuda(cudaMemPoolCreate(&pool_, &properties), "CUDA: making a memory pool");
  std::uint64_t keep_everything = ~std::uint64_t{0};
  check_cuda(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &keep_everything),
             "CUDA: setting up a memory pool");
}

DeviceMemory::~DeviceMemory() {
  const DeviceScope scope(device_);
  for (void* room : taken_) cudaFreeAsync(room, stream_);
  cudaStreamSynchronize(stream_);
  cudaMemPoolDestroy(pool_);
  cudaStreamDestroy(stream_);
}

void* DeviceMemory::take(std::size_t bytes) {
  const DeviceScope scope(device_);
  void* room = nullptr;
  const cudaError_t status = cudaMallocFromPoolAsync(&room, bytes, pool_, stream_);
  if (status != cudaSuccess) {
    check_cuda(status, "CUDA: allocating " + std::to_string(bytes) + " bytes of device memory");
  }
  const std::lock_guard lock(mutex_);
  taken_.insert(room);
  return room;
}

void DeviceMemory::give_back(void* room) {
  const std::lock_guard lock(mutex_);
  taken_.erase(room);
  cudaFreeAsync(room, stream_);
}

void DeviceMemory::upload(void* to, const void* from, std::size_t bytes) {
  const DeviceScope scope(device_);
  check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_), "CUDA: uploading");
}

void DeviceMemory::download(void* to, const void* from, std::size_t bytes) {
  const DeviceScope scope(device_);
  check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream_), "CUDA: downloading");
  check_cuda(cudaStreamSynchronize(stream_), "CUDA: waiting for a stream");
}

}  // namespace dovetail::cuda
