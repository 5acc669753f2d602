// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "dovetail/workspace.h"
#include "gpicp/scene.h"
#include "peers/peer.h"

// Whole registrations of an instance from given starts, from the caller's points to the answer.

namespace dovetail::bench::gpicp_studies {

struct WholeRun {
  Similarity3 pose = Similarity3::identity();
  double milliseconds = 0, processor_ms = 0;
};

/// register_points with GPICP's defaults, told where to start. `cloud` holds the object's points.
WholeRun run_default(const Scene& scene, const PointCloud& cloud, const std::vector<Similarity3>& starts,
                     Workspace& workspace);

/// A peer's point-to-point ICP from the same starts; of its answers the one with the least exact error, which is not
/// part of the time. Negative milliseconds where the peer has no such thing.
WholeRun run_peer(Peer& peer, const Scene& scene, const StudiedObject& object, const std::vector<Similarity3>& starts,
                  int threads);

/// An object's points as a cloud of their own.
PointCloud points_of(const StudiedObject& object);

}  // namespace dovetail::bench::gpicp_studies
