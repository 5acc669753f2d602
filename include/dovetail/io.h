// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <filesystem>
#include <string>

#include "dovetail/points.h"

namespace dovetail {

/// The point and mesh files Dovetail reads and writes.
enum class FileFormat { ply, pcd, xyz, obj, stl, off, npy, las };

/// How a file's numbers are laid out, where its format leaves a choice.
enum class Encoding {
  automatic,          ///< the format's usual one: little endian binary where there is one, else ascii
  ascii,              ///< ply, pcd, stl (xyz, obj and off are always ascii)
  binary,             ///< ply, pcd, stl (npy and las are always binary)
  binary_big_endian,  ///< ply
  binary_compressed,  ///< pcd
};

struct WriteOptions {
  Encoding encoding = Encoding::automatic;
};

/// Reads a point or mesh file. The type is told by the content first and by the name second. Coordinates keep the
/// file's precision; normals, colours, faces and every other per-point value are kept.
/// Throws FileError naming the file, the line or byte, and the reason.
PointCloud read_points(const std::filesystem::path& file);

/// Writes a point or mesh file, its type told by the name's ending. The file appears whole or not at all: it is
/// written under a temporary name first. Throws FileError, or InvalidArgument for an unknown ending or for an encoding
/// that the format does not have.
void write_points(const std::filesystem::path& file, const PointCloud& cloud, const WriteOptions& options = {});

/// Throws the InvalidArgument that write_points() would throw for this name and this cloud, and writes nothing: an
/// ending that no format has, an STL file of points without faces, a LAS file of points that are not finite.
void check_points(const std::filesystem::path& file, const PointCloud& cloud, const WriteOptions& options = {});

/// What each format is called and which endings name it, for help texts: "PLY (.ply), PCD (.pcd), ...".
std::string supported_formats();

}  // namespace dovetail
