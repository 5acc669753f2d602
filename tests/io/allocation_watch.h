// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstddef>

namespace dovetail::test {

/// Notes the largest piece of memory asked for with `new` while it lives, successful or not.
class AllocationWatch {
 public:
  AllocationWatch();
  ~AllocationWatch();
  AllocationWatch(const AllocationWatch&) = delete;
  AllocationWatch& operator=(const AllocationWatch&) = delete;

  static std::size_t largest();
};

}  // namespace dovetail::test
