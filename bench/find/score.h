// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <optional>
#include <vector>

#include "find/cases.h"
#include "find/methods.h"

namespace dovetail::bench::find {

/// How far a pose is from the truth, up to the object's symmetries: at the equivalent of the truth with the least mssd.
struct PoseError {
  double mssd = 0;     ///< the largest distance of a surface point from where it belongs, as a part of the diameter
  double degrees = 0;  ///< of the rotation
  double shift = 0;    ///< of the object's centre, in the scene's units
};
PoseError error_of(const SoughtObject& object, const Transform& found, const Transform& truth);

bool within(const Limits& limits, const PoseError& error);

struct ScoredAnswer {
  std::optional<std::size_t> placed;  ///< the truth it was compared with; absent: every instance was taken, or none is
  PoseError error;
  bool right = false;
};

struct Score {
  std::vector<ScoredAnswer> answers;  ///< in the order of the answers given
  std::size_t asked = 0;              ///< instances that had to be found
  std::size_t found = 0;              ///< of these, with a right pose
  std::size_t found_usable = 0;       ///< of these, with an answer that says it can be used
  std::size_t false_usable = 0;       ///< answers that say so and are wrong
  /// Every instance found; where there is none, no answer that says it can be used.
  bool right() const { return asked > 0 ? found == asked : false_usable == 0; }
};

/// Answers come best first. Of each object as many count as it has instances in the scene, and at least one; each takes
/// the free instance it is nearest to. One that takes an instance nobody asked for is neither right nor false.
Score score(const Case& the_case, const std::vector<Found>& answers);

}  // namespace dovetail::bench::find
