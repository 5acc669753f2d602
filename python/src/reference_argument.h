// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <memory>
#include <optional>

#include "dovetail/distance_field.h"
#include "dovetail/points_view.h"
#include "likes.h"

namespace dovetail::python {

class PointsArgument;

/// What points are brought onto in chamfer alignment, as it came from Python: a Reference, a DistanceField, a file of
/// either, or points.
class ReferenceArgument {
 public:
  ReferenceArgument(const ReferenceLike& reference, const char* name);
  ~ReferenceArgument();

  const DistanceField* field() const { return field_ ? &*field_ : nullptr; }
  /// Where it is no field: as a reference; points are copied.
  const Reference& reference();
  /// Where they are points, without lines: the view of them.
  const PointsView* points() const;
  std::optional<GeoFrame> frame() const;

 private:
  pybind11::object keep_;
  std::optional<DistanceField> field_;
  std::shared_ptr<Reference> own_;
  const Reference* reference_ = nullptr;
  std::unique_ptr<PointsArgument> points_;
};

/// Observed points, as the program reads them: of a file of lines points along them, longitudes and latitudes in the
/// reference's frame. Sets `frame` where the file was in degrees.
PointsLike observed_points(const PointsLike& observed, const std::optional<GeoFrame>& reference_frame,
                           std::optional<GeoFrame>& frame);

}  // namespace dovetail::python
