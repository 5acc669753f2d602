// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "dovetail/points.h"
#include "dovetail/transform.h"

// A virtual scanner: range images of a mesh with known poses, for demonstrations, tests and trying out options before
// there is a scan. Link dovetail::scanner.

namespace dovetail {

/// A machined bracket as a triangle mesh, in millimetres: 120 x 80 x 70, a plate with four holes and a chamfer, a wall
/// with a cut corner, two ribs, a bored boss and a dome. No rotation maps it onto itself, so its pose is unique.
/// Made of closed solids that overlap; only their common outside can be seen.
PointCloud built_in_part();

/// Parts as triangle meshes in millimetres, about the middle of each but the bracket (of the mug: of its body). Round
/// ones have 64 segments.
enum class BuiltInPart {
  bracket,        ///< built_in_part(); no symmetry
  box,            ///< 90 x 60 x 40, plain
  cube,           ///< 60 a side
  hex_bolt,       ///< an M20 bolt without its thread, 76 long, the shaft along -z, the tip chamfered
  hex_nut,        ///< for it: 30 across flats, bored through, chamfered on neither side
  cylinder,       ///< 40 across and 90 long, along z
  t_pipe,         ///< two collared arms along x and a third along z, bored from every end
  elbow_pipe,     ///< a bend of 90 degrees in the xz plane, collars at both ends, bored from either
  flange,         ///< a bored disc with six bosses on its upper side
  mug,            ///< 80 across and 95 high, open at the top (+z), its handle in the xz plane towards +x
  liqueur_glass,  ///< a bowl on a stem and a foot, 56 across and 120 high, open at the top (+z)
  glass,          ///< a tumbler, 56 across below and 72 above, 100 high, open at the top (+z)
};

/// All of them, for those who go through the list.
std::span<const BuiltInPart> built_in_parts();
/// "bracket", "hex_bolt", ...
std::string_view to_string(BuiltInPart part);
PointCloud built_in_part(BuiltInPart part);

/// The rotations about the origin that map the part onto itself, the identity first. Parts that turn freely have
/// infinitely many: any turn about z may follow one of those here (the cylinder as it stands and upside down). The
/// others' round portions alone would turn freely as well; what is listed maps the whole part.
std::vector<Mat3> rotations_onto_itself(BuiltInPart part);
/// Whether every turn about z maps the part onto itself: cylinder, liqueur glass, glass.
bool turns_freely_about_z(BuiltInPart part);

/// A pinhole sensor in front of a mesh. The sensor's frame: origin at the pinhole, z along the view, x to the right and
/// y down in the image.
struct ScanOptions {
  /// Where the sensor stands in the mesh's frame; a rigid3 transform. See look_at().
  Transform mesh_from_sensor;
  /// Columns and rows of the range image, 1 to 16384 each.
  int width = 320;
  int height = 240;
  /// Angle between the rays through the left and the right edge of the image, in degrees, more than 0 and less than
  /// 180. Pixels are square.
  double field_of_view = 40;
  /// Standard deviation of the range along the ray, in the mesh's units.
  double noise = 0;
  /// Share of the rays that do not come back though they hit, 0 to 1.
  double dropout = 0;
  /// A pixel's noise depends on the seed and on the pixel only.
  std::uint64_t seed = 0;
};

/// The pose of a sensor at `eye` that looks at `at`, image upright along `up` (which must not be parallel to the view).
Transform look_at(const Vec3& eye, const Vec3& at, const Vec3& up = {0, 0, 1});

/// Whether scan() was built in: it needs Embree.
bool scanner_available();

/// What the sensor sees: an organised cloud in the sensor's own frame, row after row, NaN where nothing came back.
/// Throws InvalidArgument for an option out of range or a mesh without faces, MachineError where scanner_available() is
/// false.
PointCloud scan(const PointCloud& mesh, const ScanOptions& options = {});

/// A mesh that stands somewhere in a scene. The mesh must stay until the call it is given to returns.
struct ScenePart {
  const PointCloud* mesh = nullptr;
  Transform scene_from_part;  ///< any 3D model
};

/// What the sensor sees of several meshes, each before those behind it; ScanOptions' mesh frame is then the scene's.
/// The cloud has an attribute "label" (int32): the index of the part that was hit, -1 where nothing came back. The same
/// surface gives the same points as in scan(mesh). Throws as that does, and for a scene without parts.
PointCloud scan(std::span<const ScenePart> scene, const ScanOptions& options = {});

}  // namespace dovetail
