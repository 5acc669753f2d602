// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "gpicp/studies.h"

// The studies of the GPICP thesis, with the error beside every time: docs/gpicp_studies.md shows what came of them.

int main(int argc, char** argv) {
  using namespace dovetail;
  using namespace dovetail::bench;
  const Arguments arguments = parse_arguments(argc, argv);
  if (arguments.gpu_only) return 0;
  describe_machine("gpicp_studies");
  const int threads = all_threads();
  const ThreadLimit limit(threads);
  Workspace workspace(Machine::cpu, 0, threads);
  const auto scene = gpicp_studies::laid_scene(0, workspace.backend());
  const auto peers = load_peers(arguments);
  gpicp_studies::Bench all{arguments, *scene, workspace, threads, nullptr};
  for (const auto& peer : peers) {
    if (peer->name().rfind("PCL", 0) == 0 && !peer->methods().empty()) all.pcl = peer.get();
  }
  gpicp_studies::run_searches(all);
  gpicp_studies::run_sweeps(all);
  gpicp_studies::run_loads(all);
}
