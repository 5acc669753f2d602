// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "dovetail/error.h"
#include "dovetail/scanner.h"
#include "find/cases.h"
#include "find/parts.h"
#include "scenes/resting.h"
#include "scenes/views.h"
#include "spatial/kd_search.h"
#include "spatial/kd_tree.h"
#include "support/test_data.h"

// What is called the truth of a scene has to be true.

namespace dovetail::bench::find {
namespace {

#define NEEDS_SCANNER() \
  if (!scanner_available()) GTEST_SKIP() << "built without Embree"

constexpr double pi = std::numbers::pi;

const Part& part_named(const std::string& name, const std::vector<Part>& parts = parts_built_in()) {
  for (const Part& part : parts) {
    if (part.sought.name == name) return part;
  }
  throw InvalidArgument("no part " + name);
}

/// Nearest distances to points spread densely over a mesh.
class SurfaceDistance {
 public:
  explicit SurfaceDistance(const PointCloud& mesh, std::size_t count = 200000) {
    RandomStream random(3, 0);
    std::vector<Vec3f> points;
    for (const Vec3& p : spread_over(mesh, count, random).cloud.positions) points.push_back(p.cast<float>());
    tree_ = KdTree(points);
  }
  double operator()(const Vec3& p) const {
    const Vec3f q = p.cast<float>();
    return std::sqrt(static_cast<double>(nearest(tree_.view(), q[0], q[1], q[2], 1e30f).squared_distance));
  }

