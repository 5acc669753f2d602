// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "allocation_watch.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<bool> watching{false};
std::atomic<std::size_t> largest_asked{0};

void* try_allocate(std::size_t size) noexcept {
  if (watching && size > largest_asked) largest_asked = size;
  return std::malloc(size == 0 ? 1 : size);
}

void* allocate(std::size_t size) {
  if (void* memory = try_allocate(size)) return memory;
  throw std::bad_alloc();
}

}  // namespace

// The test program's own: every container of the library comes through here.
void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return try_allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return try_allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace dovetail::test {

AllocationWatch::AllocationWatch() {
  largest_asked = 0;
  watching = true;
}

AllocationWatch::~AllocationWatch() { watching = false; }

std::size_t AllocationWatch::largest() { return largest_asked; }

}  // namespace dovetail::test
