// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/error.h"
#include "dovetail/scanner.h"

namespace dovetail {

bool scanner_available() { return false; }

PointCloud scan(std::span<const ScenePart>, const ScanOptions&) {
  throw MachineError("the virtual scanner is not in this build: it needs Embree 3 (Debian: libembree-dev)");
}

PointCloud scan(const PointCloud&, const ScanOptions& options) { return scan(std::span<const ScenePart>(), options); }

}  // namespace dovetail
