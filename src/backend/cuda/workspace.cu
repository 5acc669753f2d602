// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cuda/workspace.h"

namespace dovetail::cuda {

Workspace::Workspace() {
  int device = 0;
  check_cuda(cudaGetDevice(&device), "CUDA: asking for the current device");
  check_cuda(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, device),
             "CUDA: asking for the number of multiprocessors");
  void* word = nullptr;
  check_cuda(cudaHostAlloc(&word, sizeof(int), cudaHostAllocMapped), "CUDA: allocating a word of mapped host memory");
  request_ = static_cast<int*>(word);
  *request_ = 0;
  void* on_device = nullptr;
  check_cuda(cudaHostGetDevicePointer(&on_device, word, 0), "CUDA: mapping host memory");
  request_on_device_ = static_cast<const int*>(on_device);
}

Workspace::~Workspace() { cudaFreeHost(request_); }

std::byte* Workspace::take_bytes(std::size_t bytes) {
  if (taken_ == scratch_.size()) scratch_.emplace_back();
  DeviceBuffer<std::byte>& buffer = scratch_[taken_++];
  if (buffer.size() < bytes) buffer = DeviceBuffer<std::byte>(bytes, stream());
  return buffer.data();
}

}  // namespace dovetail::cuda
