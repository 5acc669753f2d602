// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "backend/batch.h"
#include "core/random.h"

// A made-up method, as small as a method can be with several hypotheses and bins: it runs through the loops of every
// machine in the tests, and is the example in ARCHITECTURE.md and CONTRIBUTING.md.

namespace dovetail::test {

/// Adds up digits. Hypothesis h looks at as many digits as there are, drawn at random by (round, h, item), and counts
/// each of them h + 1 times; a round's best hypothesis is the one with the largest sum.
struct Digits : MethodDefaults {
  struct Data {
    const float* digits;
    std::uint32_t count;
  };
  struct Params {
    std::uint32_t most = 1;  ///< hypotheses of a state
  };
  struct State {
    std::uint32_t data = 0, hypotheses = 1;
    int rounds = 3;    ///< to go
    double total = 0;  ///< of all sums so far
    double best = 0, nines = 0;
  };
  struct Sums {
    double sum, items;
  };

  static std::uint32_t most_hypotheses(const Params& p) { return p.most; }
  static std::uint32_t bins(const Params&) { return 10; }
  DOVETAIL_HD static std::uint32_t hypotheses(const Params&, const State& s) { return s.hypotheses; }
  DOVETAIL_HD static std::uint32_t data_index(const Params&, const State& s) { return s.data; }
  DOVETAIL_HD static std::uint32_t items(const Data& data, const State&) { return data.count; }
  DOVETAIL_HD static bool finished(const State& s) { return s.rounds == 0; }

  /// What one item of a hypothesis adds: add(number of the sum, value), and its bin.
  template <class Add>
  DOVETAIL_HD static std::uint32_t look(const Data& data, const State& s, std::uint32_t h, std::uint32_t item,
                                        const Add& add) {
    RandomStream random(static_cast<std::uint64_t>(s.rounds), std::uint64_t{h} << 32 | item);
    const float digit = data.digits[random.below(data.count)];
    add(0, double{digit} * (h + 1));
    add(1, 1.0);
    return static_cast<std::uint32_t>(digit);
  }

  DOVETAIL_HD static void advance(const Params&, State& s, const Sums* sums, const std::uint32_t* bins) {
    for (std::uint32_t h = 0; h < s.hypotheses; ++h) {
      s.total += sums[h].sum;
      s.best = sums[h].sum > s.best ? sums[h].sum : s.best;
      s.nines += bins[10 * h + 9];
    }
    --s.rounds;
  }
};

/// Digits of four lengths, and states over them of which some have finished before they begin. Sums of digits are whole
/// numbers: whoever adds them, in whatever order, comes to the same.
struct DigitsCase {
  static constexpr std::uint32_t lengths[] = {0, 1, 2, 33, 10007};
  std::vector<std::vector<float>> digits;

  DigitsCase() {
    for (const std::uint32_t length : lengths) {
      auto& some = digits.emplace_back(length);
      for (std::uint32_t i = 0; i < length; ++i) some[i] = static_cast<float>(RandomStream(5, i).below(10));
    }
  }

  Batch<Digits> batch(std::uint32_t most) const {
    Batch<Digits> b;
    b.params.most = most;
    b.max_iterations = 5;
    b.keeps_bins = true;
    for (const auto& some : digits) b.data.push_back({some.data(), static_cast<std::uint32_t>(some.size())});
    for (std::uint32_t i = 0; i < 15; ++i) {
      Digits::State s;
      s.data = i % 5;
      s.hypotheses = i < 5 ? most : most * (i % 4) / 3;  // fewer than there may be, and none
      s.rounds = i % 7 == 3 ? 0 : 1 + static_cast<int>(i % 3);
      b.states.push_back(s);
    }
    return b;
  }

  /// What a state comes to, by its definition.
  Digits::State right(Digits::State s) const {
    const Digits::Data data{digits[s.data].data(), static_cast<std::uint32_t>(digits[s.data].size())};
    while (!Digits::finished(s)) {
      std::vector<Digits::Sums> sums(s.hypotheses + 1);
      std::vector<std::uint32_t> bins(10 * (s.hypotheses + 1));
      for (std::uint32_t h = 0; h < s.hypotheses; ++h) {
        for (std::uint32_t i = 0; i < data.count; ++i) {
          ++bins[10 * h + Digits::look(data, s, h, i, [&](int k, double v) { as_doubles(sums[h])[k] += v; })];
        }
      }
      Digits::advance({}, s, sums.data(), bins.data());
    }
    return s;
  }
};

/// Runs batches of one to forty hypotheses, and compares every state with its definition. `run(batch)` is the machine.
template <class Run>
void expect_digits(const Run& run) {
  const DigitsCase c;
  for (const std::uint32_t most : {1u, 2u, 3u, 40u}) {
    Batch<Digits> batch = c.batch(most);
    const Batch<Digits> before = batch;
    run(batch);
    ASSERT_EQ(batch.sums.size(), batch.states.size() * most);
    for (std::size_t i = 0; i < batch.states.size(); ++i) {
      SCOPED_TRACE("state " + std::to_string(i) + " of " + std::to_string(most) + " hypotheses at most");
      const Digits::State right = c.right(before.states[i]), &found = batch.states[i];
      EXPECT_EQ(found.rounds, 0);
      EXPECT_EQ(found.total, right.total);
      EXPECT_EQ(found.best, right.best);
      EXPECT_EQ(found.nines, right.nines);
      if (Digits::finished(before.states[i])) continue;
      const std::uint32_t length = batch.data[found.data].count;
      for (std::uint32_t h = 0; h < found.hypotheses; ++h) {
        EXPECT_EQ(batch.sums[i * most + h].items, length) << "the last pass is over all items";
        std::uint32_t binned = 0;
        for (int d = 0; d < 10; ++d) binned += batch.bins[(i * most + h) * 10 + static_cast<std::size_t>(d)];
        EXPECT_EQ(binned, length);
      }
    }
  }
}

inline bool same_state(const Digits::State& a, const Digits::State& b) {
  return a.rounds == b.rounds && a.total == b.total && a.best == b.best && a.nines == b.nines;
}

/// The cut between pass and advance: what is added there counts, and where nothing is added no bit changes.
template <class Run>
void expect_digits_combined(const Run& run) {
  const DigitsCase c;
  for (const std::uint32_t most : {1u, 3u}) {
    Batch<Digits> plain = c.batch(most), idle = c.batch(most), doubled = c.batch(most);
    int calls = 0;
    idle.combine = [&](std::span<Digits::Sums> sums, std::span<std::uint32_t> bins) {
      ++calls;
      EXPECT_EQ(sums.size(), 15 * most);
      EXPECT_EQ(bins.size(), 150 * most);
    };
    doubled.combine = [](std::span<Digits::Sums> sums, std::span<std::uint32_t> bins) {
      for (Digits::Sums& s : sums) s.sum *= 2;
      for (std::uint32_t& b : bins) b *= 2;
    };
    run(plain), run(idle), run(doubled);
    EXPECT_EQ(calls, 3) << "once per iteration";
    for (std::size_t i = 0; i < plain.states.size(); ++i) {
      EXPECT_TRUE(same_state(plain.states[i], idle.states[i])) << i;
      EXPECT_EQ(doubled.states[i].total, 2 * plain.states[i].total) << i;
      EXPECT_EQ(doubled.states[i].nines, 2 * plain.states[i].nines) << i;
    }
  }
}

}  // namespace dovetail::test
