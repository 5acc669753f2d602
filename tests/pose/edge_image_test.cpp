// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "pose/edge_image.h"

namespace dovetail::pose {
namespace {

TEST(EdgeImage, TheNearerSurfaceHasTheEdge) {
  const std::vector<float> depth{10, 10, 13, 13,  //
                                 10, 10, 13, 0,   //
                                 10, 10, 13, 13};
  EXPECT_EQ(depth_edges(depth, 4, 3, 2), (std::vector<std::uint8_t>{0, 1, 0, 1,  //
                                                                    0, 1, 1, 0,  //
                                                                    0, 1, 0, 1}));
  EXPECT_EQ(depth_edges(depth, 4, 3, 3), (std::vector<std::uint8_t>{0, 0, 0, 1,  //
                                                                    0, 0, 1, 0,  //
                                                                    0, 0, 0, 1}))
      << "a step of just as much is none";
}

TEST(EdgeImage, DistancesAreExact) {
  constexpr int width = 37, height = 23;
  constexpr double limit = 9;
  std::vector<float> depth(width * height);
  std::vector<std::uint8_t> edges(depth.size());
  RandomStream random(1, 0);
  for (std::size_t i = 0; i < depth.size(); ++i) {
    depth[i] = random.uniform() < 0.3 ? 0.0f : 1.0f;
    edges[i] = depth[i] != 0 && random.uniform() < 0.02;
  }
  const std::vector<float> distance = edge_distance(depth, edges, width, height, limit);
  int cut = 0;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      double nearest = limit;
      for (int v = 0; v < height; ++v) {
        for (int u = 0; u < width; ++u) {
          if (edges[static_cast<std::size_t>(v * width + u)]) nearest = std::min(nearest, std::hypot(u - x, v - y));
        }
      }
      const auto at = static_cast<std::size_t>(y * width + x);
      EXPECT_FLOAT_EQ(std::fabs(distance[at]), static_cast<float>(nearest)) << x << ", " << y;
      EXPECT_EQ(std::signbit(distance[at]), depth[at] == 0 && nearest > 0);
      cut += nearest == limit;
    }
  }
  EXPECT_GT(cut, 0) << "the limit was not tried";
}

TEST(EdgeImage, WithoutEdgesEverythingIsFar) {
  const std::vector<float> depth(20, 5.0f);
  const std::vector<std::uint8_t> edges = depth_edges(depth, 5, 4, 1);
  for (const std::uint8_t edge : edges) EXPECT_EQ(edge, 0);
  for (const float d : edge_distance(depth, edges, 5, 4, 7)) EXPECT_EQ(d, 7);
}

}  // namespace
}  // namespace dovetail::pose
