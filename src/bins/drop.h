// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "bins/body.h"

namespace dovetail::bins {

/// The bodies in one bin and what physics makes of them: a world of its own, run by the calling thread alone.
class DropWorld {
 public:
  DropWorld(const Bodies& bodies, const BinSize& size, const BinOptions& options);
  ~DropWorld();
  DropWorld(const DropWorld&) = delete;
  DropWorld& operator=(const DropWorld&) = delete;

  /// Lets a body go; returns its number, from 0.
  int add(std::size_t body, const Rigid3& scene_from_body);
  void remove(int number);
  void step();
  /// Slows everything down like a thick fluid would: what trembles ends sooner, where it rests stays the same.
  void set_damping(double linear, double angular);

  const std::vector<int>& present() const;  ///< numbers, rising
  std::size_t body_of(int number) const;
  Rigid3 pose(int number) const;
  Bounds box(int number) const;  ///< in the scene
  /// Pairs that touch, the lower number first; -1 as the second stands for the bin.
  std::vector<std::pair<int, int>> touching() const;

 private:
  struct World;
  std::unique_ptr<World> world_;
};

}  // namespace dovetail::bins
