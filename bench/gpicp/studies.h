// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dovetail/workspace.h"
#include "gpicp/loops.h"
#include "gpicp/scene.h"
#include "harness.h"
#include "peers/peer.h"

namespace dovetail::bench::gpicp_studies {

/// What all studies work on.
struct Bench {
  const Arguments& arguments;
  const Scene& scene;
  Workspace& workspace;
  int threads = 1;
  Peer* pcl = nullptr;  ///< null where it is not there
};

/// A row of a study: which study, who runs, and what is varied.
struct Row {
  std::string study, method, varied;
  double at = 0;
};

/// How one instance is brought to its place.
using RunInstance = std::function<Outcome(const Instance&)>;

/// Runs some instances of one object one after another and prints a line: the median time of an instance, the mean of
/// their exact and approximate errors with the least and the largest exact one, and how many are right.
void print_row(const Bench& bench, const Row& row, const StudiedObject& object,
               const std::vector<const Instance*>& instances, const RunInstance& run, const std::string& peer = {});

/// Some instances of an object of which enough can be seen.
std::vector<const Instance*> visible_ones(const Scene& scene, std::size_t object, std::size_t most);

/// Starts, shift, set size, share scored, epsilon, one search or two an iteration.
void run_sweeps(const Bench& bench);
/// A query of each tree, each way, and of a field.
void run_searches(const Bench& bench);
/// All instances; points in an instance; PCL from the same starts.
void run_loads(const Bench& bench);

}  // namespace dovetail::bench::gpicp_studies
