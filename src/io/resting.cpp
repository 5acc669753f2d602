// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/resting.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "dovetail/error.h"
#include "dovetail/rotation.h"
#include "io/bop_json.h"
#include "io/cursor.h"
#include "io/file.h"
#include "io/output.h"

namespace dovetail {
namespace io {
namespace {

constexpr const char* schema = "dovetail.resting/1";
constexpr const char* family = "dovetail.resting/";
constexpr const char* units[] = {"", "mm", "cm", "m", "inch"};

std::uint64_t read_checksum(const JsonPlace& place) {
  const std::string text = place.text();
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, 16);
  if (text.size() != 16 || error != std::errc() || stop != end) {
    place.fail(fmt::format("{} is no checksum: 16 hexadecimal digits were expected", in_quotes(text)));
  }
  return value;
}

RestingKind read_kind(const JsonPlace& place) {
  RestingKind kind;
  kind.name = place.at("name").text();
  kind.checksum = read_checksum(place.at("checksum"));
  kind.diameter = place.at("diameter").number();
  if (!(kind.diameter > 0)) place.at("diameter").fail("has to be more than 0");
  return kind;
}

RestingPart read_part(const JsonPlace& place, std::size_t kinds) {
  RestingPart part;
  part.part = static_cast<std::size_t>(place.at("part").whole_number(0));
  if (part.part >= kinds) {
    place.at("part").fail(fmt::format("{} is not allowed; allowed: indices of the {} parts", part.part, kinds));
  }
  const JsonPlace rotation = place.at("rotation");
  const Quaternion<double> q = rotation.matrix<4, 1>();
  const double length = norm(q);
  if (!(std::fabs(length - 1) <= 1e-6)) {
    rotation.fail(fmt::format("a quaternion of length {}; 1 was expected", length));
  }
  part.scene_from_part = {matrix_from_quaternion(q), place.at("translation").vector()};
  return part;
}

RestingBin read_bin(const JsonPlace& place, std::size_t kinds) {
  RestingBin bin;
  bin.seed = place.at("seed").seed();
  const JsonPlace size = place.at("size");
  const Vec3 sides = size.vector();
  if (!(sides[0] > 0 && sides[1] > 0 && sides[2] >= 0)) {
    size.fail("length and width have to be more than 0, the height 0 or more");
  }
  bin.length = sides[0], bin.width = sides[1], bin.height = sides[2];
  for (const JsonPlace& part : place.at("parts").elements()) bin.parts.push_back(read_part(part, kinds));
  return bin;
}

void check(const RestingPoses& poses) {
  if (std::find(std::begin(units), std::end(units), poses.unit) == std::end(units)) {
    throw InvalidArgument(fmt::format("unit: '{}' is not allowed; allowed: mm, cm, m, inch or none", poses.unit));
  }
  for (const RestingBin& bin : poses.bins) {
    for (const RestingPart& part : bin.parts) {
      if (part.part >= poses.parts.size()) {
        throw InvalidArgument(fmt::format("bin of seed {}: part {} is not allowed; allowed: indices of the {} parts",
                                          bin.seed, part.part, poses.parts.size()));
      }
      const Mat3& r = part.scene_from_part.rotation;
      const Vec3& t = part.scene_from_part.translation;
      if (!std::isfinite(norm(t)) || !std::isfinite(norm(quaternion_from_matrix(r)))) {
        throw InvalidArgument(fmt::format("bin of seed {}: a pose is not finite", bin.seed));
      }
    }
  }
}

template <int N>
void append_list(Output& out, const Vector<double, N>& values) {
  for (int k = 0; k < N; ++k) {
    out.text(k == 0 ? '[' : ',');
    out.number(values[k]);
  }
  out.text(']');
}

void write_kinds(Output& out, const std::vector<RestingKind>& kinds) {
  out.text("\"parts\": [");
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    out.text(fmt::format("{}\n  {{\"name\": {}, \"checksum\": \"{:016x}\", \"diameter\": ", i ? "," : "",
                         Json(kinds[i].name).dump(-1, ' ', false, Json::error_handler_t::replace), kinds[i].checksum));
    out.number(kinds[i].diameter);
    out.text('}');
  }
  out.text("\n],\n");
}

void write_bin(Output& out, const RestingBin& bin) {
  out.text(fmt::format("\n  {{\"seed\": {}, \"size\": ", bin.seed));
  append_list(out, Vec3{bin.length, bin.width, bin.height});
  out.text(", \"parts\": [");
  for (std::size_t i = 0; i < bin.parts.size(); ++i) {
    const RestingPart& part = bin.parts[i];
    out.text(fmt::format("{}\n    {{\"part\": {}, \"rotation\": ", i ? "," : "", part.part));
    append_list(out, quaternion_from_matrix(part.scene_from_part.rotation));
    out.text(", \"translation\": ");
    append_list(out, part.scene_from_part.translation);
    out.text('}');
  }
  out.text("]}");
}

}  // namespace

RestingPoses parse_resting_poses(const std::string& file, std::string_view bytes) {
  const Json json = parse_json(file, bytes);
  const JsonPlace root(file, json);
  const std::string version = root.at("schema").text();
  if (version != schema) {
    root.at("schema").fail(
        version.starts_with(family)
            ? fmt::format("{} is another version; this program reads {}", version, schema)
            : fmt::format("{} is no file of resting poses; {} was expected", in_quotes(version), schema));
  }
  RestingPoses poses;
  poses.unit = root.at("unit").text();
  if (std::find(std::begin(units), std::end(units), poses.unit) == std::end(units)) {
    root.at("unit").fail(fmt::format("{} is not allowed; allowed: mm, cm, m, inch or none", in_quotes(poses.unit)));
  }
  for (const JsonPlace& kind : root.at("parts").elements()) poses.parts.push_back(read_kind(kind));
  for (const JsonPlace& bin : root.at("bins").elements()) poses.bins.push_back(read_bin(bin, poses.parts.size()));
  return poses;
}

}  // namespace io

RestingPoses read_resting_poses(const std::filesystem::path& file) {
  const io::FileBytes bytes(file);
  return io::parse_resting_poses(file.string(), bytes.view());
}

void write_resting_poses(const std::filesystem::path& file, const RestingPoses& poses) {
  io::check(poses);
  io::AtomicFile target(file);
  io::Output out(target);
  out.text(fmt::format("{{\"schema\": \"{}\",\n\"unit\": \"{}\",\n", io::schema, poses.unit));
  io::write_kinds(out, poses.parts);
  out.text("\"bins\": [");
  for (std::size_t i = 0; i < poses.bins.size(); ++i) {
    if (i > 0) out.text(',');
    io::write_bin(out, poses.bins[i]);
  }
  out.text("\n]}\n");
  out.flush();
  target.commit();
}

}  // namespace dovetail
