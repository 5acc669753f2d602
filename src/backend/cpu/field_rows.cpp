// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cpu/field_rows.h"

#include <algorithm>

#include "spatial/parallel.h"

namespace dovetail {

SeedRows::SeedRows(std::span<const std::uint64_t> keys) : xy(keys.size()), begins(keys.size()) {
  parallel_for(keys.size(), 1 << 14, [&](std::size_t i) {
    xy[i] = static_cast<std::uint32_t>(keys[i]);
    const bool same_row = i > 0 && keys[i - 1] >> 16 == keys[i] >> 16;
    begins[i] = same_row ? (key_x(keys[i - 1]) + key_x(keys[i])) / 2 + 1 : 0;  // a tie goes to the lower x
  });
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    if (i > 0 && keys[i - 1] >> 16 == keys[i] >> 16) continue;
    if (plane.empty() || plane.back() != key_z(keys[i])) {
      plane.push_back(key_z(keys[i]));
      first_row.push_back(static_cast<std::uint32_t>(y.size()));
    }
    y.push_back(key_y(keys[i]));
    first_seed.push_back(i);
  }
  first_seed.push_back(static_cast<std::uint32_t>(keys.size()));
  first_row.push_back(static_cast<std::uint32_t>(y.size()));
}

std::vector<RowCursor> cursors_at(const SeedRows& rows, std::uint32_t first, std::uint32_t last, std::uint32_t x) {
  std::vector<RowCursor> cursors(last - first);
  for (std::uint32_t r = first; r < last; ++r) {
    const auto all = rows.begins.begin();
    const auto after = std::upper_bound(all + rows.first_seed[r], all + rows.first_seed[r + 1], x);
    RowCursor& cursor = cursors[r - first];
    cursor.end = rows.first_seed[r + 1];
    cursor.at(rows, static_cast<std::uint32_t>(after - all) - 1);
  }
  return cursors;
}

}  // namespace dovetail
