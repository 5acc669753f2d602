// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstddef>
#include <vector>

#include "backend/cuda/device_buffer.h"
#include "backend/cuda/stream.h"

namespace dovetail::cuda {

/// What a loop needs besides the problem: a stream, scratch memory on the device, and a word of host memory the device
/// can read while it runs. Scratch is taken before a loop and reused by the next; nothing allocates inside a loop.
class Workspace {
 public:
  /// On the current device.
  Workspace();
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  cudaStream_t stream() const { return stream_.get(); }
  int multiprocessors() const { return multiprocessors_; }

  /// Gives all scratch back, to be taken anew.
  void reset() { taken_ = 0; }
  /// Uninitialised room for `count` values, until the next reset().
  template <class T>
  T* take(std::size_t count) {
    return reinterpret_cast<T*>(take_bytes(count * sizeof(T)));
  }

  /// A word the host may set while a loop runs: why to stop.
  int* request_word() { return request_; }
  const int* request_word_on_device() const { return request_on_device_; }

 private:
  std::byte* take_bytes(std::size_t bytes);

  Stream stream_;
  std::vector<DeviceBuffer<std::byte>> scratch_;
  std::size_t taken_ = 0;
  int multiprocessors_ = 0;
  int* request_ = nullptr;
  const int* request_on_device_ = nullptr;
};

}  // namespace dovetail::cuda
