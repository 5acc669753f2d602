// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <map>
#include <set>

#include "bins/drop.h"

namespace dovetail::bins {

/// Keeps parts that lie still where they are, so that only those that move are computed. A part that sleeps wakes when
/// something fast touches it, when something comes to rest on it that was not there when it fell asleep, and when it
/// touches something that finds no rest: what is jammed between parts that do not give way trembles for ever.
class Sleepers {
 public:
  explicit Sleepers(DropWorld& world, const Bodies& bodies) : world_(world), bodies_(bodies) {}

  static constexpr double interval = 0.05;  ///< simulated seconds from look to look

  /// Has to be called every `interval`: lets those sleep that did not move for a while, wakes those that have to.
  void look();
  void wake_all();
  bool all_asleep() const { return awake().empty(); }
  std::vector<int> awake() const;

 private:
  using Partners = std::map<int, std::set<int>>;

  void wake(int number);
  bool still(int number) const;
  void wake_for_impacts(const Partners& touching);
  void let_sleep(const Partners& touching);
  void wake_for_restless(const Partners& touching);

  DropWorld& world_;
  const Bodies& bodies_;
  std::map<int, Rigid3> before_;           ///< where those awake were at the last look
  std::map<int, int> calm_;                ///< for how many looks each has been still
  std::map<int, int> awake_for_;           ///< for how many looks each has been awake
  std::map<int, std::set<int>> supports_;  ///< what touched each when it fell asleep
};

}  // namespace dovetail::bins
