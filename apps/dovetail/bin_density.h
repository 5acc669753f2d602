// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "command.h"
#include "dovetail/points.h"
#include "dovetail/resting.h"
#include "part_input.h"

namespace dovetail::app {

/// `bin density FILE [PART...] --out FOLDER`: how often parts lie how.
struct BinDensityCommand {
  std::string poses, out;
  PartInput input;
  int most = 10;
  bool quiet = false;

  void add_to(CLI::App& command);
  int run() const;

 private:
  void write(const RestingPoses& resting, std::size_t part, const PointCloud& mesh) const;
};

}  // namespace dovetail::app
