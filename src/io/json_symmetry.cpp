// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/json_symmetry.h"

#include <fmt/format.h>

#include "dovetail/error.h"
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

template <int N>
Matrix<double, N, N> matrix_in(const io::JsonPlace& place) {
  const std::vector<io::JsonPlace> rows = place.elements();
  if (rows.size() != N) place.fail(fmt::format("{} rows; {} were expected", rows.size(), N));
  Matrix<double, N, N> m{};
  for (int i = 0; i < N; ++i) {
    const Matrix<double, 1, N> row = rows[static_cast<std::size_t>(i)].matrix<1, N>();
    for (int j = 0; j < N; ++j) m(i, j) = row[j];
  }
  return m;
}

Transform rotation_in(const io::JsonPlace& place) {
  try {
    return Transform::from_matrix(Model::rigid3, matrix_in<4>(place));
  } catch (const InvalidArgument& reason) {
    place.fail(reason.what());
  }
}

SymmetryKind kind_in(const io::JsonPlace& place) {
  const std::string name = place.text();
  for (int kind = 0; kind <= static_cast<int>(SymmetryKind::sphere); ++kind) {
    if (to_string(static_cast<SymmetryKind>(kind)) == name) return static_cast<SymmetryKind>(kind);
  }
  place.fail("is no kind of symmetry");
}

SymmetryAxis axis_in(const io::JsonPlace& place) {
  SymmetryAxis axis{place.at("direction").vector(), place.at("through").vector(), 0};
  const double length = norm(axis.direction);
  if (!(std::fabs(length - 1) < 1e-6)) place.at("direction").fail("is not of unit length");
  axis.direction *= 1 / length;
  if (const io::JsonPlace order = place.at("order"); order.given()) axis.order = order.whole_number(2);
  return axis;
}

}  // namespace

namespace io {

Symmetry symmetry_from_json(const JsonPlace& place) {
  Symmetry symmetry;
  if (place.at("schema").text() != "dovetail.symmetry/1") {
    place.at("schema").fail("is not \"dovetail.symmetry/1\"");
  }
  symmetry.kind = kind_in(place.at("kind"));
  symmetry.order = place.at("order").whole_number(0);
  for (const JsonPlace& axis : place.at("axes").elements()) symmetry.axes.push_back(axis_in(axis));
  const bool free = symmetry.kind == SymmetryKind::revolution || symmetry.kind == SymmetryKind::revolution_with_flips;
  if (free && symmetry.axes.empty()) place.at("axes").fail("a part that turns freely has an axis");
  constexpr std::size_t most_rotations = 1024;
  symmetry.rotations.clear();
  for (const JsonPlace& rotation : place.at("rotations").elements()) {
    symmetry.rotations.push_back(rotation_in(rotation));
    if (symmetry.rotations.size() > most_rotations) {
      rotation.fail(fmt::format("there are more than {}", most_rotations));
    }
  }
  if (symmetry.rotations.empty()) place.at("rotations").fail("is empty: the identity at least is one");
  symmetry.mirror = place.at("mirror").truth();
  symmetry.center = place.at("center").vector();
  symmetry.covariance = matrix_in<3>(place.at("covariance"));
  symmetry.has_faces = place.at("measured_on").text() == "faces";
  symmetry.box_low = place.at("box").at("low").vector(), symmetry.box_high = place.at("box").at("high").vector();
  for (const auto& [key, number] : {std::pair{"diameter", &symmetry.diameter},
                                    {"radius", &symmetry.radius},
                                    {"deviation", &symmetry.deviation},
                                    {"tolerance", &symmetry.tolerance},
                                    {"allowance", &symmetry.allowance}}) {
    *number = place.at(key).number();
    if (*number < 0) place.at(key).fail(fmt::format("{} is not allowed; allowed: 0 or more", *number));
  }
  return symmetry;
}

}  // namespace io

std::string to_json(const Symmetry& symmetry, int indent) {
  Json json;
  json["schema"] = "dovetail.symmetry/1";
  if (!symmetry.part_file.empty()) json["part_file"] = symmetry.part_file;
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

Symmetry read_symmetry(const std::filesystem::path& file) {
  const io::FileBytes bytes(file);
  const io::Json json = io::parse_json(file.string(), bytes.view());
  return io::symmetry_from_json(io::JsonPlace(file.string(), json));
}

}  // namespace dovetail
