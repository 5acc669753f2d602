// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "dovetail/error.h"
#include "dovetail/symmetry.h"
#include "io/file.h"
#include "io/json_text.h"

namespace dovetail {
namespace {

using Json = nlohmann::ordered_json;

/// The 16 numbers of a rotation, row by row, its shift in millimetres.
Json sixteen(const Transform& rotation, double millimetres) {
  Json numbers = Json::array();
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) numbers.push_back((j == 3 && i < 3 ? millimetres : 1.0) * rotation.matrix(i, j));
  }
  return numbers;
}

Json object_of(const Symmetry& symmetry, double millimetres) {
  Json object;
  object["diameter"] = millimetres * symmetry.diameter;
  constexpr const char* letters[] = {"x", "y", "z"};
  for (int i = 0; i < 3; ++i) object[fmt::format("min_{}", letters[i])] = millimetres * symmetry.box_low[i];
  for (int i = 0; i < 3; ++i) {
    object[fmt::format("size_{}", letters[i])] = millimetres * (symmetry.box_high[i] - symmetry.box_low[i]);
  }
  for (std::size_t i = 1; i < symmetry.rotations.size(); ++i) {
    object["symmetries_discrete"].push_back(sixteen(symmetry.rotations[i], millimetres));
  }
  for (const SymmetryAxis& axis : symmetry.axes) {
    if (axis.order != 0) continue;
    const Vec3 d = axis.direction, p = millimetres * axis.through;
    object["symmetries_continuous"].push_back({{"axis", {d[0], d[1], d[2]}}, {"offset", {p[0], p[1], p[2]}}});
  }
  return object;
}

/// The objects of a file by their ids; none where there is no file.
std::map<int, Json> read_objects(const std::filesystem::path& file) {
  std::map<int, Json> objects;
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return objects;
  const io::FileBytes bytes(file);
  const io::Json all = io::parse_json(file.string(), bytes.view());
  if (!all.is_object()) throw FileError(fmt::format("{}: is no models_info.json: no object of objects", file.string()));
  for (const auto& [key, value] : all.items()) {
    int id = -1;
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), id);
    if (error != std::errc() || end != key.data() + key.size() || id < 0 || !value.is_object()) {
      throw FileError(fmt::format("{}: is no models_info.json: \"{}\" is no object's id", file.string(), key));
    }
    objects[id] = value;
  }
  return objects;
}

}  // namespace

void add_to_models_info(const std::filesystem::path& file, int id, const Symmetry& symmetry, double millimetres) {
  if (id < 0) throw InvalidArgument(fmt::format("id: {} is not allowed; allowed: 0 or more", id));
  if (!(millimetres > 0) || !std::isfinite(millimetres)) {
    throw InvalidArgument(fmt::format("millimetres: {} is not allowed; allowed: more than 0", millimetres));
  }
  std::map<int, Json> objects = read_objects(file);
  objects[id] = object_of(symmetry, millimetres);
  Json all = Json::object();
  for (auto& [key, object] : objects) all[std::to_string(key)] = std::move(object);
  io::AtomicFile out(file);
  out.write(all.dump(2) + '\n');
  out.commit();
}

}  // namespace dovetail
