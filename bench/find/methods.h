// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dovetail/machine.h"
#include "dovetail/points.h"
#include "dovetail/transform.h"
#include "find/cases.h"

namespace dovetail::bench::find {

/// An answer: one of the objects is there.
struct Found {
  std::size_t object = 0;
  Transform scene_from_object;
  double confidence = 0;
  bool usable = false;  ///< what the method itself says of it
  std::map<std::string, double> evidence{};
};

struct Settings {
  std::optional<Transform> start;  ///< scene_from_object; absent: anywhere
  std::vector<Transform> given;    ///< poses that may be right, where a search is told some
  std::uint64_t seed = 0;
  Machine machine = Machine::cpu;
  int threads = 1;
};

/// Where the objects are in the scene, best answers first. What has to be found is the method's own business: one
/// answer per object where it knows no better.
using FindObjects = std::function<std::vector<Found>(std::span<const SoughtObject> objects, const PointCloud& scene,
                                                     const Settings& settings)>;

/// The names that method_named() takes.
std::vector<std::string> find_method_names();
/// Throws InvalidArgument with the names allowed.
FindObjects method_named(const std::string& name);

}  // namespace dovetail::bench::find
