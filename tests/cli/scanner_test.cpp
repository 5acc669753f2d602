// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/scanner.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "dovetail/error.h"
#include "dovetail/rotation.h"

namespace dovetail::test {
namespace {

#define NEEDS_SCANNER() \
  if (!scanner_available()) GTEST_SKIP() << "built without Embree"

double signed_volume(const PointCloud& mesh) {
  double six = 0;
  for (std::size_t i = 0; i < mesh.faces.size(); ++i) {
    const std::uint32_t* c = &mesh.faces.index[mesh.faces.start[i]];
    six += dot(mesh.positions[c[0]], cross(mesh.positions[c[1]], mesh.positions[c[2]]));
  }
  return six / 6;
}

/// A square of side 200 in the plane z = 0.
PointCloud table() {
  PointCloud mesh;
  mesh.positions = {{-100, -100, 0}, {100, -100, 0}, {100, 100, 0}, {-100, 100, 0}};
  mesh.faces.add({0, 1, 2, 3});
  return mesh;
}

TEST(BuiltInPart, is_a_sound_mesh_of_the_size_it_says) {
  const PointCloud part = built_in_part();
  Vec3 low = part.positions[0], high = low;
  for (const Vec3& p : part.positions) {
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
  }
  EXPECT_EQ(low, (Vec3{-60, -40, 0}));
  EXPECT_EQ(high, (Vec3{60, 40, 70}));
  EXPECT_GT(part.faces.size(), 1000u);
  EXPECT_LT(part.faces.size(), 20000u);
  for (std::size_t i = 0; i < part.faces.size(); ++i) EXPECT_EQ(part.faces.start[i + 1] - part.faces.start[i], 3u);
}

TEST(BuiltInPart, faces_look_outwards_and_leave_no_gap) {
  // The volume by the divergence theorem is that of the solids, added up: a face that is missing or turned would show.
  constexpr double pi = std::numbers::pi;
  const double polygon = 64 / (2 * pi) * std::sin(2 * pi / 64);  // area of a 64-gon over its circle's
  const double plate = 120 * 80 * 12 - 0.5 * 8 * 8 * 80 - 12 * polygon * pi * (3 * 25 + 64);
  const double boss = polygon * pi * (17 * 17 * 29 - 9 * 9 * 20);
  const double wall = 12 * (80 * 59 - 0.5 * 30 * 25);
  const double ribs = 0.5 * 44 * 37 * 8 + 0.5 * 19 * 19 * 5;
  double dome = 0;  // frusta of polygons
  for (int i = 0; i < 16; ++i) {
    const double a = 0.5 * pi * i / 16, b = 0.5 * pi * (i + 1) / 16;
    const double r = 11 * std::cos(a), s = i == 15 ? 0 : 11 * std::cos(b);
    dome += polygon * pi / 3 * 11 * (std::sin(b) - std::sin(a)) * (r * r + r * s + s * s);
  }
  EXPECT_NEAR(signed_volume(built_in_part()), plate + boss + wall + ribs + dome, 1e-6);
}

TEST(BuiltInPart, every_one_is_closed_and_has_a_name) {
  for (const BuiltInPart kind : built_in_parts()) {
    if (kind == BuiltInPart::bracket) continue;  // its rings of faces meet others in the middle of edges
    SCOPED_TRACE(to_string(kind));
    const PointCloud part = built_in_part(kind);
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;  // how often one way less how often the other
    for (std::size_t i = 0; i < part.faces.size(); ++i) {
      const std::uint32_t* c = &part.faces.index[part.faces.start[i]];
      for (int k = 0; k < 3; ++k) {
        const std::uint32_t a = c[k], b = c[(k + 1) % 3];
        edges[{std::min(a, b), std::max(a, b)}] += a < b ? 1 : -1;
      }
    }
    for (const auto& [edge, balance] : edges) EXPECT_EQ(balance, 0);
    EXPECT_GT(signed_volume(part), 1000);
    EXPECT_FALSE(to_string(kind).empty());
  }
}

TEST(LookAt, is_an_upright_camera) {
  const Transform pose = look_at({0, -300, 0}, {0, 0, 0});
  EXPECT_LT(norm(pose * Vec3{0, 0, 300}), 1e-12);                    // it sees what it looks at in front
  EXPECT_LT(norm(pose * Vec3{1, 0, 0} - Vec3{1, -300, 0}), 1e-12);   // x to the right
  EXPECT_LT(norm(pose * Vec3{0, 1, 0} - Vec3{0, -300, -1}), 1e-12);  // y down
  EXPECT_THROW(look_at({0, 0, 5}, {0, 0, 5}), InvalidArgument);
  EXPECT_THROW(look_at({0, 0, 5}, {0, 0, 0}), InvalidArgument);
}

TEST(Scan, sees_a_plane_in_the_sensors_own_frame) {
  NEEDS_SCANNER();
  ScanOptions options;
  options.mesh_from_sensor = look_at({0, 0, 500}, {0, 0, 0}, {0, 1, 0});
  options.width = 64, options.height = 32, options.field_of_view = 60;
  const PointCloud cloud = scan(table(), options);
  EXPECT_EQ(cloud.width, 64u);
  EXPECT_EQ(cloud.height, 32u);
  ASSERT_EQ(cloud.size(), 64u * 32u);
  int seen = 0;
  for (std::uint32_t row = 0; row < 32; ++row) {
    for (std::uint32_t column = 0; column < 64; ++column) {
      // Pixels are 2 tan(30 degrees) / 64 wide at distance 1, so this is where a ray meets z = 500.
      const double pixel = 500 * 2 / std::sqrt(3.0) / 64, x = pixel * (column - 31.5), y = pixel * (row - 15.5);
      const Vec3 p = cloud.positions[row * 64 + column];
      if (std::fabs(x) > 100 || std::fabs(y) > 100) {
        EXPECT_TRUE(std::isnan(p[0]) && std::isnan(p[1]) && std::isnan(p[2]));
        continue;
      }
      ++seen;
      EXPECT_LT(norm(p - Vec3{x, y, 500}), 2e-4);  // Embree computes in float: 500 × 6e-8, a few times
    }
  }
  EXPECT_GT(seen, 400);
}

TEST(Scan, noise_is_along_the_ray_and_of_the_size_asked_for) {
  NEEDS_SCANNER();
  ScanOptions options;
  options.mesh_from_sensor = look_at({40, 30, 500}, {0, 0, 0});
  options.field_of_view = 10;
  const PointCloud exact = scan(table(), options);
  options.noise = 0.5, options.dropout = 0.25, options.seed = 3;
  const PointCloud noisy = scan(table(), options);
  double sum = 0, squares = 0;
  int kept = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const Vec3 a = exact.positions[i], b = noisy.positions[i];
    ASSERT_TRUE(std::isfinite(a[0]));
    if (std::isnan(b[0])) continue;
    EXPECT_LT(norm(cross(a, b)), 1e-9 * dot(a, a));
    const double along = norm(b) - norm(a);
    sum += along, squares += along * along, ++kept;
  }
  const auto all = static_cast<double>(exact.size());
  // Within five standard errors of 76,800 draws.
  EXPECT_NEAR(kept / all, 0.75, 5 * std::sqrt(0.25 * 0.75 / all));
  EXPECT_NEAR(sum / kept, 0, 5 * 0.5 / std::sqrt(kept));
  EXPECT_NEAR(std::sqrt(squares / kept), 0.5, 5 * 0.5 / std::sqrt(2.0 * kept));
}

TEST(Scan, is_repeatable_and_follows_the_seed) {
  NEEDS_SCANNER();
  ScanOptions options;
  options.mesh_from_sensor = look_at({200, 100, 250}, {0, 0, 25});
  options.noise = 0.1, options.dropout = 0.1, options.seed = 7;
  const auto bits = [&] {
    std::vector<Vec3> points = scan(built_in_part(), options).positions;
    for (Vec3& p : points) {
      if (std::isnan(p[0])) p = Vec3{};
    }
    return points;
  };
  const auto first = bits();
  EXPECT_EQ(bits(), first);
  options.seed = 8;
  EXPECT_NE(bits(), first);
}

TEST(Scan, sees_the_parts_surface_and_nothing_inside_it) {
  NEEDS_SCANNER();
  ScanOptions options;
  options.mesh_from_sensor = look_at({20, -10, 400}, {0, 0, 0});
  const PointCloud cloud = scan(built_in_part(), options);
  // From above, a point on the part is on one of these: the plate's top, the wall's, the boss's head or bore floor, or
  // between them on a slope. None is below the plate's bottom, none above the wall.
  int on_plate = 0, on_wall = 0, on_boss = 0, in_bore = 0;
  for (const Vec3& p : cloud.positions) {
    if (std::isnan(p[0])) continue;
    const Vec3 q = options.mesh_from_sensor * p;
    EXPECT_GT(q[2], -1e-3);
    EXPECT_LT(q[2], 70 + 1e-3);
    on_plate += std::fabs(q[2] - 12) < 1e-3;
    on_wall += std::fabs(q[2] - 70) < 1e-3 && q[0] < -48 + 1e-3;
    const double from_axis = std::hypot(q[0] - 12, q[1] - 10);
    on_boss += std::fabs(q[2] - 40) < 1e-3 && from_axis < 17 + 1e-3;
    in_bore += std::fabs(q[2] - 20) < 1e-3 && from_axis < 9 + 1e-3;
  }
  EXPECT_GT(on_plate, 1000);
  EXPECT_GT(on_wall, 100);
  EXPECT_GT(on_boss, 100);
  EXPECT_GT(in_bore, 50);
}

TEST(Scan, sees_the_same_part_after_each_rotation_that_maps_it_onto_itself) {
  NEEDS_SCANNER();
  for (const BuiltInPart kind : built_in_parts()) {
    SCOPED_TRACE(to_string(kind));
    const PointCloud part = built_in_part(kind);
    ScanOptions options;
    options.width = 160, options.height = 120;
    const Transform pose = options.mesh_from_sensor = look_at({170, 90, 230}, {0, 0, 0});
    const PointCloud before = scan(part, options);
    for (const Mat3& rotation : rotations_onto_itself(kind)) {
      options.mesh_from_sensor = Transform(Rigid3{rotation, {}}) * pose;
      const PointCloud after = scan(part, options);
      int seen = 0, other = 0;
      for (std::size_t i = 0; i < before.size(); ++i) {
        const double a = norm(before.positions[i]), b = norm(after.positions[i]);
        seen += std::isfinite(a);
        // 64 segments are not a multiple of six: a circle of 50 mm deviates by 0.06 mm, more along a slanted ray.
        other += std::isfinite(a) != std::isfinite(b) || std::fabs(a - b) > 0.3;
      }
      EXPECT_GT(seen, 200);
      EXPECT_LT(other, 0.05 * seen);  // at silhouettes
    }
  }
}

TEST(Scan, sees_the_same_part_after_any_turn_of_one_that_turns_freely) {
  NEEDS_SCANNER();
  int free = 0;
  for (const BuiltInPart kind : built_in_parts()) {
    if (!turns_freely_about_z(kind)) continue;
    SCOPED_TRACE(to_string(kind));
    const PointCloud part = built_in_part(kind);
    ScanOptions options;
    options.width = 160, options.height = 120;
    const Transform pose = options.mesh_from_sensor = look_at({170, 90, 230}, {0, 0, 0});
    const PointCloud before = scan(part, options);
    options.mesh_from_sensor = Transform(Rigid3{exp_so3(Vec3{0, 0, 0.7}), {}}) * pose;
    const PointCloud after = scan(part, options);
    int seen = 0, other = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      const double a = norm(before.positions[i]), b = norm(after.positions[i]);
      seen += std::isfinite(a);
      other += std::isfinite(a) != std::isfinite(b) || std::fabs(a - b) > 0.3;  // 64 segments, as above
    }
    EXPECT_GT(seen, 200);
    EXPECT_LT(other, 0.05 * seen);  // at silhouettes
    ++free;
  }
  EXPECT_EQ(free, 3);
}

