// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <functional>

#include "bins/body.h"

namespace dovetail::bins {

/// Drops the bodies into one bin and waits until they rest. `told` hears the share that is done, and says whether to go
/// on.
Bin fill_bin(const Bodies& bodies, const BinSize& size, const BinOptions& options, std::uint64_t seed,
             const std::function<bool(double)>& told);

}  // namespace dovetail::bins
