// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/bop_objects.h"

#include <cmath>

#include "io/bop_json.h"

namespace dovetail::io {
namespace {

Rigid3 symmetry_of(const JsonPlace& place) {
  const Mat4 m = place.matrix<4, 4>();
  const Rigid3 symmetry{{m(0, 0), m(0, 1), m(0, 2), m(1, 0), m(1, 1), m(1, 2), m(2, 0), m(2, 1), m(2, 2)},
                        {m(0, 3), m(1, 3), m(2, 3)}};
  if (m(3, 0) != 0 || m(3, 1) != 0 || m(3, 2) != 0 || m(3, 3) != 1) place.fail("the last row is not 0 0 0 1");
  if (const auto reason = why_no_rotation(symmetry.rotation); !reason.empty()) place.fail(reason);
  return symmetry;
}

BopAxis axis_of(const JsonPlace& place) {
  const Vec3 axis = place.at("axis").vector();
  const double length = norm(axis);
  if (!(length > 0) || !std::isfinite(length)) place.at("axis").fail("has no direction");
  return {(1 / length) * axis, place.at("offset").vector()};
}

BopObject object_of(const JsonPlace& place) {
  BopObject object;
  object.diameter = place.at("diameter").number();
  if (!(object.diameter > 0)) place.at("diameter").fail("has to be more than 0");
  if (place.has("symmetries_discrete")) {
    for (const JsonPlace& symmetry : place.at("symmetries_discrete").elements()) {
      object.discrete.push_back(symmetry_of(symmetry));
    }
  }
  if (place.has("symmetries_continuous")) {
    for (const JsonPlace& axis : place.at("symmetries_continuous").elements()) {
      object.continuous.push_back(axis_of(axis));
    }
  }
  return object;
}

}  // namespace

std::string_view why_no_rotation(const Mat3& r) {
  constexpr double allowed = 0.01;
  const Mat3 off = transpose(r) * r - Mat3::identity();
  for (int i = 0; i < 9; ++i) {
    if (!(std::fabs(off[i]) <= allowed))
      return "the matrix is no rotation: its columns are not of length 1 and at right angles";
  }
  if (determinant(r) < 0) return "the matrix is no rotation: it mirrors";
  return {};
}

std::map<int, BopObject> read_bop_objects(std::string_view file, std::string_view bytes) {
  const Json json = parse_json(file, bytes);
  std::map<int, BopObject> objects;
  for (const auto& [id, place] : JsonPlace(file, json).by_id()) objects.emplace(id, object_of(place));
  return objects;
}

}  // namespace dovetail::io