TEST(Scan, of_a_scene_labels_what_each_ray_met) {
  NEEDS_SCANNER();
  const PointCloud floor = table(), cube = built_in_part(BuiltInPart::cube);
  const ScenePart scene[] = {{&floor, {}}, {&cube, Rigid3{Mat3::identity(), {0, 0, 30}}}};
  ScanOptions options;
  options.mesh_from_sensor = look_at({0, 0, 500}, {0, 0, 0}, {0, 1, 0});
  const PointCloud cloud = scan(scene, options);
  ASSERT_EQ(cloud.attributes.size(), 1u);
  EXPECT_EQ(cloud.attributes[0].name, "label");
  const auto& labels = std::get<std::vector<std::int32_t>>(cloud.attributes[0].values);
  ASSERT_EQ(labels.size(), cloud.size());
  int on_floor = 0, on_cube = 0;
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    const Vec3 p = options.mesh_from_sensor * cloud.positions[i];
    ASSERT_EQ(labels[i] == -1, std::isnan(p[0]));
    if (labels[i] == -1) continue;
    EXPECT_NEAR(p[2], labels[i] == 1 ? 60 : 0, 1e-3);
    (labels[i] == 1 ? on_cube : on_floor) += 1;
  }
  EXPECT_GT(on_cube, 1000);
  EXPECT_GT(on_floor, 5000);
  EXPECT_TRUE(scan(floor, options).attributes.empty());
  EXPECT_THROW(scan(std::span<const ScenePart>(), options), InvalidArgument);
}

TEST(Scan, refuses_what_makes_no_sense) {
  NEEDS_SCANNER();
  const auto refuses = [](auto change) {
    ScanOptions options;
    options.mesh_from_sensor = look_at({0, -300, 0}, {0, 0, 0});
    change(options);
    EXPECT_THROW(scan(table(), options), InvalidArgument);
  };
  refuses([](ScanOptions& o) { o.width = 0; });
  refuses([](ScanOptions& o) { o.height = 20000; });
  refuses([](ScanOptions& o) { o.field_of_view = 180; });
  refuses([](ScanOptions& o) { o.noise = -1; });
  refuses([](ScanOptions& o) { o.dropout = 1.5; });
  refuses([](ScanOptions& o) { o.noise = std::numeric_limits<double>::quiet_NaN(); });
  refuses([](ScanOptions& o) { o.mesh_from_sensor = Similarity3{Mat3::identity(), {0, 0, 0}, 2.0}; });
  PointCloud points = table();
  points.faces = {};
  EXPECT_THROW(scan(points), InvalidArgument);
  points = table();
  points.faces.index[2] = 9;
  EXPECT_THROW(scan(points), InvalidArgument);
}

}  // namespace
}  // namespace dovetail::test
