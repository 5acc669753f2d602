// SPDX-License-Identifier: MIT
// Part of Dovetail.

// No include guard of its own: Highway includes it once for each instruction set it compiles for.
#if defined(DOVETAIL_CPU_CHAMFER_LOOKS_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DOVETAIL_CPU_CHAMFER_LOOKS_H
#undef DOVETAIL_CPU_CHAMFER_LOOKS_H
#else
#define DOVETAIL_CPU_CHAMFER_LOOKS_H
#endif

#include "backend/cpu/lanes.h"
#include "methods/chamfer_points.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::HWY_NAMESPACE {

/// The looks of one block, one array a number, ready for vector loads. A look at nothing is all zeros.
template <int D>
struct LookArrays {
  HWY_ALIGN float moved[D][block_items];
  HWY_ALIGN float site[D][block_items];
  HWY_ALIGN float normal[D][block_items];
  HWY_ALIGN float slack[block_items];
  HWY_ALIGN float found[block_items];
  HWY_ALIGN float weight[block_items];
};

/// Looks a block of points up, a step at a time for all of them: a point's cell and its site are asked for long before
/// they are read, so that the processor waits for many of them at once.
template <int D, bool Projective>
class BlockLookup {
 public:
  BlockLookup(const chamfer::Data& data, const chamfer::FloatMap<D, Projective>& map, std::uint32_t first,
              std::uint32_t count, std::size_t padded, LookArrays<D>& looks)
      : points_(data.points),
        field_(data.field),
        map_(map),
        first_(first),
        count_(count),
        padded_(padded),
        looks_(looks) {}

  void run() {
    move();
    find_cells();
    find_sites();
    read_sites();
    unpack_normals();
  }

 private:
  /// Moved points, and weights of zero where a point does not count.
  void move() {
    const float* const from[3] = {points_.x + first_, points_.y + first_, points_.z + first_};
    for (std::uint32_t i = 0; i < count_; ++i) {
      bool number = true;
      for (int a = 0; a < D; ++a) number = number & (from[a][i] > -1e30f) & (from[a][i] < 1e30f);
      looks_.weight[i] = number ? 1.0f : 0.0f;
    }
    if (points_.weight != nullptr) {
      const float* const weight = points_.weight + first_;
      for (std::uint32_t i = 0; i < count_; ++i) looks_.weight[i] = weight[i] > 0 ? looks_.weight[i] * weight[i] : 0.0f;
    }
    for (int a = 0; a < D; ++a) {
      for (std::uint32_t i = 0; i < count_; ++i) {
        float y = map_.m[a][D];
        for (int j = 0; j < D; ++j) y += map_.m[a][j] * from[j][i];
        looks_.moved[a][i] = y;
      }
    }
    if constexpr (Projective) {
      for (std::uint32_t i = 0; i < count_; ++i) {
        const float w = map_.m[D][D] + map_.m[D][0] * from[0][i] + map_.m[D][1] * from[1][i];
        const float inverse = w > chamfer::FloatMap<D, Projective>::least_depth ? 1.0f / w : 1e30f;  // out of the grid
        for (int a = 0; a < D; ++a) looks_.moved[a][i] *= inverse;
      }
    }
    for (std::size_t i = count_; i < padded_; ++i) {
      looks_.weight[i] = 0;
      for (int a = 0; a < D; ++a) looks_.moved[a][i] = 0;
    }
  }

