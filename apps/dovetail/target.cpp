// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "target.h"

#include <fmt/format.h>

namespace dovetail::app {

void Target<Chamfer>::add_to(CLI::App& command) {
  reference_flags_.add_to(command);
  field_flags_.add_to(command, "Distance field");
}

void Target<Chamfer>::check_flags(const std::string& observed, const std::string& reference, bool built) const {
  if (is_field(observed)) {
    throw InvalidArgument(
        fmt::format("{} is a distance field, and a field is a reference: give the points first, as in "
                    "`dovetail register chamfer {} {}`",
                    observed, built ? "points.csv" : reference, observed));
  }
  if (built) {
    for (const std::string& flag : field_flags_.given()) {
      throw InvalidArgument(
          fmt::format("{}: {} is a field that was built already; give it to `dovetail field build`", flag, reference));
    }
    reference_flags_.check_for_field(reference, observed);
  } else {
    reference_flags_.check({observed, reference});
  }
}

PointCloud Target<Chamfer>::read(const std::string& observed, const std::string& reference) {
  const bool built = is_field(reference);
  check_flags(observed, reference, built);
  name_ = reference;
  if (built) {
    field_.emplace(load_field(reference));
  } else {
    reference_ = read_reference(reference, reference_flags_.options);
  }
  const auto& frame = field_ ? field_->frame() : reference_.frame;
  Observed moving = read_observed(observed, reference_flags_.for_observed(), frame);
  source_frame_ = moving.frame;
  return std::move(moving.points);
}

const Reference& Target<Chamfer>::shown() {
  if (field_ && reference_.points.empty()) reference_.points = reference_points(*field_);
  return reference_;
}

Registration Target<Chamfer>::align(const PointCloud& moving, const Chamfer& options, const Run& run) const {
  return naming_reference(name_, [&] {
    return field_ ? register_points(moving, *field_, options, run) : register_points(moving, reference_, options, run);
  });
}

}  // namespace dovetail::app
