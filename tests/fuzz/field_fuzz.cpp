// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "dovetail/error.h"
#include "dovetail/registration.h"
#include "io/endian.h"
#include "io/field_file.h"
#include "io/field_layout.h"

namespace {

using namespace dovetail;

/// Every cell of a level that was taken can be looked up.
template <int D>
void look_up(const FieldLevel& level) {
  const FieldView view = level.view();
  for (const Site& site : level.sites) {
    const float at[3] = {site.x, site.y, site.z};
    const std::uint32_t found = view.site_at<D>(at);
    if (found != no_site && found >= view.site_count) std::abort();
  }
}

/// Makes the checksums right, or fuzzing would never get past them: of each level's arrays as far as its counts agree
/// with what follows, of the lines, which are the rest, and of the header, which ends before byte `header`.
void mend(std::string& bytes, std::size_t header) {
  using io::field_checksum, io::load, io::store;
  constexpr std::size_t levels_at = 12, lines_sum_at = 88, fixed = 104, level_size = 80;
  if (bytes.size() < fixed || header > bytes.size() - 8) return;
  const std::uint64_t levels = load<std::uint32_t>(&bytes[levels_at]);
  if (levels > io::most_field_levels || header < fixed + levels * level_size) return;
  std::string_view arrays = std::string_view(bytes).substr(header + 8);
  // The next `count` things of `size` bytes; nothing where there are fewer. A count may be anything: no product of it.
  const auto take = [&](std::uint64_t count, std::size_t size) {
    const std::size_t taken = count <= arrays.size() / size ? static_cast<std::size_t>(count) * size : 0;
    const std::string_view part = arrays.substr(0, taken);
    arrays.remove_prefix(taken);
    return part;
  };
  for (std::size_t at = header - levels * level_size; at < header; at += level_size) {
    const auto count = [&](std::size_t which) { return load<std::uint64_t>(&bytes[at + 48 + 8 * which]); };
    std::uint64_t sum = field_checksum(take(count(0), sizeof(std::uint32_t)));
    sum = field_checksum(take(count(1), sizeof(Site)), sum);
    store(&bytes[at + 72], field_checksum(take(count(2), sizeof(std::uint32_t)), sum));
  }
  store(&bytes[lines_sum_at], field_checksum(arrays));
  store(&bytes[header], field_checksum(std::string_view(bytes).substr(0, header)));
}

/// A file in memory with these bytes, by the name load_field() opens it with.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : descriptor_(::memfd_create("field", MFD_CLOEXEC)) {
    if (descriptor_ < 0) std::abort();
    while (!bytes.empty()) {
      const ssize_t put = ::write(descriptor_, bytes.data(), bytes.size());
      if (put <= 0) std::abort();
      bytes.remove_prefix(static_cast<std::size_t>(put));
    }
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

/// Points beside the reference's lines, or else its own points; as many as an alignment among lines asks for.
PointCloud points_near(const io::FieldFile& field) {
  constexpr std::size_t count = 64;
  const FieldLevel& finest = field.levels.back();
  const std::vector<LineSegment>& lines = field.lines.segments;
  PointCloud cloud;
  cloud.dimension = finest.grid.dimension;
  for (std::size_t i = 0; i < count; ++i) {
    const double part = static_cast<double>(i) / count, aside = 0.2 * std::sin(7.0 * static_cast<double>(i));
    Vec3 local{};
    if (lines.empty()) {
      const Site& site = finest.sites[i % finest.sites.size()];
      local = {double{site.x} + part, double{site.y} + aside, double{site.z} - aside};
    } else {
      const LineSegment& s = lines[i % lines.size()];
      const double along = part * double{s.length};
      local = {double{s.x} + along * double{s.along_x} - aside * double{s.along_y},
               double{s.y} + along * double{s.along_y} + aside * double{s.along_x}, 0};
    }
    Vec3 p = field.frame.from_local(local);
    if (cloud.dimension == 2) p[2] = 0;
    cloud.positions.push_back(p);
  }
  return cloud;
}

/// What was taken can be used, however little sense it makes.
void align(const io::FieldFile& field, std::string_view bytes) {
  Chamfer options;
  options.model = ChamferModel::similarity;
  options.starts = 2;
  options.max_iterations = 3;
  Run run;
  run.machine = Machine::cpu;
  run.threads = 1;
  try {
    const DistanceField loaded = load_field(MemoryFile(bytes).path());
    register_points(points_near(field), loaded, options, run);
  } catch (const InvalidArgument&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  if (size >= 2) {  // the first two say where the header ends
    const std::size_t header = io::load<std::uint16_t>(bytes.data());
    bytes.erase(0, 2);
    mend(bytes, header);
  }
  try {
    const io::FieldFile field = io::read_field_file("fuzz", bytes);
    if (field.levels.empty() || field.levels.size() > io::most_field_levels) std::abort();
    for (const FieldLevel& level : field.levels) {
      if (level.nearest.size() != level.stored_cells()) std::abort();
      level.grid.dimension == 2 ? look_up<2>(level) : look_up<3>(level);
    }
    align(field, bytes);
  } catch (const FileError&) {
  }
  return 0;
}
