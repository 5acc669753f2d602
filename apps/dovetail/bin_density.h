// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "command.h"
#include "dovetail/points.h"
#include "dovetail/pose_density.h"
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
  struct PartDensity {
    std::string name;
    Symmetry symmetry;
    PoseDensity density;
  };
  PartDensity density_of(const RestingPoses& resting, std::size_t part, const PointCloud& mesh) const;
  void write(const std::filesystem::path& folder, const PartDensity& of, const PointCloud& mesh) const;
  void print(const PartDensity& of) const;
};

}  // namespace dovetail::app