  /// Where each point's cell is written, none where it has no cell.
  void find_cells() {
    const FieldGrid& grid = field_.grid;
    alignas(64) std::uint32_t at[D][block_items];
    for (std::size_t i = 0; i < padded_; ++i) {
      bool inside = looks_.weight[i] > 0;
      for (int a = 0; a < D; ++a) {
        const float offset = (looks_.moved[a][i] - grid.origin[a]) * grid.per_unit;
        const bool within = (offset >= 0.0f) & (offset < static_cast<float>(grid.cells[a]));
        inside = inside & within;
        at[a][i] = static_cast<std::uint32_t>(static_cast<std::int32_t>(within ? offset : 0.0f));
      }
      looks_.found[i] = inside ? 1.0f : 0.0f;
    }
    if (field_.tile_slot == nullptr) {
      for (std::size_t i = 0; i < padded_; ++i) {
        std::uint32_t cell = at[D - 1][i];
        for (int a = D - 2; a >= 0; --a) cell = cell * grid.cells[a] + at[a][i];
        found_at_[i] = looks_.found[i] > 0 ? cell : none;
      }
    } else {
      for (std::size_t i = 0; i < padded_; ++i) {
        found_at_[i] = none;
        if (!(looks_.found[i] > 0)) continue;
        const std::uint64_t cell = field_.template stored_at<D>(at[0][i], at[1][i], D == 3 ? at[D - 1][i] : 0);
        if (cell != FieldView::no_cell) found_at_[i] = static_cast<std::uint32_t>(cell);
      }
    }
    for (std::size_t i = 0; i < padded_; ++i) {
      if (found_at_[i] != none) __builtin_prefetch(field_.nearest + found_at_[i], 0, 0);
    }
  }

  void find_sites() {
    for (std::size_t i = 0; i < padded_; ++i) {
      const std::uint32_t site = found_at_[i] != none ? field_.nearest[found_at_[i]] : no_site;
      found_at_[i] = site;
      if (site != no_site) __builtin_prefetch(field_.sites + site, 0, 0);
    }
  }

  void read_sites() {
    static constexpr Site nothing{0, 0, 0, 0};
    for (std::size_t i = 0; i < padded_; ++i) {
      const bool found = found_at_[i] != no_site;
      const Site& site = found ? field_.sites[found_at_[i]] : nothing;
      looks_.site[0][i] = site.x;
      looks_.site[1][i] = site.y;
      if constexpr (D == 3) looks_.site[D - 1][i] = site.z;
      looks_.found[i] = found ? 1.0f : 0.0f;
      packed_[i] = site.normal;
    }
    for (std::size_t i = 0; i < padded_; ++i) {
      for (int a = 0; a < D; ++a) looks_.moved[a][i] = looks_.found[i] > 0 ? looks_.moved[a][i] : 0.0f;
    }
  }

  /// As Site::unpack_normal, many at a time.
  void unpack_normals() {
    const float slack = field_.slack();
    for (std::size_t i = 0; i < padded_; ++i) {
      const std::uint32_t low = packed_[i] & 0xffffu, high = packed_[i] >> 16;
      looks_.slack[i] = packed_[i] != 0 ? slack : 0.0f;
      looks_.normal[0][i] = static_cast<float>(static_cast<std::int32_t>(low)) - 32768.0f;
      looks_.normal[1][i] = static_cast<float>(static_cast<std::int32_t>(high)) - 32768.0f;
    }
    const Lanes zero(0.0f), one(1.0f), unit(1.0f / 32767.0f);
    for (std::size_t i = 0; i < padded_; i += lane_count) {
      const LaneMask known = Lanes::load(looks_.slack + i) > zero;
      Lanes n[D];
      n[0] = Lanes::load(looks_.normal[0] + i) * unit;
      n[1] = Lanes::load(looks_.normal[1] + i) * unit;
      if constexpr (D == 3) {
        const Lanes third = one - absolute(n[0]) - absolute(n[1]);
        const Lanes fold = choose(third < zero, zero - third, zero);
        n[0] = n[0] + choose(n[0] > zero, zero - fold, fold);
        n[1] = n[1] + choose(n[1] > zero, zero - fold, fold);
        n[D - 1] = third;
      }
      Lanes squared = zero;
      for (int a = 0; a < D; ++a) squared = squared + n[a] * n[a];
      const Lanes scale = choose(known, one / square_root(squared), zero);
      for (int a = 0; a < D; ++a) choose(known, n[a] * scale, zero).store(looks_.normal[a] + i);
    }
  }

  static constexpr std::uint32_t none = 0xffffffffu;

  const CloudView& points_;
  const FieldView& field_;
  const chamfer::FloatMap<D, Projective>& map_;
  std::uint32_t first_, count_;
  std::size_t padded_;
  LookArrays<D>& looks_;
  alignas(64) std::uint32_t found_at_[block_items];
  alignas(64) std::uint32_t packed_[block_items];
};

}  // namespace dovetail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
