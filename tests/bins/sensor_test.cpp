// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "dovetail/error.h"
#include "pose/depth_sensor.h"

// What the sensor adds to exact depth, counted on surfaces made up for it.

namespace dovetail::pose {
namespace {

const Pinhole camera{600, 600, 160, 120, 320, 240};
constexpr double baseline = 100;

/// A wall across the view; beyond column `edge` it is farther away.
RenderedView wall(float depth, float cosine, int edge = 320, float behind = 0) {
  RenderedView view;
  view.image.region = whole_image(camera);
  for (int y = 0; y < camera.height; ++y) {
    for (int x = 0; x < camera.width; ++x) {
      view.image.depth.push_back(x < edge ? depth : behind);
      view.image.part.push_back(0);
      view.cosine.push_back(cosine);
      view.lit.push_back(1);
    }
  }
  return view;
}

DepthSensor perfect() {
  DepthSensor sensor;
  sensor.shift_noise = sensor.shift_step = sensor.edge_holes = sensor.flying = sensor.dropout = 0;
  return sensor;
}

double sigma(const std::vector<float>& measured, double truth) {
  double sum = 0;
  for (const float z : measured) sum += (z - truth) * (z - truth);
  return std::sqrt(sum / static_cast<double>(measured.size()));
}

TEST(DepthSensor, without_errors_is_exact) {
  for (const float z : measured_depth(wall(500, 1), camera, perfect(), baseline, 1)) EXPECT_NEAR(z, 500, 1e-4);
}

TEST(DepthSensor, noise_grows_with_the_square_of_distance_and_with_slant) {
  DepthSensor sensor = perfect();
  sensor.shift_noise = 0.05;
  // z² / (f b) × 0.05; of 76,800 values the deviation is known to 0.3%, five times that is allowed.
  const double near = 500 * 500 / (600 * baseline) * 0.05;
  EXPECT_NEAR(sigma(measured_depth(wall(500, 1), camera, sensor, baseline, 1), 500), near, 0.015 * near);
  EXPECT_NEAR(sigma(measured_depth(wall(1000, 1), camera, sensor, baseline, 1), 1000), 4 * near, 0.015 * 4 * near);
  // At 60 degrees tan² is 3: 1 + 0.5 × 3.
  EXPECT_NEAR(sigma(measured_depth(wall(500, 0.5f), camera, sensor, baseline, 1), 500), 2.5 * near, 0.015 * 2.5 * near);
}

TEST(DepthSensor, seeds_differ_and_repeat) {
  const RenderedView view = wall(500, 1);
  EXPECT_EQ(measured_depth(view, camera, {}, baseline, 4), measured_depth(view, camera, {}, baseline, 4));
  EXPECT_NE(measured_depth(view, camera, {}, baseline, 4), measured_depth(view, camera, {}, baseline, 5));
}

TEST(DepthSensor, depth_comes_in_steps) {
  DepthSensor sensor = perfect();
  sensor.shift_step = 1;
  // 600 × 100 / 501 = 119.76 is rounded to 120: 500.
  for (const float z : measured_depth(wall(501, 1), camera, sensor, baseline, 1)) EXPECT_NEAR(z, 500, 1e-4);
}

TEST(DepthSensor, what_is_grazed_or_in_shadow_is_not_measured) {
  DepthSensor sensor = perfect();
  sensor.max_slant = 70;
  const auto measures = [&](double degrees) {
    const auto cosine = static_cast<float>(std::cos(degrees * std::numbers::pi / 180));
    return measured_depth(wall(500, cosine), camera, sensor, baseline, 1)[1000] > 0;
  };
  EXPECT_TRUE(measures(69));
  EXPECT_FALSE(measures(71));
  RenderedView dark = wall(500, 1);
  dark.lit[77] = 0;
  const std::vector<float> measured = measured_depth(dark, camera, perfect(), baseline, 1);
  EXPECT_EQ(measured[77], 0);
  EXPECT_GT(measured[78], 0);
}

TEST(DepthSensor, edges_have_holes_and_flying_pixels) {
  DepthSensor sensor = perfect();
  sensor.edge_holes = 0.4, sensor.flying = 0.25;
  int holes = 0, flying = 0, edge_pixels = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::vector<float> measured = measured_depth(wall(500, 1, 100, 700), camera, sensor, baseline, seed);
    for (int y = 0; y < camera.height; ++y) {
      for (int x = 0; x < camera.width; ++x) {
        const float z = measured[whole_image(camera).offset(x, y)], truth = x < 100 ? 500.0f : 700.0f;
        if (x != 99 && x != 100) {
          ASSERT_NEAR(z, truth, 1e-3) << x;
          continue;
        }
        ++edge_pixels;
        holes += z == 0;
        flying += z > 500.01f && z < 699.99f;
      }
    }
  }
  ASSERT_EQ(edge_pixels, 20 * 240 * 2);
  // 9,600 draws: one standard deviation is 0.005.
  EXPECT_NEAR(holes / 9600.0, 0.4, 0.025);
  EXPECT_NEAR(flying / 9600.0, 0.25, 0.025);
}

TEST(DepthSensor, dropout_is_a_share) {
  DepthSensor sensor = perfect();
  sensor.dropout = 0.1;
  long lost = 0;
  for (const float z : measured_depth(wall(500, 1), camera, sensor, baseline, 1)) lost += z == 0;
  EXPECT_NEAR(static_cast<double>(lost) / 76800, 0.1, 0.006);  // five standard deviations
}

// A post of 20 stands 100 before a wall at 500; the light is 100 to the right of the camera.
TEST(RenderedView, shadows_lie_away_from_the_light) {
  if (!depth_renderer_available()) GTEST_SKIP() << "built without Embree";
  PointCloud plane, post;
  plane.positions = {{-500, -500, 500}, {500, -500, 500}, {500, 500, 500}, {-500, 500, 500}};
  plane.faces.add({0, 1, 2, 3});
  post.positions = {{-10, -500, 400}, {10, -500, 400}, {10, 500, 400}, {-10, 500, 400}};
  post.faces.add({0, 1, 2, 3});
  const RenderMesh far(plane), near(post);
  const PosedMesh scene[] = {{&far, Rigid3::identity()}, {&near, Rigid3::identity()}};
  const RenderedView view = render_view(scene, camera, {100, 0, 0});
  int dark = 0;
  for (int x = 0; x < camera.width; ++x) {
    const std::size_t at = view.image.region.offset(x, 120);
    EXPECT_NEAR(view.cosine[at], 1 / norm(camera.direction(x + 0.5, 120.5)), 1e-5);
    // From the light at x = 100 the post's sides are seen on the wall at 100 − 110 × 500/400 and 100 − 90 × 500/400:
    // between −37.5 and −12.5, which are the pixels 115 to 145; the post itself hides 145 to 175.
    const bool in_shadow = x >= 115 && x < 145;
    EXPECT_EQ(view.lit[at], in_shadow ? 0 : 1) << x;
    EXPECT_EQ(view.image.part[at], x >= 145 && x < 175 ? 1 : 0) << x;
    dark += view.lit[at] == 0;
  }
  EXPECT_EQ(dark, 30);
}

}  // namespace
}  // namespace dovetail::pose
