// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <gtest/gtest.h>

#include <string>

#include "backend/backend.h"
#include "core/random.h"
#include "methods/rough_pose.h"
#include "support/tolerances.h"

// Made-up references and windows for the passes of rough poses.

namespace dovetail::test {

/// Whole numbers at random in every field: windows and references of one size that have nothing to do with each other,
/// but for the first reference, which is the middle of the first window.
struct RoughCase {
  LaidReferences references;
  std::vector<LaidWindow> windows;
  rough::Params params;

  explicit RoughCase(int size, std::uint64_t seed = 1) {
    RandomStream random(seed, 0);
    const auto pixel = [&](double known) {
      LaidPixel p{};
      p.depth = static_cast<std::int16_t>(random.uniform(-600, 600));
      p.distance = static_cast<std::int8_t>(random.uniform(0, 60));
      p.weight = random.uniform() < known ? static_cast<std::uint8_t>(random.uniform(1, 256)) : std::uint8_t{0};
      return p;
    };
    for (int w = 0; w < 3; ++w) {
      LaidWindow window;
      window.size = 2 * size, window.stride = 2 * size + static_cast<int>(group_pixels);
      window.pixels.assign(static_cast<std::size_t>(window.stride * window.size), LaidPixel{});
      for (int y = 0; y < window.size; ++y) {
        for (int x = 0; x < window.size; ++x) {
          LaidPixel& p = window.pixels[static_cast<std::size_t>(y * window.stride + x)];
          // Smooth, so that a simplex has something to go down on.
          p = pixel(0.9);
          p.depth =
              static_cast<std::int16_t>(40 * std::sin(0.2 * x + w) * size / 8 + 30 * std::cos(0.17 * y) * size / 8);
        }
      }
      windows.push_back(std::move(window));
    }
    references.size = size;
    // Of no group, of one, and of many.
    for (const int groups : {-1, 0, 1, 2, 7, size * size / 16}) {
      LaidReference r;
      r.first = static_cast<std::uint32_t>(references.corner.size());
      r.first_seed = static_cast<std::uint32_t>(references.seeds.size());
      const auto add = [&](int x, int y) {
        references.corner.push_back(static_cast<std::uint32_t>(y) << 16 | static_cast<std::uint32_t>(x));
        for (int k = 0; k < static_cast<int>(group_pixels); ++k) {
          const int row = y + size / 2, column = x + k + size / 2;
          LaidPixel p = x + k < size ? pixel(0.8) : LaidPixel{};
          if (groups < 0) {
            p = windows[0].pixels[static_cast<std::size_t>(row * windows[0].stride + column)];
            if (x + k >= size) p.weight = 0;
          }
          references.pixels.push_back(p);
        }
        ++r.groups;
      };
      if (groups < 0) {
        for (int y = 0; y < size; ++y) {
          for (int x = 0; x < size; x += static_cast<int>(group_pixels)) add(x, y);
        }
      }
      for (int g = 0; g < groups; ++g) {
        add(static_cast<int>(random.below(static_cast<std::uint32_t>(size))),
            static_cast<int>(random.below(static_cast<std::uint32_t>(size))));
      }
      for (int s = 0; s < groups % 11; ++s) {
        const double far = 40.0 * size;  // beyond what a window reaches
        references.seeds.push_back({static_cast<std::int32_t>(random.uniform(-far, far)),
                                    static_cast<std::int32_t>(random.uniform(-far, far)),
                                    static_cast<std::int32_t>(random.uniform(-300, 300))});
        ++r.seeds;
      }
      references.most_groups = std::max(references.most_groups, r.groups);
      references.references.push_back(r);
    }
    params.range = 0.375 / 240, params.cover = 0.25 / 32;
    params.hidden = 0.5, params.impossible = 1, params.unknown = 0.35;
    params.tolerance = 240, params.reach = 32, params.step = 128;
    params.spread = 0.01;
  }

  /// Every reference at every window; what is put stays with `keeper`.
  Batch<rough::RoughPose> batch(Memory& memory, Keeper& keeper) const {
    Batch<rough::RoughPose> b;
    b.params = params;
    b.max_iterations = 100;
    Placed<ReferencesView> part = put(memory, references);
    for (std::uint32_t w = 0; w < windows.size(); ++w) {
      Placed<WindowView> window = put(memory, windows[w]);
      b.data.push_back({window.view, part.view});
      keeper.add(std::move(window.keeper));
      for (std::uint32_t r = 0; r < references.references.size(); ++r) {
        b.states.push_back(rough::RoughPose::first_state(params, w, r, references.references[r]));
      }
    }
    keeper.add(std::move(part.keeper));
    return b;
  }
};

/// Sums of whole numbers are the same whoever adds them, and so is every step of every simplex.
inline void expect_rough_poses_match(Backend& machine, Backend& oracle) {
  for (const int size : {16, 19, 64, 256}) {
    SCOPED_TRACE("references of " + std::to_string(size) + " pixels");
    const RoughCase c(size);
    for (const int iterations : {1, 100}) {
      Keeper own, other;
      Batch<rough::RoughPose> batch = c.batch(machine.memory(), own), right = c.batch(oracle.memory(), other);
      batch.max_iterations = right.max_iterations = iterations;
      machine.run(batch), oracle.run(right);
      for (std::size_t i = 0; i < batch.states.size(); ++i) {
        SCOPED_TRACE("state " + std::to_string(i));
        const rough::State &found = batch.states[i], &wanted = right.states[i];
        EXPECT_EQ(found.phase, wanted.phase);
        EXPECT_EQ(found.iterations, wanted.iterations);
        EXPECT_EQ(found.seed, wanted.seed);
        for (int k = 0; k < 4; ++k) {
          EXPECT_EQ(found.corner[k], wanted.corner[k]) << k;
          EXPECT_NEAR(found.error[k], wanted.error[k], whole_sums * (1 + wanted.error[k])) << k;
        }
        for (std::uint32_t h = 0; h < 4 && i < batch.states.size(); ++h) {
          const rough::Sums &a = batch.sums[4 * i + h], &b = right.sums[4 * i + h];
          if (found.phase == rough::Phase::shrunk && h == 3) continue;  // what the pass before left
          for (int k = 0; k < doubles_in<rough::Sums>; ++k) EXPECT_EQ(as_doubles(a)[k], as_doubles(b)[k]) << h << k;
        }
      }
    }
  }
}

}  // namespace dovetail::test
