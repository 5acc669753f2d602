// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/random.h"
#include "dovetail/scanner.h"
#include "pose/drawn_parts.h"
#include "pose/edge_image.h"
#include "pose/rasterise_cases.h"
#include "support/tolerances.h"

// A scene that is drawn here: two built-in parts, one partly behind a box, on a floor, some pixels not measured; and
// poses near and far from where they are.

namespace dovetail::test {

/// A part that no database was built for.
struct LoosePart {
  TriangleMesh triangles;
  PoseReferences part;
  pose::WantedPart wanted;

  LoosePart(BuiltInPart which, std::size_t index) {
    triangles = triangle_mesh(built_in_part(which));
    part.vertices = triangles.points;
    part.triangles = triangles.triangles;
    part.center = {4, -3, 2};
    for (const Vec3f& v : triangles.points) part.radius = std::max(part.radius, norm(v.cast<double>()));
    wanted.part = &part;
    wanted.index = index;
    pose::PartShape shape;
    for (const Vec3f& v : triangles.points) shape.mesh.points.push_back(v.cast<double>() + part.center);
    shape.mesh.triangles = triangles.triangles;
    shape.surface = shape.mesh.points;
    shape.surface_about_center = triangles.points;
    wanted.shape = std::make_shared<const pose::PartShape>(std::move(shape));
    wanted.diameter = 2 * part.radius;
    wanted.tolerance = 0.012 * wanted.diameter;
  }
  LoosePart(const LoosePart&) = delete;
};

struct DrawnScene {
  LoosePart tee{BuiltInPart::t_pipe, 0}, bolt{BuiltInPart::hex_bolt, 1}, box{BuiltInPart::box, 2};
  std::vector<pose::WantedPart> wanted{tee.wanted, bolt.wanted, box.wanted};
  std::vector<Rigid3> truth{{exp_so3(Vec3{2.6, 0.4, -0.5}), {-45, -10, 560}},
                            {exp_so3(Vec3{0.3, 1.1, 2.4}), {60, 30, 570}},
                            {exp_so3(Vec3{0.1, 0.2, 0.3}), {-80, 25, 500}}};
  pose::RangeScene scene;
  pose::Background background;

  DrawnScene() {
    RangeImage image{{320, 240, 350, 352, 161, 119, 0, 0.5, {}}, std::vector<float>(320 * 240, 640.0f)};
    for (std::size_t k = 0; k < truth.size(); ++k) {
      const pose::RenderedDepth seen =
          pose::raster_surface(wanted[k].shape->mesh, truth[k], pose::pinhole_of(image.camera)).image;
      for (int y = 0; y < 240; ++y) {
        for (int x = 0; x < 320; ++x) {
          float& depth = image.depth[static_cast<std::size_t>(y * 320 + x)];
          if (seen.depth_at(x, y) > 0) depth = std::min(depth, seen.depth_at(x, y));
        }
      }
    }
    RandomStream random(11, 0);
    for (float& depth : image.depth) depth = random.uniform() < 0.03 ? 0 : depth;
    scene = pose::prepare_scene(image, 3);
    background =
        pose::background_of(scene, {0.35 * tee.wanted.diameter, 0.07 * tee.wanted.diameter, tee.wanted.diameter});
  }
  DrawnScene(const DrawnScene&) = delete;

