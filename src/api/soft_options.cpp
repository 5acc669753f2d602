// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "api/option_table.h"

namespace dovetail {
namespace {

/// The rows of EM-ICP and Softassign: one of its own, and then what they have in common.
template <class Options>
constexpr std::array<OptionRow<Options>, 15> soft_rows(const OptionRow<Options>& own) {
  return {{
      own,
      {"normal_neighbours", &Options::normal_neighbours, from_to(3, 32, "3 to 32"),
       "points a normal is estimated from, where the file has none"},
      {"estimate_scale", &Options::estimate_scale, any, "also estimate a uniform scale"},
      {"sigma_start", &Options::sigma_start, automatic_or_positive, "width of the weights at the start, in file units"},
      {"sigma_end", &Options::sigma_end, automatic_or_positive, "width of the weights at the end, in file units"},
      {"annealing", &Options::annealing, zero_or(0.01, 0.999, "0.01 to 0.999, or 0 for adaptive"),
       "factor of the squared width from one pose to the next"},
      {"outlier_distance", &Options::outlier_distance, automatic_or_positive,
       "distance beyond which a point counts as having no counterpart, in file units"},
      {"overlap", &Options::overlap, part_or_automatic, "expected share of source points with a counterpart"},
      {"voxel", &Options::voxel, zero_or_more, "voxel size of the finest level, in file units; 0 is full resolution"},
      {"max_iterations", &Options::max_iterations, up_to_a_million, "the most pose updates at the finest level"},
      {"tolerance", &Options::tolerance, part,
       "converged when, at the last width, no source point moves farther than this part of the source's radius"},
      {"accuracy", &Options::accuracy, from_to(0, 0.01, "0 to 0.01"),
       "relative error allowed in each point's sum of weights; 0 computes every pair"},
      {"free", &Options::free, any,
       "motions that may change, about the target's axes; the others keep the start's value"},
      {"starts", &Options::starts, zero_or(1, 100000, "1 to 100000, or 0 for automatic"),
       "starting rotations tried about each given start"},
      {"refine", &Options::refine, any, "what polishes the answer"},
  }};
}

constexpr auto em_icp_rows = soft_rows<EmIcp>(
    {"weighting", &EmIcp::weighting, any, "what a pair counts: its probability, or the root of it as the paper does"});

constexpr auto softassign_rows =
    soft_rows<Softassign>({"sweeps", &Softassign::sweeps, from_to(1, 100, "1 to 100"),
                           "times the weights are normalised over the target's points before each pose"});

}  // namespace

template <>
std::span<const OptionRow<EmIcp>> option_rows<EmIcp>() {
  return em_icp_rows;
}

template <>
std::span<const OptionRow<Softassign>> option_rows<Softassign>() {
  return softassign_rows;
}

}  // namespace dovetail
