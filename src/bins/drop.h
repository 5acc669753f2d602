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
  Bounds box(int number) const;    ///< in the scene
  double speed(int number) const;  ///< of its fastest point, at most
  /// A part that sleeps stays where it is, like the bin, and costs nothing where it touches what sleeps too.
  void set_asleep(int number, bool asleep);
  bool asleep(int number) const;
  /// Pairs that touch, the lower number first; -1 as the second stands for the bin.
  /// Those are counted too that are nearer to each other than `gap`.
  std::vector<std::pair<int, int>> touching(double gap = 0) const;

 private:
  struct World;
  std::unique_ptr<World> world_;
};

/// How far a point within `radius` of the origin was moved, at most.
double farthest_moved(const Rigid3& was, const Rigid3& is, double radius);

}  // namespace dovetail::bins
