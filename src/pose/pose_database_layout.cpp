// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/pose_database_layout.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <set>

#include "dovetail/error.h"
#include "io/cursor.h"
#include "io/field_layout.h"
#include "io/json_symmetry.h"

namespace dovetail::pose {
namespace {

// Arrays are written as they lie in memory.
static_assert(std::endian::native == std::endian::little && sizeof(Vec3f) == 12);

constexpr std::size_t alignment = 64, head_bytes = 64;
constexpr int most_parts = 1000, most_references = 1 << 20, most_pixels = 512;

using io::JsonPlace;
using OrderedJson = nlohmann::ordered_json;

void pad(std::string& bytes) { bytes.resize((bytes.size() + alignment - 1) / alignment * alignment, '\0'); }

template <class T>
void append_array(std::string& bytes, std::span<const T> values) {
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  pad(bytes);
}

OrderedJson description(const PoseReferences& part) {
  OrderedJson json;
  json["name"] = part.name;
  json["references"] = part.references.size();
  json["image_size"] = part.image_size;
  json["pixel"] = part.pixel;
  json["center"] = {part.center[0], part.center[1], part.center[2]};
  json["radius"] = part.radius;
  json["distance_step"] = part.distance_step;
  json["distance_limit"] = part.distance_limit;
  json["edge_step"] = part.edge_step;
  json["sampling"] = to_string(part.sampling);
  json["resting"] = part.resting;
  json["cover_median"] = part.cover_median;
  json["cover_95"] = part.cover_95;
  json["vertices"] = part.vertices.size();
  json["triangles"] = part.triangles.size();
  json["symmetry"] = OrderedJson::parse(to_json(part.symmetry));
  return json;
}

double positive(const JsonPlace& place) {
  const double value = place.number();
  if (!(value > 0)) place.fail(fmt::format("{} is not allowed; allowed: more than 0", value));
  return value;
}

std::size_t count(const JsonPlace& place, int least, int most) {
  const int value = place.whole_number(least);
  if (value > most) place.fail(fmt::format("{} is not allowed; allowed: {} to {}", value, least, most));
  return static_cast<std::size_t>(value);
}

OrientationSampling sampling_in(const JsonPlace& place) {
  const std::string name = place.text();
  for (const auto sampling : {OrientationSampling::adaptive, OrientationSampling::uniform}) {
    if (to_string(sampling) == name) return sampling;
  }
  place.fail("is no way of sampling");
}

/// Takes the arrays of a file one after another.
class Arrays {
 public:
  Arrays(std::string_view file, std::string_view whole, std::size_t at) : cursor_(file, whole) {
    cursor_.seek(at, "the arrays");
  }
  template <class T>
  std::span<const T> take(std::uint64_t count, std::string_view what) {
    cursor_.take((alignment - cursor_.position() % alignment) % alignment, what);
    const std::string_view bytes = cursor_.take(count * sizeof(T), what);
    return {reinterpret_cast<const T*>(bytes.data()), static_cast<std::size_t>(count)};
  }
  template <class... Args>
  void require(bool sound, fmt::format_string<Args...> reason, Args&&... args) const {
    if (!sound) cursor_.fail(reason, std::forward<Args>(args)...);
  }
  std::size_t position() const { return cursor_.position(); }

 private:
  io::Cursor cursor_;
};

void check_reference(const Arrays& arrays, const PoseReferences& part, std::size_t index) {
  const PoseReference& r = part.references[index];
  double square = 0;
  for (const double q : r.orientation) square += q * q;
  arrays.require(std::fabs(square - 1) < 1e-9, "part {}, reference {}: its orientation is no unit quaternion",
                 io::in_quotes(part.name), index);
  const bool inside = r.left + r.width <= part.image_size && r.top + r.height <= part.image_size &&
                      r.pixels <= static_cast<std::uint32_t>(r.width) * r.height;
  arrays.require(inside && r.share >= 0 && r.share <= 1, "part {}, reference {}: out of range",
                 io::in_quotes(part.name), index);
}

void take_arrays(Arrays& arrays, PoseReferences& part, std::size_t references, std::size_t vertices,
                 std::size_t triangles) {
  part.references = arrays.take<PoseReference>(references, "the references");
  const auto size = static_cast<std::uint64_t>(part.image_size);
  part.pixels = arrays.take<ReferencePixel>(references * size * size, "the pixels");
  part.vertices = arrays.take<Vec3f>(vertices, "the vertices");
  part.triangles = arrays.take<std::array<std::uint32_t, 3>>(triangles, "the triangles");
  for (std::size_t i = 0; i < references; ++i) check_reference(arrays, part, i);
  for (const Vec3f& v : part.vertices) {
    arrays.require(std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2]), "part {}: a vertex is not finite",
                   io::in_quotes(part.name));
  }
  for (const auto& triangle : part.triangles) {
    for (const std::uint32_t corner : triangle) {
      arrays.require(corner < vertices, "part {}: a triangle has corner {} of {} vertices", io::in_quotes(part.name),
                     corner, vertices);
    }
  }
}

