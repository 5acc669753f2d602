// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dovetail/error.h"
#include "dovetail/observed_file.h"
#include "dovetail/pose_file.h"
#include "dovetail/reference.h"

namespace dovetail::app {

/// Adds the name of a file to read, which has to be given.
void add_input(CLI::App& command, const char* name, std::string& file, const std::string& help);

/// The flags that say how a reference is read: layers and filters of maps, thresholds of images. Those of images hold
/// for observed images as well.
struct ReferenceFlags {
  ReferenceOptions options;

  void add_to(CLI::App& command);
  /// Refuses flags for images where none of the files is one.
  void check(std::initializer_list<std::string> files) const;
  /// Refuses flags that tell how a reference is read, where it is a field that was built already.
  void check_for_field(const std::string& field, const std::string& observed) const;
  /// The options an observed file is read with.
  ReferenceOptions for_observed() const;

 private:
  CLI::Option *layer_ = nullptr, *where_ = nullptr, *threshold_ = nullptr, *dark_ = nullptr;
};

/// Whether a file is a distance field. A pipe is none: it can be read only once.
bool is_field(const std::string& file);

/// The points that move.
using Observed = ObservedFile;

/// Reads points, and places points along lines. Longitudes and latitudes are brought into `frame`, or into a frame of
/// their own where there is none.
Observed read_observed(const std::string& file, const ReferenceOptions& options, const std::optional<GeoFrame>& frame);

/// Whether a pose is one between degrees as numbers: chamfer alignment projects them, the other methods do not.
bool takes_degrees_as_numbers(const StoredPose& pose);

/// Reads a reference and brings longitudes and latitudes into `frame` where there is one, else into their own.
Reference read_in_frame(const std::string& file, ReferenceOptions options, const std::optional<GeoFrame>& frame);

/// Reads the pose that a flag names, to another frame: a rotation and a shift. Throws FileError, naming the flag and
/// the file, for any other.
Transform read_frame(const char* flag, const std::string& file);

/// Reads a point file; a distance field is none.
PointCloud read_cloud(const std::string& file);

/// One number a line; # begins a comment. As many as `source` has points. Throws FileError.
std::vector<double> read_weights(const std::string& file, std::size_t points, const std::string& source);

/// Throws FileError that names both files, unless they have as many dimensions.
void check_dimensions(const std::string& source, int of_source, const std::string& target, int of_target);
/// The same of a pose and the points it moves.
void check_dimension(const std::string& pose_file, Model model, const std::string& source, int of_source);

/// A field of the library's options, and what a user of the program gave for it: "--reach", or a flag with its file.
using FieldFlag = std::pair<const char*, std::string>;
/// A message that begins with one of the fields, beginning with its flag instead.
std::string of_flags(const std::string& message, std::initializer_list<FieldFlag> flags);
/// Does the work; what the library refuses of these fields is told of the flags.
template <class Work>
auto blame_flags(std::initializer_list<FieldFlag> flags, Work&& work) {
  try {
    return work();
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(of_flags(error.what(), flags));
  }
}

/// Milliseconds since then.
double milliseconds_since(std::chrono::steady_clock::time_point began);

}  // namespace dovetail::app
