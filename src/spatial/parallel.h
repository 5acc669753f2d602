// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <algorithm>
#include <cstddef>

#if defined(__SANITIZE_THREAD__)
#include <atomic>
#include <thread>
#else
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_sort.h>
#include <tbb/task_arena.h>
#endif

// Every use of threads on the host goes through here: TBB. The thread sanitizer does not see the order that TBB's own
// library keeps and would report every join of it, so under it the same work is dealt out to plain threads: what it
// then reports is the project's.

namespace dovetail {

#if defined(__SANITIZE_THREAD__)

/// Runs body(i) for every i below `count`, in any order, in runs of about `grain`.
template <class Body>
void parallel_for(std::size_t count, std::size_t grain, const Body& body) {
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t first = next.fetch_add(grain); first < count; first = next.fetch_add(grain)) {
      for (std::size_t i = first; i < std::min(first + grain, count); ++i) body(i);
    }
  };
  if (count <= grain) return work();
  std::thread other(work);
  work();
  other.join();
}

template <class Left, class Right>
void parallel_both(const Left& left, const Right& right) {
  std::thread other(left);
  right();
  other.join();
}

template <class Iterator, class Less>
void parallel_sort(Iterator first, Iterator last, const Less& less) {
  std::sort(first, last, less);
}

/// The threads a machine may use.
class Threads {
 public:
  explicit Threads(int) {}
  template <class Work>
  void execute(const Work& work) {
    work();
  }
};

#else

/// Runs body(i) for every i below `count`, in any order, in runs of at least `grain` / 2.
template <class Body>
void parallel_for(std::size_t count, std::size_t grain, const Body& body) {
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, grain), [&](const auto& block) {
    for (std::size_t i = block.begin(); i < block.end(); ++i) body(i);
  });
}

template <class Left, class Right>
void parallel_both(const Left& left, const Right& right) {
  tbb::parallel_invoke(left, right);
}

template <class Iterator, class Less>
void parallel_sort(Iterator first, Iterator last, const Less& less) {
  tbb::parallel_sort(first, last, less);
}

/// The threads a machine may use; 0 means all.
class Threads {
 public:
  explicit Threads(int count)
      : arena_(count > 0 ? std::min(count, tbb::this_task_arena::max_concurrency()) : tbb::task_arena::automatic) {}
  template <class Work>
  void execute(const Work& work) {
    arena_.execute(work);
  }

 private:
  tbb::task_arena arena_;
};

#endif

}  // namespace dovetail
