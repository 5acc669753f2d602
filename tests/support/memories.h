// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdlib>
#include <cstring>
#include <map>

#include "backend/memory.h"

namespace dovetail::test {

/// A memory apart from the host's, as a GPU's is, that knows how much it holds.
class CountingMemory final : public Memory {
 public:
  ~CountingMemory() override {
    for (const auto& [room, size] : sizes_) std::free(room);
  }
  bool is_host() const override { return false; }
  std::size_t bytes() const { return bytes_; }

 protected:
  void* take(std::size_t bytes) override {
    void* const room = std::malloc(bytes);
    sizes_[room] = bytes;
    bytes_ += bytes;
    return room;
  }
  void give_back(void* room) override {
    bytes_ -= sizes_.at(room);
    sizes_.erase(room);
    std::free(room);
  }
  void upload(void* to, const void* from, std::size_t bytes) override { std::memcpy(to, from, bytes); }
  void download(void* to, const void* from, std::size_t bytes) override { std::memcpy(to, from, bytes); }

 private:
  std::map<void*, std::size_t> sizes_;
  std::size_t bytes_ = 0;
};

}  // namespace dovetail::test
