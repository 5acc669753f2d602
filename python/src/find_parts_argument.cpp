// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "find_parts_argument.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <array>
#include <cmath>
#include <limits>

#include "arrays.h"
#include "dovetail/error.h"
#include "dovetail/pose_file.h"
#include "file_argument.h"
#include "option_table.h"
#include "pose_argument.h"
#include "shown.h"

namespace dovetail::python {
namespace {

using Path = std::filesystem::path;
using Flags = py::array_t<bool, py::array::c_style | py::array::forcecast>;

[[noreturn]] void refuse(const char* name, const py::handle& value, const char* allowed) {
  throw InvalidArgument(std::string(name) + ": " + shown(value) + " is not allowed; allowed: " + allowed);
}

PixelBox pixels_from(const py::object& region) {
  const char* const allowed = "four whole numbers (left, top, width, height)";
  const std::vector<double> n = numbers_from(region, "region");
  if (n.size() != 4) refuse("region", region, allowed);
  std::array<int, 4> whole{};
  for (std::size_t i = 0; i < 4; ++i) {
    if (n[i] != std::trunc(n[i]) || std::fabs(n[i]) > std::numeric_limits<int>::max() / 4) {
      refuse("region", region, allowed);
    }
    whole[i] = static_cast<int>(n[i]);
  }
  return {whole[0], whole[1], whole[2], whole[3]};
}

std::vector<std::uint8_t> mask_from(const py::object& mask, const DepthCamera& camera) {
  if (is_file(mask)) return read_mask(mask.cast<Path>(), camera);
  const Flags flags = Flags::ensure(mask);
  if (!flags || flags.ndim() != 2) {
    PyErr_Clear();
    throw InvalidArgument("mask: an array (rows, columns) or an image's file is needed");
  }
  if (flags.shape(0) != camera.height || flags.shape(1) != camera.width) {
    throw InvalidArgument("mask: " + std::to_string(flags.shape(1)) + " x " + std::to_string(flags.shape(0)) +
                          " pixels, and the image has " + std::to_string(camera.width) + " x " +
                          std::to_string(camera.height));
  }
  return {flags.data(), flags.data() + flags.size()};
}

PartStart start_from(const py::handle& one) {
  if (py::isinstance<FoundObject>(one)) {
    const auto& object = one.cast<const FoundObject&>();
    return {object.object, object.scene_from_object};
  }
  if (py::isinstance<py::tuple>(one) && py::len(one) == 2) {
    const auto [name, pose] = one.cast<std::pair<py::object, py::object>>();
    if (py::isinstance<py::str>(name)) return {name.cast<std::string>(), rigid_pose_from({pose}, "start")};
  }
  throw py::type_error("start: " + shown(one) + " is no FoundObject and no (name, pose)");
}

std::vector<PartStart> starts_from(const py::object& given) {
  std::vector<PartStart> starts;
  if (is_file(given)) {
    for (const StoredObject& stored : read_found(given.cast<Path>())) {
      starts.push_back({stored.object, stored.scene_from_object});
    }
    return starts;
  }
  if (!py::isinstance<py::iterable>(given)) {
    throw py::type_error("start: " + shown(given) +
                         " is not allowed; allowed: a Found, its file, a list of FoundObject or (name, pose)");
  }
  for (const py::handle one : given) starts.push_back(start_from(one));
  return starts;
}

Box reach_from(const py::object& reach) {
  const std::vector<double> n = numbers_from(reach, "reach");
  if (n.size() != 6) refuse("reach", reach, "two corners (x, y, z)");
  return {{n[0], n[1], n[2]}, {n[3], n[4], n[5]}};
}

}  // namespace

FindPartsArgument::FindPartsArgument(py::dict& keywords) : shared_(take_workspace(keywords)) {
  const auto preset = take_as<std::string>(keywords, "preset", "the name of a preset");
  if (preset) options_ = find_parts_preset(*preset);
  set_options(options_, keywords);
  options_.workspace = shared_.workspace.get();
}

void FindPartsArgument::take_place(py::dict& keywords, const DepthCamera& camera) {
  const auto given = [&](const char* name, auto&& use) {
    if (const py::object value = take(keywords, name); !value.is_none()) use(value);
  };
  given("region", [&](const py::object& region) { options_.region = pixels_from(region); });
  given("mask", [&](const py::object& mask) { options_.mask = mask_from(mask, camera); });
  given("start", [&](const py::object& start) { options_.start = starts_from(start); });
  given("frame_from_camera",
        [&](const py::object& frame) { options_.frame_from_camera = rigid_pose_from({frame}, "frame_from_camera"); });
  given("reach", [&](const py::object& reach) { options_.reach = reach_from(reach); });
  given("prefer", [&](const py::object& point) { options_.prefer = vec3_from(point, "prefer"); });
}

void forget_call(Found& found) {
  if (!found.part_options || found.part_options->workspace == nullptr) return;
  auto kept = std::make_shared<FindParts>(*found.part_options);
  kept->workspace = nullptr;
  found.part_options = kept;
}

}  // namespace dovetail::python
