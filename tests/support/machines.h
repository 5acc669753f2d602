// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <gtest/gtest.h>

#include "dovetail/machines.h"
#include "dovetail/run.h"

namespace dovetail::test {

inline bool has_cuda() {
  for (const MachineInfo& machine : available_machines()) {
    if (machine.name.rfind("cuda", 0) == 0) return true;
  }
  return false;
}

/// A test that is skipped, saying why, where there is no GPU.
template <class Base>
class NeedsCuda : public Base {
 protected:
  void SetUp() override {
    if (!has_cuda()) GTEST_SKIP() << "no CUDA device here: " << build_info().cuda_unavailable;
  }
};

inline Run on(Machine machine) {
  Run run;
  run.machine = machine;
  return run;
}

}  // namespace dovetail::test
