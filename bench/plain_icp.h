// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "dovetail/workspace.h"
#include "scans.h"
#include "search/icp_levels.h"

namespace dovetail::bench {

/// Textbook ICP as the peers run it, on Dovetail's machines: full resolution only, one start, a fixed maximum distance,
/// no kernel, stop when a step is short. What register_points does beyond that (levels, annealing, more starts, the
/// figures of the result) is left out, so that iterations can be compared one to one.
class PlainIcp {
 public:
  struct Settings {
    Metric metric = Metric::point_to_plane;
    double max_distance = 0;  ///< in file units
    int max_iterations = 50;
    double tolerance = 1e-5;  ///< of the source's radius; 0: always `max_iterations` iterations
    int neighbours = 16;
  };

  /// Prepares both clouds and places them on the machine.
  PlainIcp(const ScanPair& pair, const Settings& settings, Workspace& workspace);

  double prepare_ms() const { return prepare_ms_; }
  /// Bytes one pass looks at, from whatever cache: source points, the path down the tree, one bucket, the normals.
  double touched_bytes() const;
  /// Bytes one pass must bring from memory when every cache starts empty and nothing is brought twice: both clouds, the
  /// tree and the normals, once.
  double memory_bytes() const;

  /// The loop, from the identity; the time it took is in loop_ms().
  void run();
  double loop_ms() const { return loop_ms_; }
  int iterations() const { return end_.iteration; }
  Transform target_from_source() const { return prepared_.from_local(end_.target_from_source, Model::rigid3); }

 private:
  double source_bytes() const;         ///< a source point
  double target_normal_bytes() const;  ///< the normal of a target point

  Settings settings_;
  Backend& backend_;
  Prepared prepared_;
  IcpPlan plan_;
  Level level_;
  icp::State end_;
  double prepare_ms_ = 0, loop_ms_ = 0;
};

}  // namespace dovetail::bench
