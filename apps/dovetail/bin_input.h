// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "dovetail/bins.h"
#include "option_flags.h"
#include "part_input.h"

namespace dovetail::app {

/// What every command that simulates bins is given: the parts, how many of each, the bin, and the run.
struct BinInput {
  PartInput from;
  std::uint64_t seed = 0;
  bool quiet = false;

  void add_to(CLI::App& command);

  /// So many of each. The meshes have to stay.
  std::vector<BinPart> wanted(const std::vector<PointCloud>& meshes) const;
  BinOptions bin_options() const;
  BinRun bin_run() const;
  /// Throws InvalidArgument for flags that cannot be, before any file is read.
  void check() const;
  /// What the parts are called in files: without their folders.
  std::vector<std::string> names() const;

 private:
  std::vector<int> counts() const;

  std::string count_ = "10", size_;
  int threads_ = 0;
  OptionFlags<BinOptions> bin_flags_;
};

/// The lines of a summary that tell what came to rest.
void print_bins(const std::vector<Bin>& bins);
/// not_usable where one of them did not come to rest.
int exit_code(const std::vector<Bin>& bins);

}  // namespace dovetail::app
