// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "bins/interior.h"

#include <algorithm>
#include <cmath>

namespace dovetail::bins {
namespace {

int cell_of(double at, double low, double high, int cells) {
  const double share = high > low ? (at - low) / (high - low) : 0;
  return std::clamp(static_cast<int>(share * cells), 0, cells - 1);
}

/// How often the outline goes round (x, y), seen from above. An edge gives the same answer to both of its triangles,
/// so that no line slips through between them or counts twice.
int turns_about(const Triangle& t, double x, double y) {
  int turns = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 &from = t[k], &to = t[(k + 1) % 3];
    const bool up = from[1] <= y && to[1] > y, down = to[1] <= y && from[1] > y;
    if (!up && !down) continue;
    const Vec3 &a = up ? from : to, &b = up ? to : from;
    if (a[0] + (y - a[1]) * (b[0] - a[0]) / (b[1] - a[1]) > x) turns += up ? 1 : -1;
  }
  return turns;
}

}  // namespace

Interior::Interior(const std::vector<Triangle>& triangles) : triangles_(triangles) {
  for (const Triangle& t : triangles_) {
    for (const Vec3& corner : t) box_.add(corner);
  }
  side_ = std::clamp(static_cast<int>(std::sqrt(static_cast<double>(triangles_.size()))), 1, 512);
  columns_.resize(static_cast<std::size_t>(side_ * side_));
  for (std::uint32_t i = 0; i < triangles_.size(); ++i) {
    Bounds box;
    for (const Vec3& corner : triangles_[i]) box.add(corner);
    const auto cell = [&](double at, int axis) { return cell_of(at, box_.low[axis], box_.high[axis], side_); };
    for (int y = cell(box.low[1], 1); y <= cell(box.high[1], 1); ++y) {
      for (int x = cell(box.low[0], 0); x <= cell(box.high[0], 0); ++x) {
        columns_[static_cast<std::size_t>(y * side_ + x)].push_back(i);
      }
    }
  }
}

std::vector<Interior::Crossing> Interior::crossings(double x, double y) const {
  std::vector<Crossing> found;
  if (x < box_.low[0] || x > box_.high[0] || y < box_.low[1] || y > box_.high[1]) return found;
  const int column =
      cell_of(y, box_.low[1], box_.high[1], side_) * side_ + cell_of(x, box_.low[0], box_.high[0], side_);
  for (const std::uint32_t i : columns_[static_cast<std::size_t>(column)]) {
    const Triangle& t = triangles_[i];
    const int turn = turns_about(t, x, y);
    if (turn == 0) continue;
    const Vec3 normal = cross(t[1] - t[0], t[2] - t[0]);
    found.push_back({t[0][2] - (normal[0] * (x - t[0][0]) + normal[1] * (y - t[0][1])) / normal[2], turn});
  }
  return found;
}

bool Interior::contains(const Vec3& point) const {
  if (box_.distance_along_axes(point) > 0) return false;
  int turns = 0;
  for (const Crossing& crossing : crossings(point[0], point[1])) {
    if (crossing.z > point[2]) turns += crossing.turn;
  }
  return turns != 0;
}

std::vector<Interior::Stretch> Interior::stretches(double x, double y) const {
  std::vector<Crossing> sorted = crossings(x, y);
  std::sort(sorted.begin(), sorted.end(),
            [](const Crossing& a, const Crossing& b) { return a.z != b.z ? a.z < b.z : a.turn < b.turn; });
  std::vector<Stretch> inside;
  int turns = 0;
  for (const Crossing& crossing : sorted) {
    const bool was_inside = turns != 0;
    turns += crossing.turn;
    if (!was_inside && turns != 0) inside.push_back({crossing.z, crossing.z});
    if (was_inside) inside.back().high = crossing.z;
  }
  return inside;
}

}  // namespace dovetail::bins
