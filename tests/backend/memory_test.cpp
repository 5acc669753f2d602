// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/memory.h"

#include <gtest/gtest.h>

#include <numeric>

#include "backend/cpu/cpu_backend.h"
#include "backend/reference/reference_backend.h"
#include "support/memories.h"

namespace dovetail {
namespace {

using namespace test;

TEST(HostMemory, WhatIsPutStaysWhereItIs) {
  const auto memory = std::make_shared<HostMemory>();
  const std::vector<float> values{1, 2, 3};
  Keeper keeper;
  EXPECT_EQ(memory->put(values, keeper), values.data());
  EXPECT_EQ(memory->put(std::vector<float>(), keeper), nullptr);
  EXPECT_NE(memory->copy(std::span<const float>(values), keeper), values.data());
}

TEST(Memory, RoomIsGivenBackWithItsKeeper) {
  const auto memory = std::make_shared<CountingMemory>();
  const std::vector<int> values{4, 5, 6};
  {
    Keeper keeper;
    const int* const there = memory->put(values, keeper);
    EXPECT_EQ(memory->get(there, 3), values);
    Keeper other(std::move(keeper));
    memory->room<double>(10, other);
    EXPECT_EQ(memory->bytes(), 12 + 80u);
    Keeper third;
    third.add(std::move(other));
    EXPECT_EQ(memory->bytes(), 12 + 80u);
  }
  EXPECT_EQ(memory->bytes(), 0u);
}

TEST(Memory, AKeeperMayOutliveIt) {
  Keeper keeper;
  {
    const auto memory = std::make_shared<CountingMemory>();
    memory->room<float>(7, keeper);
  }
}

TEST(Resident, IsPutOnceIntoEachMemoryAndNoMoreThanThat) {
  const auto a = std::make_shared<CountingMemory>(), b = std::make_shared<CountingMemory>();
  const std::vector<int> values(100);
  int puts = 0;
  {
    Resident<Placed<const int*>> resident;
    const auto put_values = [&](Memory& memory) {
      return resident.in(memory, [&] {
        ++puts;
        Placed<const int*> placed;
        placed.view = memory.put(values, placed.keeper);
        return placed;
      });
    };
    const auto first = put_values(*a), again = put_values(*a), other = put_values(*b);
    EXPECT_EQ(first->view, again->view);
    EXPECT_NE(first->view, other->view);
    EXPECT_EQ(puts, 2);
  }
  EXPECT_EQ(a->bytes() + b->bytes(), 0u);
}

TEST(Machines, RunEveryJobOfTheList) {
  EXPECT_TRUE(CpuBackend(1).runs_everything());
  EXPECT_TRUE(ReferenceBackend().runs_everything());
}

}  // namespace
}  // namespace dovetail
