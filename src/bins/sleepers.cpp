// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "bins/sleepers.h"

namespace dovetail::bins {
namespace {

/// A part that moves no point by more than this share of its diameter from look to look is still, and after so many
/// looks it sleeps. What falls moves thirty times as far in that time.
constexpr double still_share = 0.001;
constexpr int looks_to_sleep = 3;
/// What has been awake for so many looks wakes what it touches, and again after as many.
constexpr int looks_awake = 20;
/// In diameters of the largest part a second: the speed of a fall from a seventieth of it.
constexpr double impact_speed = 0.5;
/// Parts that rest on each other are not always in touch.
constexpr double gap = 0.004;

}  // namespace

double farthest_moved(const Rigid3& was, const Rigid3& is, double radius) {
  const double turned = norm((is.rotation * transpose(was.rotation) - Mat3::identity()) * Vec3{1, 1, 1});
  return norm(is.translation - was.translation) + turned * radius;
}

bool Sleepers::still(int number) const {
  const auto was = before_.find(number);
  if (was == before_.end()) return false;
  const Body& body = bodies_.bodies[world_.body_of(number)];
  return farthest_moved(was->second, world_.pose(number), body.radius) <= still_share * body.diameter;
}

void Sleepers::wake(int number) {
  world_.set_asleep(number, false);
  calm_[number] = 0;
  awake_for_[number] = 0;
  before_[number] = world_.pose(number);
}

void Sleepers::wake_all() {
  for (const int number : world_.present()) {
    if (world_.asleep(number)) wake(number);
  }
}

std::vector<int> Sleepers::awake() const {
  std::vector<int> numbers;
  for (const int number : world_.present()) {
    if (!world_.asleep(number)) numbers.push_back(number);
  }
  return numbers;
}

void Sleepers::wake_for_impacts(const Partners& touching) {
  std::set<int> hit;
  for (const auto& [number, others] : touching) {
    if (world_.asleep(number) || world_.speed(number) < impact_speed) continue;
    for (const int other : others) {
      if (world_.asleep(other)) hit.insert(other);
    }
  }
  for (const int number : hit) wake(number);
}

void Sleepers::let_sleep(const Partners& touching) {
  for (const int number : world_.present()) {
    if (world_.asleep(number) || calm_[number] < looks_to_sleep) continue;
    std::set<int> others;
    if (const auto found = touching.find(number); found != touching.end()) others = found->second;
    bool known = true;
    for (const int other : others) {
      if (!world_.asleep(other) || supports_[other].count(number)) continue;
      // It has to show that it lies still under this load too.
      wake(other);
      supports_[other].insert(number);
      known = false;
    }
    if (!known) continue;
    world_.set_asleep(number, true);
    supports_[number] = std::move(others);
  }
}

void Sleepers::wake_for_restless(const Partners& touching) {
  std::set<int> jammed;
  for (const int number : world_.present()) {
    if (world_.asleep(number) || ++awake_for_[number] % looks_awake != 0) continue;
    const auto others = touching.find(number);
    if (others == touching.end()) continue;
    for (const int other : others->second) {
      if (world_.asleep(other)) jammed.insert(other);
    }
  }
  for (const int number : jammed) wake(number);
}

void Sleepers::look() {
  Partners touching;
  for (const auto& [a, b] : world_.touching(gap)) {
    if (b == BinContact::bin) continue;
    touching[a].insert(b);
    touching[b].insert(a);
  }
  for (const int number : world_.present()) {
    if (!world_.asleep(number)) calm_[number] = still(number) ? calm_[number] + 1 : 0;
  }
  wake_for_impacts(touching);
  wake_for_restless(touching);
  let_sleep(touching);
  for (const int number : world_.present()) {
    if (!world_.asleep(number)) before_[number] = world_.pose(number);
  }
}

}  // namespace dovetail::bins
