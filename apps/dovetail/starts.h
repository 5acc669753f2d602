// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "dovetail/chamfer.h"
#include "dovetail/run.h"

namespace dovetail::app {

/// Which poses a method can start from.
struct StartModel {
  Model widest;         ///< and every model it contains
  std::string allowed;  ///< for people
};
template <class Options>
StartModel start_model(const Options& options, int dimension) {
  const bool flat = dimension == 2;
  const Model rigid = flat ? Model::rigid2 : Model::rigid3;
  if constexpr (requires { options.estimate_scale; }) {
    if (options.estimate_scale) return {flat ? Model::similarity2 : Model::similarity3, "rigid or similarity"};
    return {rigid, "rigid, or similarity with --estimate-scale"};
  } else {
    return {rigid, "rigid"};
  }
}
StartModel start_model(const Chamfer& options, int dimension);

/// Adds `--start FILE|identity|centroid`, which may be repeated.
void add_start_flag(CLI::App& command, std::vector<std::string>& starts);

/// Adds `--start-covariance FILE`.
void add_covariance_flag(CLI::App& command, std::string& file);

/// Reads the file of `--start-covariance` into the run, if there is one. Throws FileError that names it.
void set_start_covariance(Run& run, const std::string& file, int dimension);

/// Reads the poses of `--start` into the run. `dimension` is that of the clouds. Throws FileError that names the file
/// of a pose that cannot be a start, and what is wrong with it.
void set_starts(Run& run, const std::vector<std::string>& starts, int dimension, const StartModel& model);

}  // namespace dovetail::app
