// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cuda/memory.h"
#include "backend/cuda/run_loop.cuh"
#include "backend/digits.h"

namespace dovetail {
namespace {

using namespace test;

/// An item a thread.
struct DigitsPass : cuda::PointPass {
  template <class Add>
  __device__ void operator()(const cuda::Item<Digits>& item, const Add& add,
                             const cuda::Bins<std::uint32_t>& bins) const {
    bins.add(Digits::look(item.data, item.state, item.hypothesis, item.index, add), 1u);
  }
};

/// The same by a few threads for each hypothesis.
template <unsigned Lanes>
struct SmallDigitsPass : cuda::SmallPass<Lanes> {
  template <class Add>
  __device__ void operator()(const cuda::Item<Digits>& item, const Add& add,
                             const cuda::Bins<std::uint32_t>& bins) const {
    bins.add(Digits::look(item.data, item.state, item.hypothesis, item.index, add), 1u);
  }
};

class DeviceLoop : public testing::Test {
 protected:
  void SetUp() override {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) GTEST_SKIP() << "no CUDA device here";
  }
};

/// Brings a batch's digits to the device and runs it there.
template <class Pass>
void run_on_device(Batch<Digits>& batch) {
  cuda::Workspace workspace;
  Keeper keeper;
  const std::vector<Digits::Data> on_host = batch.data;
  for (Digits::Data& d : batch.data) d.digits = workspace.memory()->put(std::span(d.digits, d.count), keeper);
  cuda::run_loop<Digits, Pass>(batch, workspace);
  batch.data = on_host;
}

TEST_F(DeviceLoop, SumsEveryHypothesisOfEveryState) { expect_digits(run_on_device<DigitsPass>); }
TEST_F(DeviceLoop, HasACutBeforeAdvance) { expect_digits_combined(run_on_device<DigitsPass>); }

TEST_F(DeviceLoop, OfSmallItemsDoesTheSame) {
  expect_digits(run_on_device<SmallDigitsPass<16>>);
  expect_digits(run_on_device<SmallDigitsPass<32>>);
  expect_digits_combined(run_on_device<SmallDigitsPass<4>>);
}

TEST_F(DeviceLoop, OfAnEmptyBatchIsDoneAtOnce) {
  Batch<Digits> batch;
  run_on_device<DigitsPass>(batch);
  EXPECT_TRUE(batch.sums.empty());
}

/// An onlooker sees states that there were, and the answer is the same.
TEST_F(DeviceLoop, ShowsHowItStands) {
  const DigitsCase c;
  Batch<Digits> plain = c.batch(3), shown = c.batch(3);
  for (Batch<Digits>* b : {&plain, &shown}) {
    b->states.resize(1);
    b->states[0] = {4, 3, 2000};
    b->max_iterations = 2000;
    b->traced = 0;
  }
  int seen = 0, last = 2000;
  shown.onlooker = [&](const Digits::State& s) {
    ++seen;
    EXPECT_LT(s.rounds, last);
    last = s.rounds;
  };
  run_on_device<DigitsPass>(plain);
  run_on_device<DigitsPass>(shown);
  EXPECT_GT(seen, 0);
  ASSERT_EQ(shown.trace.size(), 2000u);
  EXPECT_TRUE(same_state(plain.states[0], shown.states[0]));
}

}  // namespace
}  // namespace dovetail
