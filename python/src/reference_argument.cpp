// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "reference_argument.h"

#include <pybind11/stl/filesystem.h>

#include "dovetail/observed_file.h"
#include "file_argument.h"
#include "points_argument.h"
#include "session.h"

namespace dovetail::python {

namespace py = pybind11;

namespace {}  // namespace

ReferenceArgument::ReferenceArgument(const ReferenceLike& given, const char* name) : keep_(given.object) {
  if (py::isinstance<DistanceField>(keep_)) {
    field_ = keep_.cast<DistanceField>();
  } else if (py::isinstance<Reference>(keep_)) {
    reference_ = keep_.cast<const Reference*>();
  } else if (is_file(keep_)) {
    const auto file = keep_.cast<std::filesystem::path>();
    without_gil([&] {
      std::error_code ignored;
      if (std::filesystem::is_regular_file(file, ignored) && is_field_file(file)) {
        field_ = load_field(file);
      } else {
        own_ = std::make_shared<Reference>(read_reference(file));
        reference_ = own_.get();
      }
      return 0;
    });
  } else {
    points_ = std::make_unique<PointsArgument>(PointsLike{keep_}, name);
  }
}

ReferenceArgument::~ReferenceArgument() = default;

const Reference& ReferenceArgument::reference() {
  if (reference_ == nullptr) {
    own_ = std::make_shared<Reference>();
    own_->points = points_->cloud();
    reference_ = own_.get();
  }
  return *reference_;
}

const PointsView* ReferenceArgument::points() const { return points_ ? &points_->view() : nullptr; }

std::optional<GeoFrame> ReferenceArgument::frame() const {
  if (field_) return field_->frame();
  return reference_ != nullptr ? reference_->frame : std::nullopt;
}

PointsLike observed_points(const PointsLike& observed, const std::optional<GeoFrame>& reference_frame,
                           std::optional<GeoFrame>& frame) {
  if (!is_file(observed.object)) return observed;
  const auto file = observed.object.cast<std::filesystem::path>();
  ReferenceOptions options;
  options.frame = reference_frame;
  ObservedFile moving = without_gil([&] { return read_observed(file, options); });
  frame = moving.frame;
  return {py::cast(std::move(moving.points))};
}

}  // namespace dovetail::python
