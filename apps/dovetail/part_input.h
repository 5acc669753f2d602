// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <string>
#include <vector>

#include "dovetail/points.h"

namespace dovetail::app {

/// The parts that a command is about: files, or built-in:NAME.
struct PartInput {
  std::vector<std::string> parts;
  std::string unit;

  /// The parts have to be given unless told otherwise.
  void add_to(CLI::App& command, const char* what, bool required = true);
  /// Refuses a unit that is none.
  void check() const;
  /// In millimetres. A unit that was not given is guessed from the part's size, and told on stderr; so is what is wrong
  /// with a mesh.
  PointCloud read(const std::string& part) const;
  std::vector<PointCloud> read_all() const;
};

/// The units that a part's file may be in.
inline constexpr std::array part_units = {"mm", "cm", "m", "inch"};
/// Says on stderr which unit, mm or m, a part with a box of these sides was taken to be in.
void tell_unit(const std::string& part, double millimetres, const Vec3& sides);

/// A part from its file, in the file's unit, or built-in:NAME in millimetres. Faces with corners that are not finite
/// are left out, which is told on stderr.
PointCloud read_part(const std::string& part);
bool is_built_in(const std::string& part);

/// What a part is called in files: its own without folders, or built-in:NAME.
std::string part_file_name(const std::string& part);
/// The name of a part: that of its file without folder and ending, or of the built-in one.
std::string part_name(const std::string& part);

}  // namespace dovetail::app
