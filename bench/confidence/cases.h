// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "dovetail/points.h"
#include "dovetail/transform.h"

// Registrations whose right answer is known, easy and hard, drawn at random but each from its own number.

namespace dovetail::bench::scenes {}

namespace dovetail::bench::confidence {

using namespace scenes;  // what cases are made of

struct Case {
  std::string set, kind, object, method;
  std::uint64_t index = 0, seed = 0;

  PointCloud source, target;
  Transform truth;                        ///< target_from_source
  std::vector<Transform> equivalents;     ///< other poses that a symmetric object makes just as good
  bool has_truth = true;                  ///< false: the clouds have no place where they belong together
  Transform start;                        ///< where the method begins, or the pose that is evaluated
  Vec3 period{};                          ///< of repeated structure, in the target's frame; zero: there is none
  bool evaluate_icps_answer = false;      ///< with method "evaluate": the pose that ICP finds from the start alone
  std::map<std::string, double> details;  ///< what was drawn: angle, noise, overlap, ...
};

/// What a case shall be; empty: drawn.
struct Wanted {
  std::string kind, method;
};

/// Case `index` of a set: "synthetic", "cad" or "real". Throws InvalidArgument for a set or kind there is not.
Case make_case(const std::string& set, std::uint64_t index, std::uint64_t seed, const Wanted& wanted = {});

/// How far a pose is from another as a judge sees it.
struct Off {
  double degrees = 0, radii = 0;
};
Off off_by(const Case& the_case, const Transform& pose, const Transform& truth);

/// Within 5 degrees, and the source's centroid within a tenth of its root mean square radius.
bool is_right(const Case& the_case, const Transform& pose);
bool is_right_up_to_symmetry(const Case& the_case, const Transform& pose);

}  // namespace dovetail::bench::confidence
