// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "backend/cuda/device_buffer.h"
#include "backend/observed.h"

namespace dovetail::cuda {

/// A buffer that only grows: kept from run to run.
template <class T>
class KeptBuffer {
 public:
  T* room(std::size_t count, cudaStream_t stream) {
    if (count > buffer_.size()) {
      buffer_ = {};  // first, or both would be held
      buffer_ = DeviceBuffer<T>(count, stream);
    }
    return buffer_.data();
  }
  T* upload(std::span<const T> values, cudaStream_t stream) {
    room(values.size(), stream);
    if (!values.empty()) buffer_.upload(values);
    return buffer_.data();
  }

 private:
  DeviceBuffer<T> buffer_;
};

/// A field in the memory of the device.
struct DeviceField {
  struct Level {
    DeviceBuffer<Site> sites;
    DeviceBuffer<std::uint32_t> nearest, tile_slot;
    FieldView view;  ///< points to device memory; itself host memory
  };
  std::uint64_t id = 0;
  std::vector<Level> levels;
};

/// Lines in the memory of the device.
struct DeviceLines {
  KeptBuffer<std::uint32_t> start;
  KeptBuffer<PeopledSegment> segments;
};

/// Observed points in the memory of the device.
struct DeviceObserved {
  KeptBuffer<float> raw, raw_weight;
  KeptBuffer<std::uint32_t> sample;
  struct Points {
    KeptBuffer<float> x, y, z, weight;
  } of_sample, of_all;
};

}  // namespace dovetail::cuda
