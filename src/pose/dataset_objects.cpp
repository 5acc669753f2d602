// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/dataset_objects.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <string_view>

#include "io/bop_objects.h"
#include "io/file.h"
#include "spatial/farthest_pair.h"

namespace dovetail::pose {
namespace {

namespace fs = std::filesystem;

/// Diameters of one and the same mesh differ by rounding, and by what a file's decimals leave.
constexpr double same_size = 1e-3;
constexpr std::string_view prefix = "obj_";

double diameter_of(const PoseReferences& part) {
  std::vector<Vec3> points;
  for (const Vec3f& v : part.vertices) points.push_back(v.cast<double>());
  return largest_distance(points);
}

/// The data set's objects, by their ids; none where there is no models_info.json.
std::map<int, io::BopObject> objects_of(const PoseDataset& dataset) {
  for (const char* folder : {"models", "models_eval"}) {
    const fs::path file = dataset.folder / folder / "models_info.json";
    std::error_code ignored;
    if (!fs::exists(file, ignored)) continue;
    const io::FileBytes bytes(file);
    return io::read_bop_objects(file.string(), bytes.view());
  }
  return {};
}

}  // namespace

int object_of(const PoseReferences& part, std::size_t index) {
  const int place = static_cast<int>(index) + 1;
  if (!part.name.starts_with(prefix)) return place;
  const std::string_view digits = std::string_view(part.name).substr(prefix.size());
  int number = 0;
  const auto [at, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc() && at == digits.data() + digits.size() && number >= 0 ? number : place;
}

DatasetObjects dataset_objects(const PoseDataset& dataset, const PoseDatabase& database) {
  DatasetObjects told;
  const std::map<int, io::BopObject> known = objects_of(dataset);
  for (std::size_t i = 0; i < database.parts().size(); ++i) {
    const PoseReferences& part = database.parts()[i];
    const int place = object_of(part, i);
    told.ids.push_back(place);
    if (part.name.starts_with(prefix) || known.empty()) continue;
    const double diameter = diameter_of(part);
    std::vector<int> alike;
    for (const auto& [id, object] : known) {
      if (std::fabs(object.diameter - diameter) <= same_size * diameter) alike.push_back(id);
    }
    if (alike.size() == 1) {
      told.ids.back() = alike.front();
    } else if (std::ranges::find(alike, place) == alike.end()) {
      told.warnings.push_back(
          fmt::format("{} is taken for object {} of the data set, by its place in the database: {} "
                      "there is as large as it, {:.4g} mm",
                      part.name, place, alike.empty() ? "no object" : "more than one object", diameter));
    }
  }
  return told;
}

}  // namespace dovetail::pose
