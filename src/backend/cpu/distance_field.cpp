// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cpu/distance_field.h"

#include <sys/mman.h>

#include "backend/cpu/cpu_backend.h"
#include "backend/cpu/field_memory.h"
#include "backend/cpu/field_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/distance_field.cpp"
#include "hwy/foreach_target.h"
//
#include "backend/cpu/field_banded.h"
#include "backend/cpu/field_dense.h"

// Compiled once for each instruction set.
HWY_BEFORE_NAMESPACE();
namespace dovetail::HWY_NAMESPACE {

void build_field(FieldLevel& level, const SeedRows& rows, const LineRule& rule) {
  if (rule.dense) return build_dense(level, rows, rule);
  level.grid.dimension == 2 ? build_banded<2>(level, rows, rule) : build_banded<3>(level, rows, rule);
}

}  // namespace dovetail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail {

HWY_EXPORT(build_field);

namespace {

/// Large pages where the system gives them on request: lines along y and z touch a page a cell.
void reserve_large(std::vector<std::uint32_t>& cells, std::size_t count) {
  if (count <= cells.capacity()) return;
  cells.clear();
  cells.reserve(count);
#ifdef MADV_HUGEPAGE
  constexpr std::uintptr_t page = 4096;
  const std::uintptr_t begin = (reinterpret_cast<std::uintptr_t>(cells.data()) + page - 1) & ~(page - 1);
  const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(cells.data() + count) & ~(page - 1);
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

}  // namespace

void build_field_cpu(FieldLevel& level, std::span<const std::uint64_t> keys) {
  reserve_large(level.nearest, level.stored_cells());
  level.nearest.resize(level.stored_cells());
  const SeedRows rows(keys);
  const FieldRule rule(level);
  HWY_DYNAMIC_DISPATCH(build_field)(level, rows, rule.rule());
}

void CpuBackend::add_distance_field() {
  add<FieldBuild>([](Backend& self, void* job) {
    FieldBuild& build = *static_cast<FieldBuild*>(job);
    static_cast<CpuBackend&>(self).on_host([&] { build_field_cpu(build.level, build.keys); });
    build.placed = put(self.memory(), build.level);
  });
}

}  // namespace dovetail
#endif
