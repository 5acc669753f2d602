// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/error.h"
#include "dovetail/scanner.h"

namespace dovetail {

bool scanner_available() { return false; }

PointCloud scan(const PointCloud&, const ScanOptions&) {
  throw MachineError("the virtual scanner is not in this build: it needs Embree 3 (Debian: libembree-dev)");
}

}  // namespace dovetail
