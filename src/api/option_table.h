// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

#include "dovetail/bin_images.h"
#include "dovetail/bins.h"
#include "dovetail/chamfer.h"
#include "dovetail/depth_sensor.h"
#include "dovetail/em_icp.h"
#include "dovetail/find.h"
#include "dovetail/find_parts.h"
#include "dovetail/gpicp.h"
#include "dovetail/icp.h"
#include "dovetail/pose_database.h"
#include "dovetail/pose_evaluation.h"
#include "dovetail/run.h"
#include "dovetail/softassign.h"
#include "dovetail/symmetry.h"

// The one declaration of every option: a row binds a struct's field to its name, its range and its help. The command
// line, JSON and Python read the same rows.

namespace dovetail {

struct Range {
  double low, high;
  std::string_view text;  ///< for people
  bool low_excluded = false;
  bool zero_too = false;  ///< 0 is allowed as "automatic" though it is outside
};
constexpr Range from_to(double low, double high, std::string_view text) { return {low, high, text}; }
constexpr Range zero_or(double low, double high, std::string_view text) { return {low, high, text, false, true}; }

inline constexpr double unlimited = 1e300;
inline constexpr Range any{};
inline constexpr Range zero_or_more{0, unlimited, "0 or more"};
inline constexpr Range up_to_a_million{1, 1e6, "1 to 1000000"};
inline constexpr Range part{0, 1, "more than 0 up to 1", true};
inline constexpr Range part_or_automatic{0, 1, "more than 0 up to 1, or 0 for automatic", true, true};
inline constexpr Range automatic_or_positive{0, unlimited, "more than 0, or 0 for automatic", true, true};

template <class Options>
struct OptionRow {
  using Field = std::variant<double Options::*, int Options::*, bool Options::*, std::uint64_t Options::*,
                             Metric Options::*, Kernel Options::*, Weighting Options::*, Refinement Options::*,
                             Machine Options::*, OriginPoints Options::*, Freedom Options::*, ChamferModel Options::*,
                             ChamferFinish Options::*, LmOrder Options::*, FieldStorage Options::*,
                             StartsFrom Options::*, Lookup Options::*, SearchTree Options::*, Drawing Options::*,
                             Viewpoints Options::*, OrientationSampling Options::*, RoughErrors Options::*>;
  std::string_view name;
  Field field;
  Range range;
  std::string_view help;
};

/// The rows of an option struct.
template <class Options>
std::span<const OptionRow<Options>> option_rows();

/// The names of an enumeration's values, in their order.
template <class Enum>
inline constexpr std::array<std::string_view, 0> names_of{};
template <>
inline constexpr std::array<std::string_view, 3> names_of<Metric>{"point_to_point", "point_to_plane", "plane_to_plane"};
template <>
inline constexpr std::array<std::string_view, 5> names_of<Kernel>{"none", "huber", "tukey", "geman_mcclure",
                                                                  "truncated"};
template <>
inline constexpr std::array<std::string_view, 2> names_of<Weighting>{"posterior", "square_root"};
template <>
inline constexpr std::array<std::string_view, 2> names_of<Refinement>{"none", "icp"};
template <>
inline constexpr std::array<std::string_view, 4> names_of<ChamferModel>{"rigid", "similarity", "affine", "projective"};
template <>
inline constexpr std::array<std::string_view, 3> names_of<ChamferFinish>{"auto", "distance", "likelihood"};
template <>
inline constexpr std::array<std::string_view, 2> names_of<LmOrder>{"pipelined", "traditional"};
template <>
inline constexpr std::array<std::string_view, 3> names_of<FieldStorage>{"auto", "dense", "banded"};
template <>
inline constexpr std::array<std::string_view, 3> names_of<StartsFrom>{"contacts", "rotations", "random"};
template <>
inline constexpr std::array<std::string_view, 3> names_of<Lookup>{"field", "tree", "depth_first"};
template <>
inline constexpr std::array<std::string_view, 2> names_of<SearchTree>{"buckets", "left_balanced"};
template <>
inline constexpr std::array<std::string_view, 2> names_of<Drawing>{"even", "features"};
template <>
inline constexpr std::array<std::string_view, 2> names_of<Viewpoints>{"auto", "unknown"};
template <>
inline constexpr std::array<std::string_view, 2> names_of<OrientationSampling>{"adaptive", "uniform"};
template <>
inline constexpr std::array<std::string_view, 2> names_of<RoughErrors>{"robust", "paper"};
template <>
inline constexpr std::array<std::string_view, 4> names_of<Machine>{"auto", "cpu", "cuda", "reference"};
template <>
inline constexpr std::array<std::string_view, 3> names_of<OriginPoints>{"auto", "keep", "drop"};

}  // namespace dovetail
