// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <unordered_set>

#include "backend/cuda/stream.h"
#include "backend/memory.h"

namespace dovetail::cuda {

/// The memory of a GPU, in the order of a stream. What is given back is kept for the next who asks.
class DeviceMemory final : public Memory {
 public:
  DeviceMemory(int device, std::shared_ptr<const Stream> stream);
  ~DeviceMemory() override;

  bool is_host() const override { return false; }

 protected:
  void* take(std::size_t bytes) override;
  void give_back(void* room) override;
  void upload(void* to, const void* from, std::size_t bytes) override;
  void download(void* to, const void* from, std::size_t bytes) override;

 private:
  int device_;
  std::shared_ptr<const Stream> stream_;
  cudaMemPool_t pool_ = nullptr;
  std::mutex mutex_;  ///< a keeper may end on another thread
  std::unordered_set<void*> taken_;
};

}  // namespace dovetail::cuda
