// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/format.h>

#include "dovetail/error.h"
#include "dovetail/pose_file.h"
#include "io/bop_json.h"
#include "io/file.h"

namespace dovetail {

std::vector<StoredObject> read_found(const std::filesystem::path& file) {
  const io::FileBytes bytes(file);
  const std::string name = file.string();
  const io::Json json = io::parse_json(name, bytes.view());
  const io::JsonPlace place(name, json);
  constexpr const char* schema = "dovetail.found/1";
  if (!place.has("schema") || place.at("schema").text() != schema) {
    place.fail(fmt::format("is no result of a search: the schema {} was expected", schema));
  }
  std::vector<StoredObject> objects;
  for (const io::JsonPlace& object : place.at("objects").elements()) {
    const std::vector<io::JsonPlace> rows = object.at("scene_from_object").elements();
    if (rows.size() != 4) object.at("scene_from_object").fail(fmt::format("{} rows; 4 were expected", rows.size()));
    Mat4 matrix{};
    for (int row = 0; row < 4; ++row) {
      const auto numbers = rows[static_cast<std::size_t>(row)].matrix<4, 1>();
      for (int column = 0; column < 4; ++column) matrix(row, column) = numbers[column];
    }
    try {
      objects.push_back({object.at("object").text(), Transform::from_matrix(Model::rigid3, matrix)});
    } catch (const InvalidArgument& error) {
      object.at("scene_from_object").fail(error.what());
    }
  }
  return objects;
}

}  // namespace dovetail
