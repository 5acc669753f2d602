// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backend/problem.h"
#include "dovetail/geo_frame.h"
#include "spatial/distance_field.h"

namespace dovetail {

/// A reference ready to be looked up.
struct FieldData {
  std::uint64_t id = 0;            ///< no two fields of a process have the same
  LocalFrame frame;                ///< local coordinates count cells of the finest level
  std::vector<FieldLevel> levels;  ///< coarse to fine; of a machine with its own memory `nearest` may be empty here
  LineMap lines;                   ///< where the reference is lines in the plane
  std::size_t points = 0;          ///< of the reference, sampled
  std::size_t dropped_non_finite = 0, dropped_at_origin = 0;  ///< of the reference; not kept in files
  double margin = 0;                                          ///< of the domain beyond the reference, local
  std::optional<GeoFrame> geo;                                ///< where the reference was given in degrees
  std::string source;                                         ///< the file it was made from

  int dimension() const { return levels.front().grid.dimension; }
};

/// Observed points as a caller holds them: floats, the coordinates of a point side by side.
struct ObservedView {
  const float* points = nullptr;
  std::size_t count = 0;
  std::size_t stride = 3;  ///< floats from a point to the next
  int dimension = 3;
  bool on_device = false;         ///< in the memory of the GPU that runs
  const float* weight = nullptr;  ///< one a point, on the host; null: all 1
  float origin[3] = {0, 0, 0};    ///< local = (point − origin) × scale
  float scale = 1;
  std::span<const std::uint32_t> sample;  ///< a part of the points, ascending

  float local(const float* point, int axis) const { return (point[axis] - origin[axis]) * scale; }
};

/// Which observed points.
enum class Share : std::uint32_t { sample, all };

/// The level of a problem that looks a share of the observed points up in one level of a field: those of the sample
/// come first.
inline std::uint32_t observed_level(const FieldData& field, std::size_t field_level, Share share) {
  return static_cast<std::uint32_t>(field_level + (share == Share::all ? field.levels.size() : 0));
}

/// Shows lines to every level of the problem that looks at the observed points.
inline void show_lines(const LinesView& lines, std::span<ProblemView> problems) {
  for (ProblemView& problem : problems) {
    for (int l = 0; l < problem.levels; ++l) problem.level[l].lines = lines;
  }
}

/// An observed point, moved, and its residual; both are zero where the field knows no reference point.
struct SampleMiss {
  float place[3], miss[3];
};

/// Observed points in host memory, one array a coordinate.
class HostObserved {
 public:
  /// `field` must outlive the view.
  ProblemView place(const ObservedView& observed, const FieldData& field);

 private:
  struct Points {
    std::vector<float> x, y, z, weight;
  };
  static void show(const Points& points, LevelView& level);

  Points sample_, all_;
};

}  // namespace dovetail
