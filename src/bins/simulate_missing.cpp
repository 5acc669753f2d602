// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/bins.h"
#include "dovetail/error.h"

namespace dovetail {
namespace {

[[noreturn]] void refuse() {
  throw MachineError(
      "bins are not simulated by this build: that needs Bullet in double precision (Debian: libbullet-dev)");
}

}  // namespace

bool bins_available() { return false; }

std::vector<Bin> simulate_bins(std::span<const BinPart>, int, const BinOptions&, std::uint64_t, const BinRun&) {
  refuse();
}
Bin simulate_bin(std::span<const BinPart>, const BinOptions&, std::uint64_t, const BinRun&) { refuse(); }

}  // namespace dovetail
