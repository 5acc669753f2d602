// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "backend/cuda/check.h"
#include "backend/cuda/memory.h"

namespace dovetail::cuda {

/// What a loop needs besides its data: scratch in the device's memory, and a little host memory that the device
/// reads and writes while it runs. Scratch is taken before a loop and reused by the next; nothing allocates inside a
/// loop.
class Workspace {
 public:
  /// On the current device.
  Workspace();
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  const std::shared_ptr<DeviceMemory>& memory() const { return memory_; }
  cudaStream_t stream() const { return memory_->stream(); }
  int multiprocessors() const { return multiprocessors_; }

  /// Gives all scratch back, to be taken anew.
  void reset() { taken_ = 0; }
  /// Uninitialised room for `count` values, until the next reset().
  template <class T>
  T* take(std::size_t count) {
    return reinterpret_cast<T*>(take_bytes(count * sizeof(T)));
  }

  /// Host memory to upload from, until the next call.
  std::byte* stage(std::size_t bytes);

  /// A word the host may set while a loop runs: why to stop.
  int* request_word() { return reinterpret_cast<int*>(mapped_); }
  const int* request_word_on_device() const { return reinterpret_cast<const int*>(mapped_on_device_); }

  /// Where a loop shows the host how it stands.
  static constexpr std::size_t shown_bytes = 4096 - 64;
  void* shown() { return mapped_ + 64; }
  void* shown_on_device() { return mapped_on_device_ + 64; }

 private:
  std::byte* take_bytes(std::size_t bytes);

  struct Scratch {
    std::byte* room = nullptr;
    std::size_t bytes = 0;
    Keeper keeper;
  };
  std::shared_ptr<DeviceMemory> memory_ = std::make_shared<DeviceMemory>();
  std::vector<Scratch> scratch_;
  std::size_t taken_ = 0;
  int multiprocessors_ = 0;
  std::byte *mapped_ = nullptr, *mapped_on_device_ = nullptr;
  std::byte* staged_ = nullptr;
  std::size_t staged_bytes_ = 0;
};

}  // namespace dovetail::cuda
