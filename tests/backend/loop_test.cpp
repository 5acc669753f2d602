// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/digits.h"
#include "backend/host_loop.h"
#include "spatial/parallel.h"

namespace dovetail {
namespace {

using namespace test;

void digits_block(const Block<Digits>& b) {
  for (std::uint32_t i = b.first; i < b.last; ++i) {
    ++b.bins[Digits::look(b.data, b.state, b.hypothesis, i, [&](int k, double v) { as_doubles(b.sums)[k] += v; })];
  }
}

void run_on_threads(Batch<Digits>& batch) {
  const auto deal = [](std::size_t count, const auto& f) { parallel_for(count, 1, [&](std::size_t i) { f(i); }); };
  run_host_loop(batch, deal, digits_block);
}

TEST(HostLoopOfAMadeUpMethod, SumsEveryHypothesisOfEveryState) { expect_digits(run_on_threads); }
TEST(HostLoopOfAMadeUpMethod, HasACutBeforeAdvance) { expect_digits_combined(run_on_threads); }

TEST(HostLoopOfAMadeUpMethod, AnEmptyBatchIsDoneAtOnce) {
  Batch<Digits> batch;
  run_on_threads(batch);
  EXPECT_TRUE(batch.sums.empty());
}

/// More bins than a block has items: blocks then go together in runs.
struct ManyBins : Digits {
  static std::uint32_t bins(const Params&) { return 5000; }
  DOVETAIL_HD static void advance(const Params&, State& s, const Sums* sums, const std::uint32_t* bins) {
    s.total += sums->sum;
    for (int i = 0; i < 5000; ++i) s.nines += bins[i] * (i + 1.0);
    --s.rounds;
  }
};

TEST(HostLoopOfAMadeUpMethod, BinsMayBeMany) {
  const std::vector<float> nothing(40000);
  Batch<ManyBins> batch;
  batch.data = {{nothing.data(), 40000}};
  batch.states.resize(2);
  batch.max_iterations = 3;
  const auto pass = [](const Block<ManyBins>& b) {
    for (std::uint32_t i = b.first; i < b.last; ++i) b.bins[i % 5000] += 1, b.sums.sum += 1;
  };
  run_host_loop(
      batch, [](std::size_t count, const auto& f) { parallel_for(count, 1, f); }, pass);
  for (const auto& s : batch.states) {
    EXPECT_EQ(s.total, 3 * 40000.0);
    EXPECT_EQ(s.nines, 3 * 8 * 5000.0 * 5001.0 / 2);
  }
}

}  // namespace
}  // namespace dovetail
