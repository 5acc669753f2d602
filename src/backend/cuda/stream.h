// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cuda_runtime_api.h>

#include "backend/cuda/check.h"

namespace dovetail {

/// A stream of its own on the current device.
class Stream {
 public:
  Stream() { check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "CUDA: creating a stream"); }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  cudaStream_t get() const { return stream_; }
  void synchronize() const { check_cuda(cudaStreamSynchronize(stream_), "CUDA: waiting for a stream"); }

 private:
  cudaStream_t stream_ = nullptr;
};

}  // namespace dovetail
