// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "dovetail/points.h"

// What is wrong with a mesh, in counts and in words, and what of it can be mended. Meshes that look right on a screen
// may have faces turned inside out, faces twice, gaps and surfaces that cross each other; what computes volumes or asks
// what is inside of a part goes wrong with them. docs/mesh_check.md tells how each is found.

namespace dovetail {

/// Corners count as one where they are nearer to each other than a millionth of the mesh's diagonal: files often name a
/// corner once for each of its faces. Polygons count as triangles. Lengths are in the mesh's unit.
struct MeshCheck {
  std::size_t faces = 0;      ///< as given
  std::size_t triangles = 0;  ///< that they make
  std::size_t corners = 0;    ///< different places
  double diagonal = 0;        ///< of the box about them
  double area = 0;            ///< doubled faces once

  std::size_t broken_faces = 0;       ///< with a corner that is not there, not finite or beyond 1e150; or too few
  std::size_t flat_triangles = 0;     ///< without area: their corners lie on a line, or are one
  std::size_t doubled_triangles = 0;  ///< that are there already
  std::size_t flipped_triangles = 0;  ///< that show their inside where most of their surface shows its outside

  /// Surfaces of triangles that hang together by edges that two of them share, and by slits.
  std::size_t surfaces = 0;
  std::size_t inside_out = 0;  ///< surfaces that show their inside all over
  std::size_t one_sided = 0;   ///< surfaces that have no inside and outside, as a Moebius band

  /// Gaps in the surface, counted by the chains of open edges about them.
  std::size_t holes = 0, small_holes = 0;
  std::size_t open_edges = 0;  ///< of holes and slits: edges with a triangle on one side alone
  double largest_hole = 0;     ///< diagonal of the box about it
  /// Gaps without area: a long edge where the other side has several short ones. They do no harm.
  std::size_t slits = 0;

  std::size_t crowded_edges = 0;  ///< with more than two triangles
  /// Of them those with more triangles of one direction than of the other: a wall inside, not solids that touch.
  std::size_t uneven_edges = 0;
  std::size_t crossing_triangles = 0;  ///< that pass through others of the same surface
  std::size_t overlaps = 0;            ///< pairs of surfaces that pass through each other; they count as one solid

  /// That the surface encloses, after mending; overlaps twice. Not known where it is open.
  double volume = 0;

  /// No gaps, or none with an area.
  bool closed() const { return triangles > 0 && holes == 0; }
  /// Gaps that are larger than small ones: a surface that was never meant to be closed, or is badly damaged.
  bool open() const { return holes > small_holes; }
  /// Whether it is a closed solid with nothing that describe() calls other than harmless.
  bool sound() const;
};

/// A gap is small up to this share of the mesh's diagonal.
inline constexpr double small_hole = 0.05;

/// Looks at all of it. A cloud without faces is not wrong: everything is 0. The same answer for any number of threads.
MeshCheck check_mesh(const PointCloud& mesh, int threads = 0);

/// The mesh as solids need it: triangles alone, without those that are broken, flat or there twice, all showing their
/// outside, small holes closed. Larger holes and crossings stay, and so does a surface that is one-sided. Of all else
/// that points carry (normals, colours) nothing is kept.
PointCloud mend_mesh(const PointCloud& mesh);

/// Leaves out the faces that MeshCheck counts as broken, the points that no other face has, and points of no face that
/// are not finite; says how many faces these were. All else stays as it is, and so does a cloud without faces.
std::size_t drop_broken_faces(PointCloud& mesh);

/// One thing about a mesh, in words.
struct MeshFinding {
  enum class Weight {
    harmless,  ///< nothing goes wrong by it
    mended,    ///< mend_mesh() takes care of it
    stays,     ///< has to be mended where the mesh was made
  };
  std::string text;  ///< "12 flipped triangles"
  Weight weight = Weight::harmless;
};

/// What was found, the worst first; empty where there is nothing to tell. `unit` follows lengths: "mm", or nothing.
std::vector<MeshFinding> describe(const MeshCheck& check, const std::string& unit = "");

}  // namespace dovetail
