// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "report/packing.h"

#include <algorithm>
#include <cmath>

#include "core/random.h"

namespace dovetail::report {

std::vector<std::size_t> fair_shares(std::span<const std::size_t> sizes, std::size_t most) {
  std::vector<std::size_t> shares(sizes.size(), 0), order(sizes.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return sizes[a] < sizes[b]; });
  for (std::size_t k = 0; k < order.size(); ++k) {
    std::size_t& share = shares[order[k]];
    share = std::min(sizes[order[k]], most / (order.size() - k));
    most -= share;
  }
  return shares;
}

std::vector<std::uint32_t> shuffled(std::vector<std::uint32_t> indices, std::size_t count, std::uint64_t stream) {
  count = std::min(count, indices.size());
  RandomStream random(0, stream);
  for (std::size_t i = 0; i < count; ++i) {
    std::swap(indices[i], indices[i + random.below(static_cast<std::uint32_t>(indices.size() - i))]);
  }
  indices.resize(count);
  return indices;
}

std::uint8_t residual_byte(double residual, double clip) {
  if (!(residual >= 0) || !(clip > 0)) return no_residual;
  return static_cast<std::uint8_t>(std::lround(254 * std::sqrt(std::min(1.0, residual / clip))));
}

Quantiser::Quantiser(const Bounds& box) {
  if (box.empty()) return;
  low_ = box.low;
  size_ = box.sides();
}

std::uint16_t Quantiser::operator()(double value, int axis) const {
  if (!(size_[axis] > 0)) return 0;
  return static_cast<std::uint16_t>(std::lround(65535 * std::clamp((value - low_[axis]) / size_[axis], 0.0, 1.0)));
}

void append_point(std::string& bytes, const Quantiser& box, const Vec3& p, std::uint8_t residual, std::uint8_t color) {
  for (int axis = 0; axis < 3; ++axis) {
    const std::uint16_t q = box(p[axis], axis);
    bytes += static_cast<char>(q & 255);
    bytes += static_cast<char>(q >> 8);
  }
  bytes += static_cast<char>(residual);
  bytes += static_cast<char>(color);
}

void align(std::string& bytes) { bytes.resize((bytes.size() + 7) / 8 * 8, '\0'); }

}  // namespace dovetail::report
