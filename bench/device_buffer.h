// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

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

/// An array in the memory of the current device, uninitialised, taken and given back in the order of a stream.
/// The stream must outlive it. Copies are in the order of the stream too: synchronise before reading a download, and
/// keep the source of an upload until then.
template <class T>
class DeviceBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  DeviceBuffer() = default;
  DeviceBuffer(std::size_t size, cudaStream_t stream) : size_(size), stream_(stream) {
    if (size == 0) return;
    const cudaError_t status = cudaMallocAsync(reinterpret_cast<void**>(&data_), size * sizeof(T), stream);
    if (status != cudaSuccess) {
      check_cuda(status, "CUDA: allocating " + std::to_string(size * sizeof(T)) + " bytes of device memory");
    }
  }
  DeviceBuffer(std::span<const T> values, cudaStream_t stream) : DeviceBuffer(values.size(), stream) { upload(values); }
  ~DeviceBuffer() {
    if (data_ != nullptr) cudaFreeAsync(data_, stream_);
  }

  DeviceBuffer(DeviceBuffer&& other) noexcept { swap(other); }
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    DeviceBuffer taken(std::move(other));
    swap(taken);
    return *this;
  }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }

  /// To and from the start of the buffer; at most size() values.
  void upload(std::span<const T> values) {
    copy(data_, values.data(), values.size(), cudaMemcpyHostToDevice, "uploading");
  }
  void download(std::span<T> values) const {
    copy(values.data(), data_, values.size(), cudaMemcpyDeviceToHost, "downloading");
  }
  void fill_bytes(int byte) {
    if (size_ > 0) check_cuda(cudaMemsetAsync(data_, byte, size_ * sizeof(T), stream_), "CUDA: filling device memory");
  }

 private:
  void copy(void* to, const void* from, std::size_t count, cudaMemcpyKind kind, const char* verb) const {
    if (count > size_) throw MachineError("CUDA: a copy is larger than its device buffer");
    if (count == 0) return;
    const cudaError_t status = cudaMemcpyAsync(to, from, count * sizeof(T), kind, stream_);
    if (status != cudaSuccess) {
      check_cuda(status, std::string("CUDA: ") + verb + ' ' + std::to_string(count * sizeof(T)) + " bytes");
    }
  }
  void swap(DeviceBuffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(stream_, other.stream_);
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  cudaStream_t stream_ = nullptr;
};

}  // namespace dovetail