PoseReferences read_part(const JsonPlace& place, Arrays& arrays) {
  PoseReferences part;
  part.name = place.at("name").text();
  if (part.name.empty()) place.at("name").fail("is empty");
  part.image_size = static_cast<int>(count(place.at("image_size"), 8, most_pixels));
  part.pixel = positive(place.at("pixel"));
  part.center = place.at("center").vector();
  part.radius = positive(place.at("radius"));
  part.distance_step = positive(place.at("distance_step"));
  part.distance_limit = positive(place.at("distance_limit"));
  part.edge_step = positive(place.at("edge_step"));
  part.sampling = sampling_in(place.at("sampling"));
  part.resting = count(place.at("resting"), 0, 1 << 30);
  part.cover_median = place.at("cover_median").number(), part.cover_95 = place.at("cover_95").number();
  part.symmetry = io::symmetry_from_json(place.at("symmetry"));
  take_arrays(arrays, part, count(place.at("references"), 1, most_references), count(place.at("vertices"), 3, 1 << 30),
              count(place.at("triangles"), 1, 1 << 30));
  return part;
}

}  // namespace

std::string write_database(const std::vector<PoseReferences>& parts) {
  OrderedJson text;
  text["unit"] = "mm";
  text["parts"] = OrderedJson::array();
  for (const PoseReferences& part : parts) text["parts"].push_back(description(part));
  const std::string described = text.dump(1);
  std::string bytes(head_bytes, '\0');
  bytes += described;
  pad(bytes);
  const std::size_t arrays = bytes.size();
  for (const PoseReferences& part : parts) {
    append_array(bytes, part.references);
    append_array(bytes, part.pixels);
    append_array(bytes, part.vertices);
    append_array(bytes, part.triangles);
  }
  database_magic.copy(bytes.data(), database_magic.size());
  io::store(bytes.data() + 8, database_version);
  io::store(bytes.data() + 12, static_cast<std::uint32_t>(described.size()));
  io::store(bytes.data() + 16, static_cast<std::uint64_t>(bytes.size()));
  io::store(bytes.data() + 24, io::field_checksum(described));
  io::store(bytes.data() + 32, io::field_checksum(std::string_view(bytes).substr(arrays)));
  return bytes;
}

std::vector<PoseReferences> read_database(std::string_view file, std::string_view bytes) {
  io::Cursor cursor(file, bytes);
  if (!is_pose_database(bytes)) cursor.fail("is not a pose database: it does not begin with {}", database_magic);
  cursor.take(database_magic.size(), "the name of the format");
  const auto version = cursor.take_number<std::uint32_t>("the version");
  if (version != database_version) {
    cursor.fail("is version {}; this program reads version {}: build it anew", version, database_version);
  }
  const auto text_bytes = cursor.take_number<std::uint32_t>("the length of the text");
  const auto size = cursor.take_number<std::uint64_t>("the size");
  if (size > bytes.size()) cursor.fail("truncated: {} bytes are promised, {} found", size, bytes.size());
  if (size < bytes.size()) cursor.fail("{} bytes follow its end", bytes.size() - size);
  const auto text_sum = cursor.take_number<std::uint64_t>("a checksum");
  const auto arrays_sum = cursor.take_number<std::uint64_t>("a checksum");
  cursor.seek(head_bytes, "the text");
  const std::string_view text = cursor.take(text_bytes, "the text");
  if (io::field_checksum(text) != text_sum) cursor.fail("the text before was changed (checksum)");
  cursor.take((alignment - cursor.position() % alignment) % alignment, "the arrays");
  if (io::field_checksum(cursor.rest()) != arrays_sum) cursor.fail("what follows was changed (checksum)");

  const io::Json json = io::parse_json(file, text);
  const JsonPlace parts = JsonPlace(file, json).at("parts");
  Arrays arrays(file, bytes, cursor.position());
  std::vector<PoseReferences> read;
  std::set<std::string> names;
  for (const JsonPlace& part : parts.elements()) {
    read.push_back(read_part(part, arrays));
    if (!names.insert(read.back().name).second) part.at("name").fail("another part has it too");
    if (read.size() > most_parts) parts.fail(fmt::format("there are more than {}", most_parts));
  }
  if (read.empty()) parts.fail("is empty");
  arrays.require(bytes.size() - arrays.position() < alignment, "there are bytes that belong to no part");
  return read;
}

}  // namespace dovetail::pose
