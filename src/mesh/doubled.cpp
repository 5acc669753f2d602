// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "mesh/doubled.h"

#include <algorithm>
#include <numeric>

#include "mesh/joined_sets.h"

namespace dovetail::mesh {
namespace {

Corners sorted(Corners t) {
  std::sort(t.begin(), t.end());
  return t;
}

/// Whether the corners go round as their numbers rise.
bool rises(const Corners& t) {
  const auto lowest = static_cast<std::size_t>(std::min_element(t.begin(), t.end()) - t.begin());
  return t[(lowest + 1) % 3] < t[(lowest + 2) % 3];
}

/// Triangles over the same three corners.
struct Stack {
  std::vector<std::uint32_t> rising, falling;
  bool cancels() const { return rising.size() == falling.size(); }
};

std::vector<Stack> stacks_of(const std::vector<Corners>& triangles) {
  std::vector<std::uint32_t> order(triangles.size());
  std::iota(order.begin(), order.end(), 0u);
  std::vector<Corners> keys;
  for (const Corners& t : triangles) keys.push_back(sorted(t));
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return keys[a] != keys[b] ? keys[a] < keys[b] : a < b; });
  std::vector<Stack> stacks;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || keys[order[i]] != keys[order[i - 1]]) stacks.emplace_back();
    (rises(triangles[order[i]]) ? stacks.back().rising : stacks.back().falling).push_back(order[i]);
  }
  return stacks;
}

}  // namespace

std::size_t drop_doubled(WeldedMesh& mesh) {
  const std::vector<Stack> stacks = stacks_of(mesh.triangles);
  if (stacks.size() == mesh.triangles.size()) return 0;
  // By corners: whether all that hangs together with one is there once for each side.
  JoinedSets bodies(mesh.places.size());
  for (const Corners& t : mesh.triangles) bodies.join(t[0], t[1]), bodies.join(t[0], t[2]);
  std::vector<bool> has_single(mesh.places.size(), false);
  for (const Stack& stack : stacks) {
    if (stack.cancels()) continue;
    const std::uint32_t any = stack.rising.empty() ? stack.falling[0] : stack.rising[0];
    has_single[bodies.find(mesh.triangles[any][0])] = true;
  }
  std::vector<bool> kept(mesh.triangles.size(), false);
  for (const Stack& stack : stacks) {
    if (stack.cancels()) {
      kept[std::min(stack.rising[0], stack.falling[0])] = true;
      if (has_single[bodies.find(mesh.triangles[stack.rising[0]][0])]) {
        kept[std::max(stack.rising[0], stack.falling[0])] = true;
      }
    } else {
      kept[stack.rising.size() > stack.falling.size() ? stack.rising[0] : stack.falling[0]] = true;
    }
  }
  std::vector<Corners> left;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i]) left.push_back(mesh.triangles[i]);
  }
  const std::size_t dropped = mesh.triangles.size() - left.size();
  mesh.triangles = std::move(left);
  return dropped;
}

}  // namespace dovetail::mesh
