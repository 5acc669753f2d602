// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dovetail/points.h"
#include "dovetail/scanner.h"

// Things to scan whose shape follows from a seed.

namespace dovetail::bench::scenes {

/// A mesh with a name, by which corpora are split, and the rotations about its origin that map it onto itself.
struct Object {
  std::string name;
  PointCloud mesh;
  std::vector<Mat3> symmetries;  ///< the identity first; empty: none but it
  double period = 0;             ///< of repeated structure along x, else 0
  Vec3 free_axis{};              ///< any turn about it is a symmetry, of which `symmetries` has one every 2.5 degrees
};

/// Three to seven boxes, cylinders, prisms and domes that overlap: bracket-like, blobby, flat or tall. About 100
/// across.
PointCloud random_part(std::uint64_t seed);

/// Between which sizes a room's is drawn, in metres.
struct RoomSizes {
  Vec3 least = {3, 3, 2.4}, most = {8, 6, 3.2};
};
/// Floor, walls and five to ten pieces of furniture, in metres, each a mesh of its own; the room is the first.
std::vector<PointCloud> furnished_room(std::uint64_t seed, const RoomSizes& sizes = {});

/// A floor, a row of equal columns along x and a wall with equal windows behind it, in metres.
PointCloud colonnade(std::uint64_t seed, double& period);

/// All meshes as one.
PointCloud merged(const std::vector<PointCloud>& meshes);

/// The middle of a mesh's surface, which lies on every axis of symmetry.
Vec3 middle_of(const PointCloud& mesh);

Object part_object(std::uint64_t seed);
Object room_object(std::uint64_t seed, const RoomSizes& sizes = {});
Object colonnade_object(std::uint64_t seed);
/// A built-in part with the rotations that map it onto itself; of one that turns freely, one every 2.5 degrees.
Object symmetric_object(BuiltInPart part);

}  // namespace dovetail::bench::scenes
