// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "dovetail/points.h"
#include "dovetail/run.h"
#include "dovetail/transform.h"

// The rotations that map a part onto itself. A pose of such a part is known only up to them: what finds objects must
// not report one instance several times, and what scores a pose must not call a turned cube wrong. docs/symmetry.md
// tells how they are found and what the limits are.

namespace dovetail {

/// How symmetries are looked for.
struct SymmetryOptions {
  /// The largest distance from the turned surface to the surface that still counts as symmetric, in file units. It is a
  /// maximum, not a mean: one lug that stands out farther breaks the symmetry. 0: automatic, 1% of the diameter, which
  /// is above the facets of a round CAD model and below any feature that a depth camera could tell poses apart by.
  double tolerance = 0;

  /// The highest order of an axis that is told from a surface of revolution; a gear has as many as it has teeth. Orders
  /// whose steps would be smaller than the tolerance are never looked for, whatever this is.
  int max_order = 180;
};

/// What a group of rotations is, in the notation of Schoenflies. Mirror images are not rotations: Symmetry::mirror.
enum class SymmetryKind {
  none,                   ///< C1: only the part as it stands
  cyclic,                 ///< Cn: n-fold about one axis
  dihedral,               ///< Dn: n-fold about one axis, and half turns about n axes across it
  tetrahedral,            ///< T: the 12 rotations of a tetrahedron
  octahedral,             ///< O: the 24 rotations of a cube
  icosahedral,            ///< I: the 60 rotations of an icosahedron
  revolution,             ///< any angle about one axis: a cone
  revolution_with_flips,  ///< the same, and half turns about every axis across it: a cylinder
  sphere,                 ///< any rotation
};

/// A line about which the part may be turned.
struct SymmetryAxis {
  Vec3 direction{};  ///< unit length
  Vec3 through{};    ///< a point of the line, in file units: the centre
  int order = 0;     ///< 2, 3, ...: turns by 360 / order degrees; 0: by any angle
};

/// The symmetries of a part, in the frame and the units of its file.
struct Symmetry {
  SymmetryKind kind = SymmetryKind::none;
  /// The order of the main axis: 1 of `none`, n of Cn and Dn, 3, 4 and 5 of T, O and I, 0 of those that turn freely.
  int order = 1;
  /// Every axis, the main one first. Of revolution_with_flips one of the axes across stands for all; a sphere has three
  /// at right angles.
  std::vector<SymmetryAxis> axes;
  /// The rotations that map the part onto itself, the identity first; exactly closed under composition. Of parts that
  /// turn freely those that a free turn does not give: the identity, and a half turn where there are flips.
  std::vector<Transform> rotations{Transform()};
  /// Whether the part equals its mirror image, so that no rotation tells the two apart. False: it is left- or
  /// right-handed. A mirror image is never among `rotations`.
  bool mirror = false;

  Vec3 center{};           ///< the point that every symmetry leaves where it is; without any, the surface's centroid
  double diameter = 0;     ///< largest distance between two vertices
  double radius = 0;       ///< largest distance of a vertex from the centre
  Mat3 covariance{};       ///< of the surface's points about the centre, in file units², every area counted alike
  double deviation = 0;    ///< largest distance from the turned surface to the surface, over all of the rotations
  double tolerance = 0;    ///< what was allowed: the option, or the automatic value
  double allowance = 0;    ///< clouds: what was allowed beside it for their spacing and noise; 0 for meshes
  bool has_faces = false;  ///< measured on the faces of a mesh; else on points alone
  Vec3 box_low{}, box_high{};  ///< of the vertices
  std::string part_file;       ///< what was read; whoever read it sets it
};

/// Finds the rotations that map a part onto itself within a tolerance. A mesh is measured on its faces: distances are
/// those from points spread over the surface (every vertex, and as many between as make gaps no larger than the
/// tolerance; thinned out to 40,000 places where there are more) to the nearest triangle. Faces inside count like those
/// outside. A cloud is measured as it is: a part seen from one side has the symmetry of what is seen, which says little
/// of the part. Each of its points stands for a small disc, so that its spacing and its noise (Symmetry::allowance) are
/// not taken for a lack of symmetry. Runs on the CPU; of `run` only `threads` and `origin_points` count, and the answer
/// does not depend on the former. Throws InvalidArgument for a cloud without finite points, one in 2D, and options out
/// of range.
Symmetry find_symmetry(const PointCloud& part, const SymmetryOptions& options = {}, const Run& run = {});

/// "C1", "C6", "D6", "T", "O", "I", "C∞", "D∞", "sphere".
std::string group_name(const Symmetry& symmetry);
/// The same in words: "six-fold about one axis, with half turns across it" and the like.
std::string describe(const Symmetry& symmetry);
/// "none", "cyclic", ..., "revolution_with_flips", "sphere".
std::string to_string(SymmetryKind kind);

/// The whole of it as JSON, schema dovetail.symmetry/1.
std::string to_json(const Symmetry& symmetry, int indent = 2);
/// Writes to_json(symmetry). The file appears whole or not at all. Throws FileError.
void write_symmetry(const std::filesystem::path& file, const Symmetry& symmetry);

/// Reads what write_symmetry() wrote. Throws FileError naming the file, the key and the reason.
Symmetry read_symmetry(const std::filesystem::path& file);

/// Puts an object into a models_info.json of the BOP benchmark: diameter, box, and the symmetries that a pose's score
/// has to respect. Objects that are in the file already stay, one with the same id is replaced. BOP's lengths are
/// millimetres: all are multiplied by `millimetres`, what one unit of the part's file is in mm. The file appears whole
/// or not at all. Throws FileError where it cannot be read as such a file or cannot be written, and InvalidArgument
/// unless the id is at least 0 and the factor positive.
void add_to_models_info(const std::filesystem::path& file, int id, const Symmetry& symmetry, double millimetres = 1);

}  // namespace dovetail
