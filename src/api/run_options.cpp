// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "api/option_table.h"

namespace dovetail {
namespace {

constexpr Range positive_or_unknown{0, unlimited, "more than 0, or 0 for not known", true, true};

constexpr OptionRow<Run> rows[] = {
    {"machine", &Run::machine, any, "where to run"},
    {"device", &Run::device, from_to(0, 1023, "0 to 1023"), "which GPU, where there are several"},
    {"threads", &Run::threads, zero_or(1, 4096, "1 to 4096, or 0 for all"),
     "CPU threads; the answer does not depend on it"},
    {"start_at_centroid", &Run::start_at_centroid, any, "start with the source's centroid on the target's"},
    {"start_rotation_sigma", &Run::start_rotation_sigma, positive_or_unknown,
     "how well the start's rotation is known: one standard deviation about each axis, in degrees"},
    {"start_shift_sigma", &Run::start_shift_sigma, positive_or_unknown,
     "how well the start's shift is known: one standard deviation along each axis, in file units"},
    {"seed", &Run::seed, Range{0, unlimited, "0 to 2^64 - 1"}, "seed of every random choice"},
    {"origin_points", &Run::origin_points, any, "points exactly at (0, 0, 0): no-return marks are dropped"},
    {"inlier_distance", &Run::inlier_distance, automatic_or_positive,
     "a source point with a target point this near is an inlier, in file units"},
    {"min_confidence", &Run::min_confidence, from_to(0, 1, "0 to 1"),
     "a result that is less likely to be right is not usable"},
    {"min_inlier_ratio", &Run::min_inlier_ratio, from_to(0, 1, "0 to 1"),
     "a result with a smaller share of inliers is not usable"},
    {"time_limit_ms", &Run::time_limit_ms, Range{0, unlimited, "more than 0, or 0 for no limit", true, true},
     "stop after this many milliseconds with the best pose so far"},
    {"trace", &Run::trace, any, "keep a row for every iteration in the result"},
};

}  // namespace

template <>
std::span<const OptionRow<Run>> option_rows<Run>() {
  return rows;
}

}  // namespace dovetail
