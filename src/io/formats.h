// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <span>
#include <string_view>

#include "dovetail/io.h"
#include "io/output.h"

namespace dovetail::io {

/// One row of the table of formats.
struct Format {
  FileFormat id;
  std::string_view name;
  std::string_view endings;  ///< with the dot, lower case, a space between them
  bool signature;            ///< whether recognising the content is certain, so that the name need not agree
  bool (*recognise)(std::string_view bytes);
  PointCloud (*read)(std::string_view file, std::string_view bytes);
  void (*write)(Output& out, const PointCloud& cloud, Encoding encoding);
  std::span<const Encoding> encodings;               ///< the first is the automatic one
  void (*check)(const PointCloud& cloud) = nullptr;  ///< refuses a cloud the format has no place for
};

/// In the order in which the content of a file is tried: certain signatures first, plain text last.
std::span<const Format> formats();

/// The format whose ending the name has; null when there is none.
const Format* format_by_name(std::string_view file_name);

/// The format to read a file with, by content first and by name second; null when it is that of no point file.
const Format* choose_format(std::string_view file, std::string_view bytes);

/// Reads a file that is in memory. `file` is its name: for messages, and for the type where the content does not tell.
PointCloud parse_points(std::string_view file, std::string_view bytes);

// What the table is made of: each format in a file of its name.

bool is_ply(std::string_view bytes);
PointCloud read_ply(std::string_view file, std::string_view bytes);
void write_ply(Output& out, const PointCloud& cloud, Encoding encoding);

bool is_pcd(std::string_view bytes);
PointCloud read_pcd(std::string_view file, std::string_view bytes);
void write_pcd(Output& out, const PointCloud& cloud, Encoding encoding);

bool is_npy(std::string_view bytes);
PointCloud read_npy(std::string_view file, std::string_view bytes);
void write_npy(Output& out, const PointCloud& cloud, Encoding encoding);

bool is_las(std::string_view bytes);
PointCloud read_las(std::string_view file, std::string_view bytes);
void check_las(const PointCloud& cloud);  ///< throws InvalidArgument for one it cannot hold
void write_las(Output& out, const PointCloud& cloud, Encoding encoding);

bool is_off(std::string_view bytes);
PointCloud read_off(std::string_view file, std::string_view bytes);
void write_off(Output& out, const PointCloud& cloud, Encoding encoding);

bool is_stl(std::string_view bytes);
PointCloud read_stl(std::string_view file, std::string_view bytes);
void check_stl(const PointCloud& cloud);  ///< throws InvalidArgument for one it cannot hold
void write_stl(Output& out, const PointCloud& cloud, Encoding encoding);

bool is_obj(std::string_view bytes);
PointCloud read_obj(std::string_view file, std::string_view bytes);
void write_obj(Output& out, const PointCloud& cloud, Encoding encoding);

bool is_xyz(std::string_view bytes);
/// Whether the names of its columns say that x is a longitude and y a latitude. Throws FileError as read_xyz() does.
bool holds_degrees(std::string_view file, std::string_view bytes);
PointCloud read_xyz(std::string_view file, std::string_view bytes);
void write_xyz(Output& out, const PointCloud& cloud, Encoding encoding);
void write_csv(Output& out, const PointCloud& cloud, Encoding encoding);  ///< .csv: commas and a line of names

}  // namespace dovetail::io
