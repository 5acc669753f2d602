// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <nlohmann/json.hpp>

#include "dovetail/symmetry.h"
#include "io/file.h"

namespace dovetail {
namespace {

using Json = nlohmann::ordered_json;

Json vector_of(const Vec3& v) { return Json::array({v[0], v[1], v[2]}); }

template <int N>
Json rows_of(const Matrix<double, N, N>& m) {
  Json rows = Json::array();
  for (int i = 0; i < N; ++i) {
    Json row = Json::array();
    for (int j = 0; j < N; ++j) row.push_back(m(i, j));
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

std::string to_json(const Symmetry& symmetry, int indent) {
  Json json;
  json["schema"] = "dovetail.symmetry/1";
  json["group"] = group_name(symmetry);
  json["kind"] = to_string(symmetry.kind);
  json["order"] = symmetry.order;
  json["description"] = describe(symmetry);
  Json axes = Json::array();
  for (const SymmetryAxis& axis : symmetry.axes) {
    axes.push_back({{"direction", vector_of(axis.direction)},
                    {"through", vector_of(axis.through)},
                    {"order", axis.order == 0 ? Json() : Json(axis.order)}});
  }
  json["axes"] = std::move(axes);
  Json rotations = Json::array();
  for (const Transform& rotation : symmetry.rotations) rotations.push_back(rows_of(rotation.matrix));
  json["rotations"] = std::move(rotations);
  json["mirror"] = symmetry.mirror;
  json["center"] = vector_of(symmetry.center);
  json["diameter"] = symmetry.diameter;
  json["radius"] = symmetry.radius;
  json["covariance"] = rows_of(symmetry.covariance);
  json["deviation"] = symmetry.deviation;
  json["tolerance"] = symmetry.tolerance;
  json["allowance"] = symmetry.allowance;
  json["measured_on"] = symmetry.has_faces ? "faces" : "points";
  json["box"] = {{"low", vector_of(symmetry.box_low)}, {"high", vector_of(symmetry.box_high)}};
  return json.dump(indent);
}

void write_symmetry(const std::filesystem::path& file, const Symmetry& symmetry) {
  io::AtomicFile out(file);
  out.write(to_json(symmetry) + '\n');
  out.commit();
}

}  // namespace dovetail
