// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cmath>
#include <cstdint>

#include "dovetail/rotation.h"

namespace dovetail {

/// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", 2011): random bits as a
/// function of (seed, stream, counter), with no state. A point, a start or a thread takes its own stream and draws the
/// same numbers whoever computes it.
struct Philox {
  std::uint64_t seed = 0;

  struct Block {
    std::uint32_t word[4];
    friend constexpr bool operator==(const Block&, const Block&) = default;
  };

  DOVETAIL_HD constexpr Block operator()(std::uint64_t stream, std::uint64_t counter) const {
    return bijection({{low(counter), high(counter), low(stream), high(stream)}}, low(seed), high(seed));
  }

  /// The ten rounds themselves.
  DOVETAIL_HD static constexpr Block bijection(Block c, std::uint32_t key0, std::uint32_t key1) {
    for (int round = 0; round < 10; ++round) {
      const std::uint64_t a = std::uint64_t{0xD2511F53u} * c.word[0];
      const std::uint64_t b = std::uint64_t{0xCD9E8D57u} * c.word[2];
      c = {{high(b) ^ c.word[1] ^ key0, low(b), high(a) ^ c.word[3] ^ key1, low(a)}};
      key0 += 0x9E3779B9u;
      key1 += 0xBB67AE85u;
    }
    return c;
  }

 private:
  DOVETAIL_HD static constexpr std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
  DOVETAIL_HD static constexpr std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }
};

/// 24 random bits as a float in [0, 1).
DOVETAIL_HD constexpr float uniform_float(std::uint32_t bits) {
  return static_cast<float>(bits >> 8) * (1.0f / 16777216.0f);
}
/// 53 random bits as a double in [0, 1).
DOVETAIL_HD constexpr double uniform_double(std::uint32_t high, std::uint32_t low) {
  const std::uint64_t bits = (std::uint64_t{high} << 32 | low) >> 11;
  return static_cast<double>(bits) * (1.0 / 9007199254740992.0);
}

/// The numbers of one stream one after another. Two copies go on alike.
class RandomStream {
 public:
  DOVETAIL_HD constexpr RandomStream(std::uint64_t seed, std::uint64_t stream) : philox_{seed}, stream_(stream) {}

  DOVETAIL_HD constexpr std::uint32_t next() {
    if (used_ == 4) block_ = philox_(stream_, counter_++), used_ = 0;
    return block_.word[used_++];
  }
  /// In [0, 1).
  DOVETAIL_HD constexpr float uniform_f() { return uniform_float(next()); }
  DOVETAIL_HD constexpr double uniform() {
    const std::uint32_t high = next(), low = next();
    return uniform_double(high, low);
  }
  /// In [low, high).
  DOVETAIL_HD constexpr double uniform(double low, double high) { return low + (high - low) * uniform(); }

  /// Standard normal (Box and Muller; one of the pair).
  DOVETAIL_HD double normal() {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));  // 1 - u is never 0
    return radius * std::cos(two_pi * uniform());
  }

  /// An index below n > 0, every one equally likely (Lemire 2019: multiply, reject the uneven rest).
  DOVETAIL_HD constexpr std::uint32_t below(std::uint32_t n) {
    std::uint64_t product = std::uint64_t{next()} * n;
    if (static_cast<std::uint32_t>(product) < n) {
      const std::uint32_t uneven = (0u - n) % n;
      while (static_cast<std::uint32_t>(product) < uneven) product = std::uint64_t{next()} * n;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

  /// Uniform on the unit sphere (Archimedes: z is uniform).
  DOVETAIL_HD Vec3 unit_vector() {
    const double z = uniform(-1.0, 1.0), angle = two_pi * uniform();
    const double radius = std::sqrt(1.0 - z * z);
    return {radius * std::cos(angle), radius * std::sin(angle), z};
  }

  /// A rotation uniform over SO(3) (Shoemake's quaternion).
  DOVETAIL_HD Mat3 rotation() {
    const double u = uniform(), a = two_pi * uniform(), b = two_pi * uniform();
    const double s = std::sqrt(1.0 - u), c = std::sqrt(u);
    return matrix_from_quaternion(
        Quaternion<double>{c * std::cos(b), s * std::sin(a), s * std::cos(a), c * std::sin(b)});
  }

 private:
  static constexpr double two_pi = 6.283185307179586476925;

  Philox philox_;
  std::uint64_t stream_;
  std::uint64_t counter_ = 0;
  Philox::Block block_ = {};
  int used_ = 4;
};

}  // namespace dovetail
