// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <string>

#include "core/random.h"

// What is drawn at random in more than one place.

namespace dovetail::bench::scenes {

struct Chance {
  const char* name;
  double weight;
};

/// One of the names, as likely as its weight says.
inline std::string drawn(std::span<const Chance> chances, RandomStream& random) {
  double sum = 0;
  for (const Chance& c : chances) sum += c.weight;
  double at = random.uniform(0, sum);
  for (const Chance& c : chances) {
    if ((at -= c.weight) < 0) return c.name;
  }
  return chances.back().name;
}

/// Between two positive numbers, every octave as likely as every other.
inline double log_uniform(double low, double high, RandomStream& random) {
  return low * std::exp(random.uniform() * std::log(high / low));
}

inline std::size_t point_count(double low, double high, RandomStream& random) {
  return static_cast<std::size_t>(log_uniform(low, high, random));
}

inline bool chance(double probability, RandomStream& random) { return random.uniform() < probability; }

}  // namespace dovetail::bench::scenes
