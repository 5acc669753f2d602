// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "dovetail/error.h"
#include "io/endian.h"
#include "io/field_file.h"
#include "io/field_layout.h"

namespace {

/// Every cell of a level that was taken can be looked up.
template <int D>
void look_up(const dovetail::FieldLevel& level) {
  const dovetail::FieldView view = level.view();
  for (const dovetail::Site& site : level.sites) {
    const float at[3] = {site.x, site.y, site.z};
    const std::uint32_t found = view.site_at<D>(at);
    if (found != dovetail::no_site && found >= view.site_count) std::abort();
  }
}

/// Makes the checksums right, or fuzzing would never get past them: of the arrays, where there is one level whose
/// counts agree with what follows, and of the header, which ends before byte `header`.
void mend(std::string& bytes, std::size_t header) {
  using dovetail::io::field_checksum, dovetail::io::load, dovetail::io::store;
  if (header < 40 || bytes.size() < header + 8) return;
  const std::string_view all(bytes), arrays = all.substr(header + 8);
  const auto slots = load<std::uint64_t>(&bytes[header - 32]), sites = load<std::uint64_t>(&bytes[header - 24]);
  const auto stored = load<std::uint64_t>(&bytes[header - 16]);
  if (slots < bytes.size() && sites < bytes.size() && 4 * slots + 16 * sites + 4 * stored == arrays.size()) {
    std::uint64_t sum = field_checksum(arrays.substr(0, 4 * slots));
    sum = field_checksum(arrays.substr(4 * slots, 16 * sites), sum);
    store(&bytes[header - 8], field_checksum(arrays.substr(4 * slots + 16 * sites), sum));
  }
  store(&bytes[header], field_checksum(all.substr(0, header)));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  if (size >= 2) {  // the first two say where the header ends
    const std::size_t header = dovetail::io::load<std::uint16_t>(bytes.data());
    bytes.erase(0, 2);
    mend(bytes, header);
  }
  try {
    const dovetail::io::FieldFile field = dovetail::io::read_field_file("fuzz", bytes);
    if (field.levels.empty()) std::abort();
    for (const dovetail::FieldLevel& level : field.levels) {
      if (level.nearest.size() != level.stored_cells()) std::abort();
      level.grid.dimension == 2 ? look_up<2>(level) : look_up<3>(level);
    }
  } catch (const dovetail::FileError&) {
  }
  return 0;
}