 private:
  KdTree tree_;
};

/// How often the closed surfaces of a mesh enclose a point, by the solid angle they fill around it (Van Oosterom and
/// Strackee's formula): 0 outside, 1 or more inside of one or more solids.
double winding_number(const PointCloud& mesh, const Vec3& at) {
  double sum = 0;
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    const std::uint32_t* corner = &mesh.faces.index[mesh.faces.start[f]];
    const Vec3 a = mesh.positions[corner[0]] - at, b = mesh.positions[corner[1]] - at,
               c = mesh.positions[corner[2]] - at;
    const double x = norm(a), y = norm(b), z = norm(c);
    sum += 2 * std::atan2(dot(a, cross(b, c)), x * y * z + dot(a, b) * z + dot(b, c) * x + dot(c, a) * y);
  }
  return sum / (4 * pi);
}

/// Every point that the scene labels as a part's lies on the part where the truth says it is.
void expect_labels_on_parts(const Case& c, const std::vector<Part>& parts) {
  const double noise = c.details.at("noise");
  for (std::size_t i = 0; i < c.placed.size(); ++i) {
    SCOPED_TRACE(c.placed[i].name);
    const SurfaceDistance distance(part_named(c.placed[i].name, parts).sought.mesh);
    const Transform object_from_scene = c.placed[i].scene_from_object.inverse();
    std::size_t points = 0;
    double largest = 0;
    for (std::size_t k = 0; k < c.scene.size(); ++k) {
      if (c.labels[k] != static_cast<std::int32_t>(i)) continue;
      ++points;
      largest = std::max(largest, distance(object_from_scene * c.scene.positions[k]));
    }
    EXPECT_EQ(points, c.placed[i].points);
    // Noise is along the rays and normal: of some thousand draws none beyond five deviations. 200,000 points on some
    // 40,000 square millimetres leave gaps of 1.6 mm at most (the chance of a larger one is e^-40 per place).
    EXPECT_LT(largest, 5 * noise + 1.6);
  }
}

void expect_no_part_inside_another(const Case& c) {
  RandomStream random(4, 0);
  for (const Placed& a : c.placed) {
    const PointCloud samples = spread_over(part_named(a.name).sought.mesh, 150, random).cloud;
    for (const Placed& b : c.placed) {
      if (&a == &b) continue;
      const PointCloud& mesh = part_named(b.name).sought.mesh;
      const Transform b_from_a = b.scene_from_object.inverse() * a.scene_from_object;
      for (const Vec3& p : samples.positions) {
        EXPECT_LT(winding_number(mesh, b_from_a * p), 0.5) << a.name << " in " << b.name;
      }
    }
  }
}

TEST(TriangleTree, tells_when_surfaces_cross) {
  const PointCloud cube = built_in_part(BuiltInPart::cube);  // 60 a side
  const TriangleTree tree(cube);
  const auto cross_at = [&](const Rigid3& pose) { return surfaces_cross(tree, tree, pose); };
  const Mat3 turned = exp_so3(Vec3{0.3, 0.2, 0.1});
  EXPECT_TRUE(cross_at({turned, {40, 10, 5}}));
  EXPECT_TRUE(cross_at({turned, {0, 0, 0}}));
  EXPECT_FALSE(cross_at({turned, {90, 0, 0}}));
  // A corner, turned to point along x, reaches half the diagonal.
  const Mat3 corner_ahead = exp_so3(Vec3{0, std::atan(1 / std::sqrt(2.0)), 0}) * exp_so3(Vec3{0, 0, 0.25 * pi});
  const double touching = 30 + 30 * std::sqrt(3.0);
  EXPECT_TRUE(cross_at({corner_ahead, {-touching + 1e-3, 3, 2}}));
  EXPECT_FALSE(cross_at({corner_ahead, {-touching - 1e-3, 3, 2}}));
}

TEST(Resting, a_box_lies_on_one_of_its_faces) {
  const PointCloud box = built_in_part(BuiltInPart::box);  // 90 x 60 x 40
  const std::vector<Vec3> corners = outermost(box.positions);
  EXPECT_EQ(corners.size(), 8u);
  EXPECT_NEAR(diameter_of(box.positions), std::sqrt(90.0 * 90 + 60 * 60 + 40 * 40), 1e-12);
  int upright = 0, flat = 0;
  for (std::uint64_t i = 0; i < 40; ++i) {
    RandomStream random(5, i);
    const Rigid3 pose = resting_on_table(corners, random);
    double lowest = 1, error = 1;
    for (const Vec3& p : corners) lowest = std::min(lowest, (pose * p)[2]);
    EXPECT_NEAR(lowest, 0, 1e-12);
    for (const double half : {45.0, 30.0, 20.0}) error = std::min(error, std::abs(pose.translation[2] - half));
    EXPECT_LT(error, 0.02);  // a hundredth of a degree at 54 from the middle
    upright += pose.translation[2] > 40, flat += pose.translation[2] < 25;
  }
  EXPECT_GT(flat, upright);  // it falls on its large faces more often than on its small ones
}

TEST(Clutter, truth_is_where_the_labels_are_and_parts_do_not_intersect) {
  NEEDS_SCANNER();
  for (const std::uint64_t index : {0, 6}) {
    SCOPED_TRACE(index);
    const Case c = make_case("clutter_built_in", index, 1);
    ASSERT_GE(c.placed.size(), 3u);
    ASSERT_LE(c.placed.size(), 6u);
    ASSERT_EQ(c.labels.size(), c.scene.size());
    expect_labels_on_parts(c, parts_built_in());
    expect_no_part_inside_another(c);
  }
}

TEST(Clutter, asks_for_parts_that_are_half_hidden) {
  NEEDS_SCANNER();
  for (std::uint64_t index = 0; index < 4; ++index) {
    const Case c = make_case("clutter_built_in", index, 2);
    ASSERT_EQ(c.objects.size(), 1u);
    EXPECT_NEAR(c.objects[0].diameter, part_diameter, 0.2);
    EXPECT_EQ(c.objects[0].name, parts_built_in()[index].sought.name);
    int asked = 0;
    for (const Placed& p : c.placed) {
      EXPECT_LE(p.visible_share, 1);
      EXPECT_EQ(p.asked, p.object.has_value());
      if (!p.asked) continue;
      ++asked;
      EXPECT_EQ(p.name, c.objects[0].name);
      EXPECT_GE(p.visible_share, 0.3);
      EXPECT_LE(p.visible_share, 0.7);
      EXPECT_GE(p.points, 300u);
    }
    EXPECT_EQ(asked, 1);
  }
}

TEST(Clutter, is_the_same_again_and_another_by_another_index) {
  NEEDS_SCANNER();
  const Case first = make_case("clutter_built_in", 3, 1), again = make_case("clutter_built_in", 3, 1);
  EXPECT_EQ(first.scene.positions, again.scene.positions);
  EXPECT_EQ(first.labels, again.labels);
  ASSERT_EQ(first.placed.size(), again.placed.size());
  for (std::size_t i = 0; i < first.placed.size(); ++i) {
    EXPECT_EQ(first.placed[i].scene_from_object, again.placed[i].scene_from_object);
    EXPECT_EQ(first.placed[i].visible_share, again.placed[i].visible_share);
  }
  EXPECT_NE(make_case("clutter_built_in", 13, 1).scene.positions, first.scene.positions);
  EXPECT_NE(make_case("clutter_built_in", 3, 2).scene.positions, first.scene.positions);
}

TEST(Clutter, absent_objects_are_not_there) {
  NEEDS_SCANNER();
  for (std::uint64_t index = 0; index < 4; ++index) {
    SCOPED_TRACE(index);
    const Case c = make_case("clutter_built_in_absent", index, 1);
    ASSERT_EQ(c.objects.size(), 1u);
    const SoughtObject& object = c.objects[0];
    for (const Placed& p : c.placed) {
      EXPECT_FALSE(p.object || p.asked);
      EXPECT_NE(p.name, object.name);
    }
    EXPECT_EQ(object.name.starts_with("mirrored_"), index % 2 == 0);
    if (index % 2 != 0) continue;
    // What it mirrors is there, and turned inside out it is that: its volume stays what it was.
    const Part& original = part_named(object.name.substr(9));
    EXPECT_TRUE(original.chiral);
    EXPECT_EQ(c.placed[0].name, original.sought.name);
    const Vec3 inside_at = original.sought.cloud.positions[0];
    EXPECT_NEAR(winding_number(object.mesh, {-0.9 * inside_at[0], 0.9 * inside_at[1], 0.9 * inside_at[2]}),
                winding_number(original.sought.mesh, 0.9 * inside_at), 1e-9);
  }
}

// Points are spread with about 0.4 hundredths of the diameter between them; a thread turned the other way makes 0.6.
constexpr double same = 0.01;

TEST(Parts, chiral_ones_differ_from_their_mirror_images_and_others_do_not) {
  NEEDS_SCANNER();
  for (const Part& part : parts_built_in()) {
    const double difference = mirror_difference(part.sought);
    EXPECT_EQ(difference > same, part.chiral) << part.sought.name << " " << difference;
  }
}

TEST(Parts, of_the_real_data_all_are_their_own_mirror_images) {
  DOVETAIL_NEEDS_DATA();
  NEEDS_SCANNER();
  ASSERT_EQ(cad_parts().size(), 10u);
  for (const Part& part : cad_parts()) {
    const double difference = mirror_difference(part.sought);
    EXPECT_EQ(difference > same, part.chiral) << part.sought.name << " " << difference;
  }
}

TEST(LaidTable, has_the_load_of_the_thesis) {
  NEEDS_SCANNER();
  const Case c = make_case("thesis", 0, 1);
  ASSERT_EQ(c.objects.size(), 3u);
  std::size_t instances[3] = {};
  for (const Placed& p : c.placed) {
    ASSERT_TRUE(p.object.has_value());
    EXPECT_EQ(p.name, c.objects[*p.object].name);
    EXPECT_EQ(p.asked, p.visible_share >= 0.3);
    ++instances[*p.object];
  }
  EXPECT_EQ(instances[0], 7u);
  EXPECT_EQ(instances[1], 8u);
  EXPECT_EQ(instances[2], 6u);
  EXPECT_NEAR(static_cast<double>(c.scene.size()), 60000, 2000);  // a coarse image says how many rays it takes
  for (const SoughtObject& object : c.objects) EXPECT_EQ(object.cloud.size(), 100000u);
  expect_labels_on_parts(c, tableware());
}

TEST(Rooms, overlap_by_a_quarter_to_a_half_where_the_truth_says) {
  NEEDS_SCANNER();
  const Case c = make_case("rooms", 0, 1);
  const SoughtObject& source = c.objects.at(0);
  for (const std::size_t size : {source.cloud.size(), c.scene.size()}) {
    EXPECT_GE(size, 10000u);
    EXPECT_LE(size, 60000u);
  }
  std::vector<Vec3f> target;
  for (const Vec3& p : c.scene.positions) target.push_back(p.cast<float>());
  const KdTree tree(target);
  std::size_t near = 0, very_near = 0;
  for (const Vec3& p : source.cloud.positions) {
    const Vec3f q = (c.placed[0].scene_from_object * p).cast<float>();
    const Neighbour n = nearest(tree.view(), q[0], q[1], q[2], 0.01f);
    near += n.found(), very_near += n.found() && n.squared_distance < 0.05f * 0.05f;
  }
  const double overlap = static_cast<double>(near) / static_cast<double>(source.cloud.size());
  EXPECT_NEAR(overlap, c.details.at("overlap_of_source"), 1e-3);  // points moved there and back, in float
  EXPECT_GE(overlap, 0.25);
  EXPECT_LE(overlap, 0.5);
  EXPECT_GT(static_cast<double>(very_near), 0.5 * static_cast<double>(near));  // surfaces lie on each other
}

TEST(RealPairs, lie_on_each_other_at_the_truth) {
  DOVETAIL_NEEDS_DATA();
  struct Expected {
    const char* set;
    double distance;  // of points that have a counterpart
    double share;
  };
  // The carton is a cut-out of its scene, exact to 1.4e-7 m. The views' points are a few thousandths apart.
  for (const Expected& expected : {Expected{"milk_find", 1e-5, 0.999}, Expected{"views", 0.01, 0.3}}) {
    SCOPED_TRACE(expected.set);
    const Case c = make_case(expected.set, 1, 1);
    std::vector<Vec3f> scene;
    for (const Vec3& p : c.scene.positions) scene.push_back(p.cast<float>());
    const KdTree tree(scene);
    std::size_t near = 0;
    for (const Vec3& p : c.objects[0].cloud.positions) {
      const Vec3f q = (c.placed[0].scene_from_object * p).cast<float>();
      const double limit = expected.distance * (c.details.contains("radius") ? c.details.at("radius") : 1);
      near += nearest(tree.view(), q[0], q[1], q[2], static_cast<float>(limit * limit)).found();
    }
    EXPECT_GT(static_cast<double>(near), expected.share * static_cast<double>(c.objects[0].cloud.size()));
  }
}

TEST(Cases, refuse_a_set_there_is_not) { EXPECT_THROW(make_case("no_such_set", 0, 1), InvalidArgument); }

}  // namespace
}  // namespace dovetail::bench::find
