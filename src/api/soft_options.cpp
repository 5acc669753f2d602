// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "api/option_table.h"

namespace dovetail {

namespace {

/// What EM-ICP and Softassign have in common, after the rows of their own.
template <class Options, std::size_t N>
constexpr std::array<OptionRow<Options>, N + 13> with_common_rows(const OptionRow<Options> (&own)[N]) {
  const OptionRow<Options> common[13] = {
      {"estimate_scale", &Options::estimate_scale, any, "also estimate a uniform scale"},
      {"sigma_start", &Options::sigma_start, automatic_or_positive, "width of the weights at the start, in file units"},
      {"sigma_end", &Options::sigma_end, automatic_or_positive, "width of the weights at the end, in file units"},
      {"annealing",
       &Options::annealing,
       {0.01, 0.999, false, true, "0.01 to 0.999, or 0 for adaptive"},
       "factor of the squared width from one pose to the next"},
      {"outlier_distance", &Options::outlier_distance, automatic_or_positive,
       "distance beyond which a point counts as having no counterpart, in file units"},
      {"overlap", &Options::overlap, share_or_automatic, "expected share of source points with a counterpart"},
      {"voxel",
       &Options::voxel,
       {0, unlimited, false, false, "0 or more"},
       "voxel size of the finest level, in file units; 0 is full resolution"},
      {"max_iterations",
       &Options::max_iterations,
       {1, 1e6, false, false, "1 to 1000000"},
       "the most pose updates at the finest level"},
      {"tolerance",
       &Options::tolerance,
       {0, 1, true, false, "more than 0 up to 1"},
       "converged when, at the last width, no source point moves farther than this part of the source's radius"},
      {"accuracy",
       &Options::accuracy,
       {0, 0.01, false, false, "0 to 0.01"},
       "relative error allowed in each point's sum of weights; 0 computes every pair"},
      {"free", &Options::free, any,
       "motions that may change, about the target's axes; the others keep the start's value"},
      {"starts",
       &Options::starts,
       {1, 100000, false, true, "1 to 100000, or 0 for automatic"},
       "starting rotations tried about each given start"},
      {"refine", &Options::refine, any, "what polishes the answer"},
  };
  std::array<OptionRow<Options>, N + 13> rows{};
  for (std::size_t i = 0; i < N; ++i) rows[i] = own[i];
  for (std::size_t i = 0; i < 13; ++i) rows[N + i] = common[i];
  return rows;
}

template <class Options>
constexpr OptionRow<Options> normals_row{"normal_neighbours",
                                         &Options::normal_neighbours,
                                         {3, 32, false, false, "3 to 32"},
                                         "points a normal is estimated from, where the file has none"};

constexpr auto em_icp_rows = with_common_rows<EmIcp>(
    {{"weighting", &EmIcp::weighting, any, "what a pair counts: its probability, or the root of it as the paper does"},
     normals_row<EmIcp>});

constexpr auto softassign_rows =
    with_common_rows<Softassign>({{"sweeps",
                                   &Softassign::sweeps,
                                   {1, 100, false, false, "1 to 100"},
                                   "times the weights are normalised over the target's points before each pose"},
                                  normals_row<Softassign>});

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
