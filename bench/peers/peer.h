// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

// Other libraries, measured beside Dovetail. Each is a module of its own (peer_pcl.so, peer_open3d.so, ...) that a
// benchmark loads where it finds it: their headers do not bear each other nor our warnings, and a folder of built
// benchmarks still runs on a machine that has none of them.

namespace dovetail::bench {

/// Points as x, y, z in float, one after another.
struct PeerCloud {
  const float* xyz = nullptr;
  std::size_t count = 0;
};

struct PeerSettings {
  int threads = 1;
  int neighbours = 16;      ///< for normals and local covariances
  double max_distance = 0;  ///< pairs farther apart do not count
  int max_iterations = 50;
  double tolerance = 0;  ///< stop when a step moves the cloud less, as a part of its radius
};

struct PeerRegistration {
  double target_from_source[16] = {};  ///< row-major
  double prepare_ms = 0;               ///< trees and normals, as far as the peer's interface separates them
  double loop_ms = 0;
  int iterations = 0;  ///< 0: the peer does not tell
};

/// A plane of cells, row by row.
struct PeerMask {
  const unsigned char* zero_at_seeds = nullptr;
  int width = 0, height = 0;
};

/// What a peer can do. An empty list, or false, where it cannot.
class Peer {
 public:
  virtual ~Peer() = default;
  virtual std::string name() const = 0;  ///< "PCL 1.13.0"

  /// The registration methods it has, as it calls them.
  virtual std::vector<std::string> methods() const { return {}; }
  virtual bool register_clouds(const std::string& /*method*/, const PeerCloud& /*source*/, const PeerCloud& /*target*/,
                               const PeerSettings& /*settings*/, PeerRegistration& /*result*/) {
    return false;
  }

  /// Point-to-point ICP from each of some starts (target_from_source, row-major), over one tree of the target and with
  /// as many starts at a time as there are threads: the poses, in the order of the starts. Returns the milliseconds it
  /// took, the tree included and copies not; negative where the peer has no such thing.
  virtual double register_from_starts(const PeerCloud& /*source*/, const PeerCloud& /*target*/,
                                      const PeerSettings& /*settings*/,
                                      const std::vector<std::array<double, 16>>& /*starts*/,
                                      std::vector<PeerRegistration>& /*results*/) {
    return -1;
  }

  /// Normals as x, y, z. Returns the milliseconds it took, the tree included and the copies into and out of the peer's
  /// own cloud not; negative where the peer has no such thing.
  virtual double estimate_normals(const PeerCloud& /*cloud*/, const PeerSettings& /*settings*/, float* /*normals*/) {
    return -1;
  }

  /// Reads a point file into the peer's own cloud and tells how many points it holds; 0: it does not read such files.
  virtual std::size_t read(const std::string& /*file*/) { return 0; }

  /// The ways it has to a distance field, as it calls them, and the milliseconds one takes.
  virtual std::vector<std::string> field_methods() const { return {}; }
  virtual double distance_field(const std::string& /*method*/, const PeerMask& /*mask*/, int /*threads*/) { return -1; }
};

struct Arguments;

/// The peers that can be loaded here, none with --no-peers. Those that cannot are named on stderr, with the reason.
std::vector<std::unique_ptr<Peer>> load_peers(const Arguments& arguments);

}  // namespace dovetail::bench

/// Every module has this one function.
extern "C" dovetail::bench::Peer* dovetail_make_peer();
