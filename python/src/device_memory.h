// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>

namespace dovetail::python {

/// Rows of numbers in a GPU's memory, as `__cuda_array_interface__` tells of them (CuPy, PyTorch, Numba, JAX).
struct DeviceArray {
  const void* data = nullptr;
  std::size_t rows = 0, columns = 0;
  std::size_t stride = 0;  ///< numbers from a row to the next
  bool is_double = false;
};

/// Reads the interface, and waits until what the array's owner has queued for it is done. Throws InvalidArgument that
/// names what is wrong with it, MachineError where this build has no CUDA.
DeviceArray device_array(const pybind11::object& object, const char* name);

}  // namespace dovetail::python
