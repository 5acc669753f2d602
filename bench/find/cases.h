// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dovetail/points.h"
#include "dovetail/transform.h"

// Scenes in which objects are looked for, and pairs of scans, whose right answer is known.

namespace dovetail::bench::scenes {}

namespace dovetail::bench::find {

using namespace scenes;  // what scenes are made of

/// An object to be found, or the source of a registration.
struct SoughtObject {
  std::string name;
  PointCloud mesh;               ///< empty where only points are known
  PointCloud cloud;              ///< points of its surface, in the mesh's frame
  std::vector<Mat3> symmetries;  ///< rotations about the origin that map it onto itself; empty: the identity alone
  Vec3 free_axis{};              ///< any turn about it is a symmetry; zero: there is no such axis
  Vec3 center{};                 ///< where shifts are measured
  double diameter = 0;
};

/// Where a thing truly is.
struct Placed {
  std::string name;
  std::optional<std::size_t> object;  ///< which of the case's objects it is; absent: nobody looks for it
  Transform scene_from_object;
  std::size_t points = 0;  ///< of the scene that are on it
  /// The sensor's pixels that show it, as a share of those that would if nothing else were there. What it hides of
  /// itself does not count: the share tells how much others hide.
  double visible_share = 1;
  bool asked = false;  ///< it has to be found; one that is not may be
};

/// How near to the truth an answer has to be; 0: does not matter.
struct Limits {
  double degrees = 0, shift = 0;
  double mssd = 0;  ///< as a part of the diameter
};

struct Case {
  std::string set;
  std::uint64_t index = 0, seed = 0;
  bool search = false;  ///< the objects may be anywhere or nowhere in the scene; else its one object is there

  std::vector<SoughtObject> objects;
  PointCloud scene;
  std::vector<std::int32_t> labels;  ///< which of `placed` each scene point is on, -1: none; empty where nobody knows
  std::vector<Placed> placed;
  std::optional<Transform> start;  ///< scene_from_object, where one is given
  Limits limits;
  std::map<std::string, double> details;  ///< what was drawn: noise, overlap, ...
};

/// A set of cases: its name, how many there usually are, and what they are.
struct CaseSet {
  const char* name;
  std::uint64_t usual_count;
  Case (*make)(std::uint64_t index, std::uint64_t seed);
};
const std::vector<CaseSet>& case_sets();

/// Case `index` of a set, the same bits for the same index and seed. Throws InvalidArgument for a set there is not and
/// FileError where its data is not there.
Case make_case(const std::string& set, std::uint64_t index, std::uint64_t seed);

}  // namespace dovetail::bench::find
