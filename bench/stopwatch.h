// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

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

}  // namespace dovetail::bench
