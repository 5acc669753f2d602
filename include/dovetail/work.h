// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <atomic>
#include <functional>

namespace dovetail {

/// How long work on the host is done, and what it tells meanwhile. What comes out does not depend on it.
struct Work {
  int threads = 0;  ///< 0: as many as there are processors
  /// Called now and then with the share of the work that is done, 0 to 1, from one thread at a time.
  std::function<void(double)> on_progress;
  /// Set from elsewhere to stop. What a call does then, it says.
  const std::atomic<bool>* cancel = nullptr;
};

}  // namespace dovetail
