// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/memory.h"

#include <cstring>
#include <new>

namespace dovetail {

namespace {

constexpr std::align_val_t line{64};  // of a cache

}  // namespace

void* HostMemory::take(std::size_t bytes) { return ::operator new(bytes, line); }
void HostMemory::give_back(void* room) { ::operator delete(room, line); }
void HostMemory::upload(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
void HostMemory::download(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }

Placed<KdTreeView> put(Memory& memory, const KdTree& tree) {
  Placed<KdTreeView> placed{tree.view(), {}};
  placed.view.points = memory.put(tree.points(), placed.keeper);
  placed.view.nodes = memory.put(tree.nodes(), placed.keeper);
  return placed;
}

Placed<LeftBalancedView> put(Memory& memory, const LeftBalancedTree& tree) {
  Placed<LeftBalancedView> placed{tree.view(), {}};
  placed.view.points = memory.put(tree.points(), placed.keeper);
  placed.view.axes = memory.put(tree.axes(), placed.keeper);
  return placed;
}

Placed<ClusterTreeView> put(Memory& memory, const ClusterTree& clusters, const KdTreeView& tree) {
  Placed<ClusterTreeView> placed{clusters.view(tree), {}};
  placed.view.clusters = memory.put(clusters.clusters(), placed.keeper);
  placed.view.moments = memory.put(clusters.moments(), placed.keeper);
  return placed;
}

Placed<CloudView> put(Memory& memory, const LocalCloud& cloud) {
  Placed<CloudView> placed;
  CloudView& v = placed.view;
  Keeper& keeper = placed.keeper;
  v.count = static_cast<std::uint32_t>(cloud.size());
  v.x = memory.put(cloud.x, keeper), v.y = memory.put(cloud.y, keeper), v.z = memory.put(cloud.z, keeper);
  v.normal = {memory.put(cloud.nx, keeper), memory.put(cloud.ny, keeper), memory.put(cloud.nz, keeper)};
  v.weight = memory.put(cloud.weight, keeper);
  return placed;
}

Placed<FieldView> put(Memory& memory, const FieldLevel& level) {
  Placed<FieldView> placed{level.view(), {}};
  placed.view.sites = memory.put(level.sites, placed.keeper);
  placed.view.nearest = memory.put(level.nearest, placed.keeper);
  if (level.band > 0) placed.view.tile_slot = memory.put(level.tiles.slot, placed.keeper);
  return placed;
}

Placed<LinesView> put(Memory& memory, const LineIndex& lines) {
  Placed<LinesView> placed{lines.grid, {}};
  placed.view.start = memory.put(lines.start, placed.keeper);
  placed.view.segments = memory.put(lines.segments, placed.keeper);
  return placed;
}

Placed<WindowView> put(Memory& memory, const LaidWindow& window) {
  Placed<WindowView> placed{window.view(), {}};
  placed.view.pixels = memory.put(window.pixels, placed.keeper);
  return placed;
}

Placed<ReferencesView> put(Memory& memory, const LaidReferences& references) {
  Placed<ReferencesView> placed{references.view(), {}};
  placed.view.references = memory.put(references.references, placed.keeper);
  placed.view.pixels = memory.put(references.pixels, placed.keeper);
  placed.view.corner = memory.put(references.corner, placed.keeper);
  placed.view.seeds = memory.put(references.seeds, placed.keeper);
  return placed;
}

}  // namespace dovetail
