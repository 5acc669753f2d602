// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/host_loop.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "backend/reference/every_point.h"
#include "support/poses.h"
#include "support/problems.h"

// The loop of the host's machines, dealt out to plain threads: a race here is the loop's own, and a thread sanitizer,
// which does not see through TBB, can tell.

namespace dovetail {
namespace {

using namespace test;

/// Four threads take whatever comes next.
constexpr auto by_threads = [](std::size_t count, const auto& work) {
  std::atomic<std::size_t> next{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    });
  }
  for (std::thread& thread : threads) thread.join();
};

void pass(const Block<Evaluation>& b) {
  for (std::uint32_t p = b.first; p < b.last; ++p) {
    Evaluation::add_item(b.data, b.params, b.state, p, EveryPoint{}, b.sums);
  }
}

class HostLoop : public testing::Test {
 protected:
  HostLoop() {
    for (const std::size_t size : {5, 2100, 64}) levels.push_back(bumpy_problem(size, 200, false).on(machine));
  }
  Batch<Evaluation> batch() const {
    Batch<Evaluation> b;
    b.params = {0.03, 0.02, 0.05};
    b.data = surfaces_of(levels);
    for (std::uint32_t i = 0; i < 7; ++i) {
      Evaluation::State state;
      state.data = i % 3;
      state.target_from_source.translation[0] = 0.01 * i;
      b.states.push_back(state);
    }
    return b;
  }
  ReferenceBackend machine;
  std::vector<Level> levels;
};

TEST_F(HostLoop, ThreadsChangeNoBit) {
  Batch<Evaluation> one = batch(), many = batch();
  run_host_loop(one, one_by_one, pass);
  run_host_loop(many, by_threads, pass);
  for (std::size_t s = 0; s < one.states.size(); ++s) {
    for (int k = 0; k < doubles_in<Evaluation::Sums>; ++k) {
      EXPECT_EQ(as_doubles(one.sums[s])[k], as_doubles(many.sums[s])[k]) << "state " << s << " entry " << k;
    }
    EXPECT_EQ(one.states[s].score, many.states[s].score);
  }
  EXPECT_EQ(one.sums[1].points, 2100);
  EXPECT_EQ(one.sums[2].points, 64);
}

TEST_F(HostLoop, TheTracedStateIsRecordedAndShown) {
  Batch<Evaluation> b = batch();
  b.traced = 4;
  int calls = 0;
  b.observer = [&](const Evaluation::State& state) {
    ++calls;
    EXPECT_EQ(state.data, 1u);
    return true;
  };
  run_host_loop(b, by_threads, pass);
  EXPECT_EQ(calls, 1);
  ASSERT_EQ(b.trace.size(), 1u);
  EXPECT_EQ(b.trace[0].score, b.states[4].score);
  EXPECT_EQ(b.stopped, StopRequest::none);
}

TEST_F(HostLoop, ACancelledBatchDoesNothing) {
  const std::atomic<bool> cancel{true};
  Batch<Evaluation> b = batch();
  b.control.cancel = &cancel;
  run_host_loop(b, by_threads, pass);
  EXPECT_EQ(b.stopped, StopRequest::cancelled);
  for (const Evaluation::State& state : b.states) EXPECT_FALSE(state.done);
}

TEST_F(HostLoop, APastDeadlineIsATimeLimit) {
  Batch<Evaluation> b = batch();
  b.control.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1);
  run_host_loop(b, by_threads, pass);
  EXPECT_EQ(b.stopped, StopRequest::time_limit);
}

}  // namespace
}  // namespace dovetail