  /// At the truth, near it, elsewhere, and outside of the image or half so.
  std::vector<pose::PosedPart> poses() const {
    RandomStream random(5, 0);
    std::vector<pose::PosedPart> posed;
    for (int i = 0; i < 40; ++i) {
      const std::size_t part = random.below(3);
      const double off = i < 3 ? 0 : i < 20 ? 0.03 : 1;
      const Vec3 turn = off * Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
      const Vec3 shift = off * Vec3{random.uniform(-100, 100), random.uniform(-100, 100), random.uniform(-40, 40)};
      const Rigid3 pose{exp_so3(turn) * truth[part].rotation, truth[part].translation + shift};
      posed.push_back(pose::posed_part(scene, wanted[part], pose));
    }
    posed.push_back(pose::posed_part(scene, wanted[0], {Mat3::identity(), {-250, 0, 560}}));
    posed.push_back(pose::posed_part(scene, wanted[1], {Mat3::identity(), {5000, 0, 560}}));
    return posed;
  }
};

/// The scene in a machine's memory.
inline pose::FineScene placed(Backend& machine, const DrawnScene& s) {
  std::vector<pose::PlacedShape> shapes;
  for (const pose::WantedPart& w : s.wanted) {
    shapes.push_back(pose::placed_shape(machine.memory(), *w.part, *w.shape));
  }
  return pose::FineScene(machine, s.scene, s.background,
                         std::make_shared<const std::vector<pose::PlacedShape>>(std::move(shapes)));
}

/// Whoever draws and counts comes to the same: whole numbers exactly, sums of squares and cosines but for their order.
inline void expect_drawn_parts_match(Backend& machine, Backend& oracle) {
  const DrawnScene s;
  const pose::FineScene own = placed(machine, s), other = placed(oracle, s);
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, s.poses().size()}) {
    std::vector<pose::PosedPart> posed = s.poses();
    posed.resize(count);
    const pose::DrawnParts a(own, posed), b(other, posed);
    std::vector<std::size_t> all(count);
    for (std::size_t i = 0; i < count; ++i) all[i] = i;
    const std::vector<drawn::Told> told = a.told(all), right = b.told(all);
    for (std::size_t i = 0; i < count; ++i) {
      SCOPED_TRACE("pose " + std::to_string(i));
      EXPECT_EQ(a.verdict(i).rendered.pixels, b.verdict(i).rendered.pixels);
      EXPECT_EQ(a.verdict(i).agrees, b.verdict(i).agrees);
      const drawn::Sums x{a.seen(i), told[i]}, y{b.seen(i), right[i]};
      for (int k = 0; k < doubles_in<drawn::Sums>; ++k) {
        EXPECT_NEAR(as_doubles(x)[k], as_doubles(y)[k], double_sums * std::fabs(as_doubles(y)[k])) << "number " << k;
      }
    }
  }
}

/// Parts that were moved by some degrees and millimetres come back, all at once.
inline void expect_parts_come_back(Backend& machine) {
  const DrawnScene s;
  const pose::FineScene scene = placed(machine, s);
  RandomStream random(3, 0);
  std::vector<pose::PosedPart> posed;
  for (int i = 0; i < 20; ++i) {
    const std::size_t part = static_cast<std::size_t>(i % 2);
    const Vec3 turn{random.uniform(-0.05, 0.05), random.uniform(-0.05, 0.05), random.uniform(-0.05, 0.05)};
    const Vec3 shift{random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)};
    const Rigid3& truth = s.truth[part];
    posed.push_back(
        pose::posed_part(s.scene, s.wanted[part], {exp_so3(turn) * truth.rotation, truth.translation + shift}));
  }
  const pose::DrawnParts drawn(scene, posed);
  std::vector<pose::SeenPose> poses;
  for (std::size_t i = 0; i < posed.size(); ++i) {
    const double d = posed[i].wanted->diameter;
    poses.push_back({drawn.visible_points(i, 400), posed[i].camera_from_part, {0.06 * d, 0.012 * d, 20, 0.012 * d}});
  }
  // What the image says of the same points at the truth: they are asked, and not moved.
  std::vector<pose::SeenPose> at_truth = poses;
  for (std::size_t i = 0; i < posed.size(); ++i) {
    at_truth[i].pose = s.truth[i % 2], at_truth[i].settings.iterations = 0;
  }
  const std::vector<pose::FinePose> right = pose::refine_seen(scene, at_truth, {});
  const std::vector<pose::FinePose> found = pose::refine_seen(scene, poses, {});
  ASSERT_EQ(found.size(), poses.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    SCOPED_TRACE("pose " + std::to_string(i));
    const Rigid3& truth = s.truth[i % 2];
    // A bolt turns freely about its axis, z, as far as these points tell.
    for (const Vec3& p : {Vec3{0, 0, -30}, Vec3{0, 0, 30}}) {
      const Vec3 at = s.wanted[i % 2].part->center + p;
      EXPECT_LT(norm(found[i].pose * at - truth * at), 1.0);  // started from up to 5 mm off; a pixel is 1.6 mm wide
    }
    EXPECT_GT(right[i].verdict.explained, 0.5);
    // Points at the rim of what 150 of them show are told this way or that.
    EXPECT_GT(found[i].verdict.worth(), right[i].verdict.worth() - 0.1);
  }
}

}  // namespace dovetail::test
