// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "device_memory.h"

#include <dlfcn.h>

#include <cstdint>
#include <string>

#include "dovetail/error.h"
#include "dovetail/machines.h"
#include "shown.h"

namespace dovetail::python {

namespace py = pybind11;

namespace {

[[noreturn]] void refuse(const char* name, const std::string& why) {
  throw InvalidArgument(std::string(name) + ": " + why);
}

/// Waits for the stream that the array's owner names, or for all of the device where it names none and is so old that
/// this does not mean that there is nothing to wait for. The driver is there already, for somebody has used it.
void wait_for_owner(const py::dict& interface) {
  const bool tells_stream = interface.contains("version") && interface["version"].cast<int>() >= 3;
  const py::object stream = interface.contains("stream") ? py::object(interface["stream"]) : py::none();
  if (tells_stream && stream.is_none()) return;
  void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  if (driver == nullptr) return;
  int failed = 0;
  if (tells_stream) {
    auto* const wait = reinterpret_cast<int (*)(void*)>(dlsym(driver, "cuStreamSynchronize"));
    if (wait != nullptr) failed = wait(reinterpret_cast<void*>(stream.cast<std::uintptr_t>()));
  } else if (auto* const wait = reinterpret_cast<int (*)()>(dlsym(driver, "cuCtxSynchronize"))) {
    failed = wait();
  }
  dlclose(driver);
  if (failed != 0) throw MachineError("the GPU failed before the run, with CUDA's error " + std::to_string(failed));
}

}  // namespace

DeviceArray device_array(const py::object& object, const char* name) {
  const py::dict interface = object.attr("__cuda_array_interface__");
  const std::string numbers = py::cast<std::string>(interface["typestr"]);
  if (numbers != "<f4" && numbers != "<f8") {
    refuse(name, "numbers of type " + numbers + " in a GPU's memory are not allowed; allowed: float32, float64");
  }
  const py::tuple shape = interface["shape"];
  DeviceArray array;
  array.is_double = numbers == "<f8";
  const std::size_t size = array.is_double ? sizeof(double) : sizeof(float);
  if (shape.size() != 2 || (shape[1].cast<int>() != 2 && shape[1].cast<int>() != 3)) {
    refuse(name, "an array of shape " + shown(shape) + " in a GPU's memory is not allowed; allowed: (n, 3) and (n, 2)");
  }
  array.rows = shape[0].cast<std::size_t>();
  array.columns = shape[1].cast<std::size_t>();
  array.stride = array.columns;
  if (interface.contains("strides") && !interface["strides"].is_none()) {
    const py::tuple strides = interface["strides"];
    const auto row = strides[0].cast<std::ptrdiff_t>(), column = strides[1].cast<std::ptrdiff_t>();
    const auto number = static_cast<std::ptrdiff_t>(size);
    if (array.rows > 1 &&
        (column != number || row % number != 0 || row < number * static_cast<std::ptrdiff_t>(array.columns))) {
      refuse(name, "strides of " + shown(strides) +
                       " bytes in a GPU's memory are not allowed; allowed: "
                       "the coordinates of a point side by side, points one after another");
    }
    if (array.rows > 1) array.stride = static_cast<std::size_t>(row) / size;
  }
  if (interface.contains("mask") && !interface["mask"].is_none()) refuse(name, "a mask is not allowed");
  const BuildInfo build = build_info();
  if (!build.cuda_unavailable.empty()) {
    throw MachineError(std::string(name) +
                       ": the points are in a GPU's memory, and no GPU can be used here: " + build.cuda_unavailable);
  }
  wait_for_owner(interface);
  array.data = reinterpret_cast<const void*>(py::tuple(interface["data"])[0].cast<std::uintptr_t>());
  return array;
}

}  // namespace dovetail::python
