// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "dovetail/models.h"
#include "dovetail/points.h"

// How parts lie when they rest, kept as a file: what `dovetail bin poses` writes, and what densities of poses are made
// of. docs/bins.md tells every key of the file.

namespace dovetail {

/// A part at rest. The scene's frame: the origin in the middle of the floor, x along the bin's length, z upwards.
struct RestingPart {
  std::size_t part = 0;  ///< index of the kind of part
  Rigid3 scene_from_part = Rigid3::identity();
};

/// A kind of part, and by what it is known again.
struct RestingKind {
  std::string name;            ///< of the mesh's file, without its folder; or built-in:NAME
  std::uint64_t checksum = 0;  ///< geometry_checksum() of the mesh in RestingPoses::unit
  double diameter = 0;         ///< largest distance between two corners of its faces
};

/// What rests in a bin.
struct RestingBin {
  std::uint64_t seed = 0;
  double length = 0, width = 0, height = 0;  ///< inner size; of a plane the height is 0
  std::vector<RestingPart> parts;
};

/// Resting poses of many bins that were filled with the same parts.
struct RestingPoses {
  std::string unit = "mm";  ///< of all lengths: mm, cm, m, inch; or empty where nobody knows it
  std::vector<RestingKind> parts;
  std::vector<RestingBin> bins;
};

/// A number that two meshes share where they have the same triangles, in whatever order and however their points are
/// numbered; coordinates count as floats, so that a mesh read back from a file with floats has the same. Polygons are
/// cut into fans. Throws InvalidArgument for a mesh without faces or with faces of points that are not there.
std::uint64_t geometry_checksum(const PointCloud& mesh);

/// The mesh as a kind of part: checksum and diameter. Throws as geometry_checksum() does.
RestingKind resting_kind(std::string name, const PointCloud& mesh);

/// Writes resting poses as JSON, schema dovetail.resting/1. Every number but those of a rotation, which becomes a
/// quaternion, reads back as the same bits. The file appears whole or not at all. Throws FileError, and InvalidArgument
/// for a part whose kind is not listed or a pose that is not finite.
void write_resting_poses(const std::filesystem::path& file, const RestingPoses& poses);

/// Reads what write_resting_poses() writes. Throws FileError naming the file, the place and the reason for a file that
/// is damaged, cut, of another schema, or says what cannot be.
RestingPoses read_resting_poses(const std::filesystem::path& file);

}  // namespace dovetail
