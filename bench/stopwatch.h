// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <time.h>

#include <chrono>

namespace dovetail::bench {

class Stopwatch {
 public:
  double milliseconds() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began_).count();
  }

 private:
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

/// Processor time of this process so far, all threads together.
inline double processor_ms() {
  timespec spent{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
  return 1e3 * static_cast<double>(spent.tv_sec) + 1e-6 * static_cast<double>(spent.tv_nsec);
}

}  // namespace dovetail::bench
