// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cuda_runtime_api.h>

#include <unordered_set>

#include "backend/memory.h"

namespace dovetail::cuda {

/// The memory of a GPU, in the order of a stream of its own. What is given back is kept for the next who asks.
class DeviceMemory final : public Memory {
 public:
  /// On the current device.
  DeviceMemory();
  ~DeviceMemory() override;

  bool is_host() const override { return false; }
  cudaStream_t stream() const { return stream_; }

 protected:
  void* take(std::size_t bytes) override;
  void give_back(void* room) override;
  void upload(void* to, const void* from, std::size_t bytes) override;
  void download(void* to, const void* from, std::size_t bytes) override;

 private:
  int device_ = 0;
  cudaStream_t stream_ = nullptr;
  cudaMemPool_t pool_ = nullptr;
  std::mutex mutex_;  ///< a keeper may end on another thread
  std::unordered_set<void*> taken_;
};

}  // namespace dovetail::cuda
