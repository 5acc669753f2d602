// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "dovetail/dovetail.h"
#include "option_flags.h"
#include "output.h"

namespace dovetail::app {

/// What a method brings the source onto, and how the two are read: two point files.
template <class Options>
struct Target {
  static constexpr const char *source_name = "SOURCE", *target_name = "TARGET";
  static constexpr const char* target_help = "the points they are brought onto";

  void add_to(CLI::App&) {}
  /// Reads both files; returns the source.
  PointCloud read(const std::string& source, const std::string& target, double& milliseconds) {
    PointCloud moving = timed_read(source, milliseconds);
    cloud_ = timed_read(target, milliseconds);
    return moving;
  }
  void apply(Options&) const {}
  Registration align(const PointCloud& moving, const Options& options, const Run& run) const {
    return register_points(moving, cloud_, options, run);
  }

 private:
  PointCloud cloud_;
};

/// The flags that say how a reference is read: layers and filters of maps, thresholds of images.
struct ReferenceFlags {
  ReferenceOptions options;
  void add_to(CLI::App& command);
};

/// Of chamfer alignment: points, lines, surfaces or images, or a field made of them before.
template <>
struct Target<Chamfer> {
  static constexpr const char *source_name = "OBSERVED", *target_name = "REFERENCE";
  static constexpr const char* target_help =
      "what they are brought onto: points, a mesh, GeoJSON lines, a binary image, or a field of `dovetail field build`";

  void add_to(CLI::App& command);
  PointCloud read(const std::string& observed, const std::string& reference, double& milliseconds);
  void apply(Chamfer& options) const { field_flags_.apply(options.field); }
  Registration align(const PointCloud& moving, const Chamfer& options, const Run& run) const;

 private:
  ReferenceFlags reference_flags_;
  OptionFlags<FieldOptions> field_flags_;
  Reference reference_;
  std::optional<DistanceField> field_;
};

}  // namespace dovetail::app
