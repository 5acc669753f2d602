// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cuda/workspace.h"

namespace dovetail::cuda {

Workspace::Workspace() {
  int device = 0;
  check_cuda(cudaGetDevice(&device), "CUDA: asking for the current device");
  check_cuda(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, device),
             "CUDA: asking for the number of multiprocessors");
  void *memory = nullptr, *on_device = nullptr;
  check_cuda(cudaHostAlloc(&memory, 64 + shown_bytes, cudaHostAllocMapped), "CUDA: allocating mapped host memory");
  mapped_ = static_cast<std::byte*>(memory);
  *request_word() = 0;
  check_cuda(cudaHostGetDevicePointer(&on_device, memory, 0), "CUDA: mapping host memory");
  mapped_on_device_ = static_cast<std::byte*>(on_device);
}

Workspace::~Workspace() {
  cudaFreeHost(mapped_);
  cudaFreeHost(staged_);
}

std::byte* Workspace::stage(std::size_t bytes) {
  if (bytes > staged_bytes_) {
    cudaFreeHost(staged_);
    staged_ = nullptr;
    staged_bytes_ = 0;
    void* memory = nullptr;
    check_cuda(cudaHostAlloc(&memory, 2 * bytes, cudaHostAllocDefault), "CUDA: allocating pinned host memory");
    staged_ = static_cast<std::byte*>(memory);
    staged_bytes_ = 2 * bytes;
  }
  return staged_;
}

std::byte* Workspace::take_bytes(std::size_t bytes) {
  if (taken_ == scratch_.size()) scratch_.emplace_back();
  Scratch& scratch = scratch_[taken_++];
  if (scratch.bytes < bytes) {
    scratch = {};
    scratch.room = memory_->room<std::byte>(bytes, scratch.keeper);
    scratch.bytes = bytes;
  }
  return scratch.room;
}

}  // namespace dovetail::cuda
