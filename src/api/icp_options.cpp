// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "api/option_table.h"

namespace dovetail {
namespace {

constexpr OptionRow<Icp> rows[] = {
    {"metric", &Icp::metric, any, "what is made small: distances to points, to the target's planes, or between planes"},
    {"estimate_scale", &Icp::estimate_scale, any, "also estimate a uniform scale (point_to_point only)"},
    {"kernel", &Icp::kernel, any, "how the weight of a pair falls with its distance"},
    {"kernel_scale", &Icp::kernel_scale, automatic_or_positive,
     "distance at which the kernel bites at the finest level, in file units"},
    {"max_distance", &Icp::max_distance, automatic_or_positive,
     "pairs farther apart than this never count, in file units"},
    {"overlap", &Icp::overlap, part_or_automatic,
     "expected share of source points with a counterpart; the farthest others are trimmed"},
    {"levels", &Icp::levels, zero_or(1, 12, "1 to 12, or 0 for automatic"), "resolutions from coarse to fine"},
    {"voxel", &Icp::voxel, zero_or_more, "voxel size of the finest level, in file units; 0 is full resolution"},
    {"max_iterations", &Icp::max_iterations, up_to_a_million, "the most iterations at the finest level"},
    {"tolerance", &Icp::tolerance, part,
     "converged when no source point moves farther than this part of the source's radius"},
    {"free", &Icp::free, any, "motions that may change, about the target's axes; the others keep the start's value"},
    {"starts", &Icp::starts, zero_or(1, 10000, "1 to 10000, or 0 for automatic"),
     "starting poses tried around each given start"},
    {"normal_neighbours", &Icp::normal_neighbours, from_to(3, 32, "3 to 32"),
     "points a normal is estimated from, where the file has none"},
};

}  // namespace

template <>
std::span<const OptionRow<Icp>> option_rows<Icp>() {
  return rows;
}

}  // namespace dovetail
