// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dovetail/mesh_check.h"

namespace dovetail {
namespace {

using Weight = MeshFinding::Weight;

std::string counted(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

/// What is thinner than that against its width is a sheet: a sheet a thousandth as thick as it is wide is still a
/// solid.
bool encloses_nothing(const MeshCheck& check) {
  return std::fabs(check.volume) <= 1e-6 * check.diagonal * check.diagonal * check.diagonal;
}

}  // namespace

std::vector<MeshFinding> describe(const MeshCheck& check, const std::string& unit) {
  std::vector<MeshFinding> found;
  if (check.faces == 0) return found;
  const auto tell = [&](Weight weight, std::string text) { found.push_back({std::move(text), weight}); };
  const auto length = [&](double value) { return fmt::format("{:.4g}{}{}", value, unit.empty() ? "" : " ", unit); };
  if (check.closed() && encloses_nothing(check)) tell(Weight::stays, "encloses no volume");
  if (check.holes > check.small_holes) {
    const std::size_t large = check.holes - check.small_holes;
    tell(Weight::stays,
         fmt::format("{}, the largest {} across", counted(large, "hole", "holes"), length(check.largest_hole)));
  }
  if (check.one_sided > 0) {
    tell(Weight::stays, counted(check.one_sided, "surface that has only one side", "surfaces that have only one side"));
  }
  if (check.crossing_triangles > 0) {
    tell(Weight::stays, counted(check.crossing_triangles, "triangle that passes", "triangles that pass") +
                            " through others of the same surface");
  }
  if (check.uneven_edges > 0) {
    tell(Weight::stays,
         counted(check.uneven_edges, "edge where a wall inside begins", "edges where walls inside begin") +
             " (more than two triangles)");
  }
  if (check.broken_faces > 0) {
    tell(Weight::mended,
         counted(check.broken_faces, "face", "faces") + " with corners that are not there or not finite");
  }
  if (check.inside_out > 0) {
    tell(Weight::mended, check.inside_out == check.surfaces
                             ? std::string("shows its inside all over")
                             : fmt::format("{} of {} surfaces show their inside", check.inside_out, check.surfaces));
  }
  if (check.flipped_triangles > 0) {
    tell(Weight::mended, counted(check.flipped_triangles, "flipped triangle", "flipped triangles"));
  }
  if (check.doubled_triangles > 0) {
    tell(Weight::mended, counted(check.doubled_triangles, "triangle that is", "triangles that are") + " there twice");
  }
  if (check.small_holes > 0) {
    const std::string largest = check.open() ? "" : fmt::format(", the largest {} across", length(check.largest_hole));
    tell(Weight::mended, counted(check.small_holes, "small hole", "small holes") + largest);
  }
  if (check.crowded_edges > check.uneven_edges) {
    tell(Weight::harmless, counted(check.crowded_edges - check.uneven_edges, "edge", "edges") +
                               " where solids touch (more than two triangles)");
  }
  if (check.overlaps > 0) {
    tell(Weight::harmless,
         counted(check.overlaps, "pair of surfaces that pass", "pairs of surfaces that pass") + " through each other");
  }
  if (check.slits > 0) tell(Weight::harmless, counted(check.slits, "slit", "slits") + " without width");
  if (check.flat_triangles > 0) {
    tell(Weight::harmless, counted(check.flat_triangles, "triangle", "triangles") + " without area");
  }
  return found;
}

bool MeshCheck::sound() const {
  const std::vector<MeshFinding> found = describe(*this);
  return closed() && std::all_of(found.begin(), found.end(),
                                 [](const MeshFinding& finding) { return finding.weight == Weight::harmless; });
}

}  // namespace dovetail
