// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <CLI/CLI.hpp>
#include <concepts>
#include <optional>
#include <string>

#include "dovetail/dovetail.h"
#include "dovetail/error.h"
#include "input.h"
#include "option_flags.h"

namespace dovetail::app {

/// What a method brings the source onto, and how the two are read: two point files.
template <class Options>
struct Target {
  static constexpr const char *source_name = "SOURCE", *target_name = "TARGET";
  static constexpr const char* target_help = "the points they are brought onto";

  void add_to(CLI::App& command) {
    if constexpr (std::same_as<Options, Gpicp>) {
      command.add_option("--preset", preset_, "settings by name, which flags change: thesis, as published")
          ->type_name("NAME")
          ->group("Method");
    }
  }
  /// What flags set out from.
  Options defaults() const {
    if constexpr (std::same_as<Options, Gpicp>) {
      if (!preset_.empty()) return gpicp_preset(preset_);
    }
    return {};
  }
  /// Reads both files; returns the source.
  PointCloud read(const std::string& source, const std::string& target) {
    PointCloud moving = read_cloud(source);
    reference_.points = read_cloud(target);
    return moving;
  }
  int dimension() const { return reference_.points.dimension; }
  /// What it is, for reports.
  const Reference& shown() { return reference_; }
  std::optional<GeoFrame> source_frame() const { return std::nullopt; }
  void apply(Options&) const {}
  Registration align(const PointCloud& moving, const Options& options, const Run& run) const {
    return register_points(moving, reference_.points, options, run);
  }

 private:
  Reference reference_;
  std::string preset_;
};

/// What a reference is, for help texts.
inline constexpr const char* reference_kinds = "points, a mesh, GeoJSON lines, a binary image";

/// Of chamfer alignment: points, lines, surfaces or images, or a field made of them before.
template <>
struct Target<Chamfer> {
  static constexpr const char *source_name = "OBSERVED", *target_name = "REFERENCE";
  static constexpr const char* target_help =
      "what they are brought onto: points, a mesh, GeoJSON lines, a binary image, or a field of `dovetail field build`";

  void add_to(CLI::App& command);
  Chamfer defaults() const { return {}; }
  PointCloud read(const std::string& observed, const std::string& reference);
  int dimension() const { return field_ ? field_->dimension() : reference_.points.dimension; }
  const std::optional<GeoFrame>& source_frame() const { return source_frame_; }
  /// What it is, for reports: of a field the points it knows.
  const Reference& shown();
  void apply(Chamfer& options) const { field_flags_.apply(options.field); }
  Registration align(const PointCloud& moving, const Chamfer& options, const Run& run) const;

 private:
  void check_flags(const std::string& observed, const std::string& reference, bool built) const;

  ReferenceFlags reference_flags_;
  OptionFlags<FieldOptions> field_flags_;
  std::string name_;  ///< of the reference's file
  Reference reference_;
  std::optional<DistanceField> field_;
  std::optional<GeoFrame> source_frame_;
};

/// Does something with a reference; what is wrong with its data is told with its file's name.
template <class F>
auto naming_reference(const std::string& file, F&& f) {
  constexpr std::string_view subject = "reference: ";
  try {
    return f();
  } catch (const InvalidArgument& error) {
    const std::string what = error.what();
    if (!what.starts_with(subject)) throw;
    throw FileError(file + ": " + what.substr(subject.size()));
  }
}

}  // namespace dovetail::app
