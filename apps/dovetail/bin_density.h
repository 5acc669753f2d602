// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <string>
#include <vector>

#include "command.h"
#include "dovetail/resting.h"

namespace dovetail::app {

/// `bin density`: pictures and tables of how parts lie.
struct BinDensityCommand {
  std::string poses, out;
  std::vector<std::string> meshes;
  int most = 10;
  bool quiet = false;

  void add_to(CLI::App& command);
  int run() const;

 private:
  PointCloud mesh_of(const RestingKind& kind, std::size_t& next) const;
};

}  // namespace dovetail::app
