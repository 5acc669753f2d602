// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "core/random.h"
#include "dovetail/rotation.h"
#include "methods/fine_pose.h"
#include "support/tolerances.h"

// Made-up scenes and points for the passes of fine poses.

namespace dovetail::test {

/// A surface with waves, some of it not measured or without a normal; and sets of points near it, of awkward sizes. At
/// the first pose every point is seen well inside of its pixel, so that rounding does not move it to another.
struct FineCase {
  std::vector<ScenePixel> pixels;
  std::vector<float> x, y, z;
  std::vector<fine::State> states;
  SceneView scene;
  std::uint32_t largest = 0;

  FineCase(std::uint32_t points, int count) {
    RandomStream random(points, static_cast<std::uint64_t>(count));
    scene.width = 160, scene.height = 120;
    scene.fx = 180, scene.fy = 175, scene.cx = 79.3, scene.cy = 60.2;
    for (int j = 0; j < scene.height; ++j) {
      for (int i = 0; i < scene.width; ++i) {
        const double depth = depth_of(i, j), step = 1e-3;
        const auto at = [&](double u, double v) {
          return depth_of(u, v) * Vec3{(u - scene.cx) / scene.fx, (v - scene.cy) / scene.fy, 1};
        };
        Vec3 n = cross(at(i, j + step) - at(i, j), at(i + step, j) - at(i, j));
        n = 1 / norm(n) * n;
        ScenePixel pixel{static_cast<float>(depth), {}};
        for (int k = 0; k < 3; ++k) pixel.normal[k] = static_cast<float>(n[k]);
        if (random.uniform() < 0.05) pixel.normal[0] = pixel.normal[1] = pixel.normal[2] = 0;
        if (random.uniform() < 0.05) pixel = {};
        pixels.push_back(pixel);
      }
    }
    largest = points;
    for (int s = 0; s < count; ++s) {
      const Rigid3 pose{random.rotation(), {random.uniform(-20, 20), random.uniform(-20, 20), 400}};
      fine::State state = fine::first_state(pose, 8, 2, 6, 1.5);
      state.first = static_cast<std::uint32_t>(x.size());
      state.count = points;
      state.middle = {3, -2, 1};
      state.radius = 60;
      for (std::uint32_t p = 0; p < points; ++p) {
        const double u = std::floor(random.uniform(-5, 165)) + random.uniform(-0.4, 0.4);
        const double v = std::floor(random.uniform(-5, 125)) + random.uniform(-0.4, 0.4);
        const double depth = depth_of(u, v) + random.uniform(-12, 12);
        const Vec3 here = depth * Vec3{(u - scene.cx) / scene.fx, (v - scene.cy) / scene.fy, 1};
        const Vec3 own = pose.inverse() * here - state.middle;
        x.push_back(static_cast<float>(own[0])), y.push_back(static_cast<float>(own[1]));
        z.push_back(static_cast<float>(own[2]));
      }
      states.push_back(state);
    }
  }

  Batch<fine::FinePose> batch(Memory& memory, Keeper& keeper) const {
    Batch<fine::FinePose> b;
    b.data.push_back({scene, {memory.put(x, keeper), memory.put(y, keeper), memory.put(z, keeper), largest}});
    b.data[0].scene.pixels = memory.put(pixels, keeper);
    b.states = states;
    b.max_iterations = 8;
    return b;
  }

 private:
  static double depth_of(double u, double v) { return 400 + 12 * std::sin(0.11 * u) + 9 * std::cos(0.07 * v + 1); }
};

/// How far sums may be apart, relative to the largest of their kind: terms are products of a dozen floats about a scene
/// 400 mm away, residuals of some millimetres are off by its rounding.
inline constexpr double fine_terms = 1e-4;

inline void expect_fine_poses_match(Backend& machine, Backend& oracle) {
  for (const std::uint32_t points : {0u, 1u, 31u, 32u, 33u, 1000u, 1025u}) {
    for (const int count : {0, 1, 40}) {
      SCOPED_TRACE(std::to_string(count) + " poses of " + std::to_string(points) + " points");
      const FineCase c(points, count);
      for (const bool judged : {false, true}) {
        Keeper own, other;
        Batch<fine::FinePose> batch = c.batch(machine.memory(), own), right = c.batch(oracle.memory(), other);
        batch.max_iterations = right.max_iterations = 1;
        if (judged) {
          for (auto* b : {&batch, &right}) {
            for (fine::State& s : b->states) s.phase = fine::Phase::judge;
          }
        }
        machine.run(batch), oracle.run(right);
        for (std::size_t s = 0; s < batch.states.size(); ++s) {
          const fine::Sums &a = batch.sums[s], &b = right.sums[s];
          EXPECT_EQ(a.explained, b.explained);
          EXPECT_EQ(a.hidden, b.hidden);
          EXPECT_EQ(a.impossible, b.impossible);
          for (int i = 0; i < 6; ++i) {
            for (int j = i; j < 6; ++j) {
              const double scale = std::sqrt(b.fit.jtj(i, i) * b.fit.jtj(j, j));
              EXPECT_NEAR(a.fit.jtj(i, j), b.fit.jtj(i, j), fine_terms * scale) << i << ' ' << j;
            }
            EXPECT_NEAR(a.fit.jtr[i], b.fit.jtr[i], fine_terms * std::sqrt(b.fit.jtj(i, i) * (b.fit.cost + 1))) << i;
          }
          EXPECT_NEAR(a.fit.weight, b.fit.weight, fine_terms * b.fit.weight);
          EXPECT_NEAR(a.fit.cost, b.fit.cost, fine_terms * (b.fit.cost + 1));
          EXPECT_EQ(batch.states[s].phase, right.states[s].phase);
        }
      }
    }
  }
}

/// The whole schedule. A point that rounding moves to the pixel beside, once in ten thousand looks, pulls a little
/// elsewhere: one of a thousand, by a fraction of a millimetre.
inline void expect_refined_alike(Backend& machine, Backend& other, double mm) {
  const FineCase c(1000, 40);
  Keeper own, others;
  Batch<fine::FinePose> batch = c.batch(machine.memory(), own), right = c.batch(other.memory(), others);
  machine.run(batch), other.run(right);
  for (std::size_t s = 0; s < batch.states.size(); ++s) {
    EXPECT_EQ(batch.states[s].phase, fine::Phase::done);
    EXPECT_EQ(batch.states[s].iteration, 6);
    const Rigid3 &a = batch.states[s].camera_from_part, &b = right.states[s].camera_from_part;
    for (const Vec3& p : {Vec3{60, 0, 0}, Vec3{0, 60, 0}, Vec3{0, 0, 60}}) EXPECT_LT(norm(a * p - b * p), mm) << s;
    EXPECT_NEAR(batch.states[s].verdict.worth(), right.states[s].verdict.worth(), 0.01);  // some points of 1,000
  }
}

}  // namespace dovetail::test
