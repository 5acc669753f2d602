// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <cstddef>

namespace dovetail::test {

/// What `work` returns when run on this many threads, be there fewer cores.
template <class Work>
auto on_threads(int threads, const Work& work) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
  tbb::task_arena arena(threads);
  return arena.execute(work);
}

}  // namespace dovetail::test
