// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <string>

#include "confidence/cases.h"
#include "core/random.h"

// What the makers of cases share.

namespace dovetail::bench::confidence {

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

/// Fills in clouds, truth, object and details of the kind that `c` names, from an object of its set. A maker may set
/// the start; finish_case() draws it otherwise.
void make_synthetic(Case& c, RandomStream& random);
void make_cad(Case& c, RandomStream& random);
void make_real(Case& c, RandomStream& random);

std::string synthetic_kind(RandomStream& random);
std::string cad_kind(RandomStream& random);
std::string real_kind(RandomStream& random);
bool is_kind(const std::string& set, const std::string& kind);

/// What a kind does to clouds that are there: noise, outliers, thinned, cut_out, unequal_density, far_coordinates,
/// units, normals. Any other kind now and then gets a little of it too.
void spoil_case(Case& c, RandomStream& random);

/// Near and far starts about the truth, by the kind; of strangers, any.
void draw_start(Case& c, RandomStream& random);

}  // namespace dovetail::bench::confidence
