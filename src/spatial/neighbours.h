// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <utility>

#include "dovetail/host_device.h"

// What a search collects. Each result says how far a candidate may be (`worst`, squared, inclusive) and takes
// candidates (`offer`, true when it was taken). A candidate is nearer than another when its (squared distance, index)
// is lexicographically smaller, so every search has exactly one right answer whatever the order of the candidates.

namespace dovetail {

struct Neighbour {
  static constexpr std::uint32_t none = UINT32_MAX;

  std::uint32_t slot = none;
  std::uint32_t index = none;
  float squared_distance = 0;

  DOVETAIL_HD bool found() const { return slot != none; }
  DOVETAIL_HD friend bool operator<(const Neighbour& a, const Neighbour& b) {
    return a.squared_distance < b.squared_distance || (a.squared_distance == b.squared_distance && a.index < b.index);
  }
  friend bool operator==(const Neighbour&, const Neighbour&) = default;
};

/// The nearest point within a distance.
class Nearest {
 public:
  DOVETAIL_HD explicit Nearest(float max_squared_distance) { best_.squared_distance = max_squared_distance; }

  DOVETAIL_HD float worst() const { return best_.squared_distance; }
  DOVETAIL_HD bool offer(const Neighbour& candidate) {
    // The index of `none` is the largest there is, so a candidate at exactly the limit counts as within.
    if (!(candidate < best_)) return false;
    best_ = candidate;
    return true;
  }
  DOVETAIL_HD const Neighbour& best() const { return best_; }

 private:
  Neighbour best_;
};

/// The k nearest points within a distance, nearest first.
template <int Capacity>
class KNearest {
 public:
  /// k from 1 to Capacity.
  DOVETAIL_HD KNearest(int k, float max_squared_distance) : k_(k), worst_(max_squared_distance) {}

  DOVETAIL_HD float worst() const { return worst_; }
  DOVETAIL_HD bool offer(const Neighbour& candidate) {
    if (!(candidate.squared_distance <= worst_)) return false;
    int place = size_;
    if (size_ == k_) {
      if (!(candidate < (*this)[k_ - 1])) return false;
      --place;
    } else {
      ++size_;
    }
    for (; place > 0 && candidate < (*this)[place - 1]; --place) set(place, (*this)[place - 1]);
    set(place, candidate);
    if (size_ == k_) worst_ = squared_distance_[k_ - 1];
    return true;
  }

  DOVETAIL_HD int size() const { return size_; }
  DOVETAIL_HD Neighbour operator[](int i) const { return {slot_[i], index_[i], squared_distance_[i]}; }

 private:
  DOVETAIL_HD void set(int place, const Neighbour& neighbour) {
    slot_[place] = neighbour.slot;
    index_[place] = neighbour.index;
    squared_distance_[place] = neighbour.squared_distance;
  }

  int k_;
  int size_ = 0;
  float worst_;
  // Left uninitialised beyond `size_`: a search is short enough for clearing them to be felt.
  float squared_distance_[Capacity];
  std::uint32_t index_[Capacity];
  std::uint32_t slot_[Capacity];
};

/// Calls `visit(neighbour)` for every point within a distance, in the order of the slots' discovery.
template <class Visit>
class WithinRadius {
 public:
  DOVETAIL_HD WithinRadius(float squared_radius, Visit visit)
      : squared_radius_(squared_radius), visit_(std::move(visit)) {}

  DOVETAIL_HD float worst() const { return squared_radius_; }
  DOVETAIL_HD bool offer(const Neighbour& candidate) {
    if (!(candidate.squared_distance <= squared_radius_)) return false;
    visit_(candidate);
    return true;
  }

 private:
  float squared_radius_;
  Visit visit_;
};

}  // namespace dovetail
