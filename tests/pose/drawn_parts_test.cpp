// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cpu/cpu_backend.h"
#include "backend/reference/reference_backend.h"
#include "pose/drawn_part_cases.h"

namespace dovetail::test {
namespace {

using pose::DrawnParts;
using pose::FineScene;

TEST(DrawnParts, MatchTheReference) {
  CpuBackend cpu(2);
  ReferenceBackend reference;
  expect_drawn_parts_match(cpu, reference);
}

TEST(DrawnParts, ComeBackWhenTheyWereMoved) {
  CpuBackend cpu(2);
  expect_parts_come_back(cpu);
}

/// What the image says, worked out image by image: as (6) reads.
drawn::Seen seen_in(const DrawnScene& s, const pose::PosedPart& posed, const pose::DrawnRegion& drawn) {
  const pose::PixelRegion& r = drawn.region;
  std::vector<float> depth;
  for (std::size_t i = 0; i < drawn.pixels.size(); ++i) depth.push_back(drawn.depth(i));
  const double tolerance = posed.wanted->tolerance;
  const std::vector<std::uint8_t> edges = pose::depth_edges(depth, r.width, r.height, 2 * tolerance);
  drawn::Seen seen{};
  for (int y = r.top; y < r.bottom(); ++y) {
    for (int x = r.left; x < r.right(); ++x) {
      const std::size_t at = r.offset(x, y);
      if (depth[at] == 0) continue;
      seen.pixels += 1;
      const double there = static_cast<double>(s.scene.depth[s.scene.at(x, y)]);
      const auto& [a, b, c] = posed.wanted->shape->mesh.triangles[raster::label_of(drawn.pixels[at])];
      const std::vector<Vec3>& points = posed.wanted->shape->mesh.points;
      const Vec3 normal = posed.camera_from_part.rotation * cross(points[b] - points[a], points[c] - points[a]);
      const Vec3 ray = s.scene.camera.direction(x, y);
      const double behind = there - static_cast<double>(depth[at]);
      const double off = std::fabs(behind * dot(normal, ray)) / (norm(normal) * norm(ray));
      if (there == 0) {
        seen.unknown += 1;
      } else if (off <= tolerance && std::fabs(behind) <= 4 * tolerance) {
        seen.explained += 1;
        seen.squares += off * off;
      } else {
        (behind < 0 ? seen.hidden : edges[at] ? seen.unknown : seen.impossible) += 1;
      }
    }
  }
  return seen;
}

TEST(DrawnParts, PixelsAreCountedAsTheyAreDrawn) {
  const DrawnScene s;
  CpuBackend cpu(2);
  const FineScene scene = placed(cpu, s);
  const std::vector<pose::PosedPart> posed = s.poses();
  const DrawnParts drawn(scene, posed);
  drawn::Seen all{};
  for (std::size_t i = 0; i < posed.size(); ++i) {
    SCOPED_TRACE("pose " + std::to_string(i));
    const pose::Verdict verdict = drawn.verdict(i);
    const drawn::Seen right = seen_in(s, posed[i], verdict.rendered), &seen = drawn.seen(i);
    EXPECT_EQ(seen.pixels, right.pixels);
    EXPECT_EQ(seen.explained, right.explained);
    EXPECT_EQ(seen.hidden, right.hidden);
    EXPECT_EQ(seen.impossible, right.impossible);
    EXPECT_EQ(seen.unknown, right.unknown);
    EXPECT_NEAR(seen.squares, right.squares, 1e-5 * right.squares);  // cosines are kept in single precision
    EXPECT_EQ(verdict.explained, std::count(verdict.agrees.begin(), verdict.agrees.end(), 1));
    all.explained += seen.explained, all.hidden += seen.hidden;
    all.impossible += seen.impossible, all.unknown += seen.unknown;
  }
  for (const double kind : {all.explained, all.hidden, all.impossible, all.unknown}) EXPECT_GT(kind, 100);
}

TEST(DrawnParts, AreDrawnAsTheRasterizerDrawsThem) {
  const DrawnScene s;
  CpuBackend cpu(2);
  const FineScene scene = placed(cpu, s);
  const std::vector<pose::PosedPart> posed = s.poses();
  const DrawnParts drawn(scene, posed);
  std::size_t pixels = 0, differ = 0;
  for (std::size_t i = 0; i < posed.size(); ++i) {
    const pose::DrawnRegion own = drawn.verdict(i).rendered;
    const pose::RenderedDepth right =
        pose::raster_surface(posed[i].wanted->shape->mesh, posed[i].camera_from_part, pose::pinhole_of(s.scene.camera))
            .image;
    ASSERT_EQ(own.region, right.region);
    for (std::size_t at = 0; at < own.pixels.size(); ++at) {
      pixels += right.depth[at] > 0;
      differ += std::fabs(own.depth(at) - right.depth[at]) > 0.01f;
    }
  }
  EXPECT_GT(pixels, 20000u);
  EXPECT_LT(differ, pixels / 2000);  // rays along edges, where rounding decides
}

TEST(DrawnParts, WhatIsThereIsExplainedAndWhatIsNotContradicted) {
  const DrawnScene s;
  CpuBackend cpu(2);
  const FineScene scene = placed(cpu, s);
  const Rigid3 above{s.truth[1].rotation, s.truth[1].translation - Vec3{0, 0, 60}};
  const Rigid3 beneath{s.truth[1].rotation, s.truth[1].translation + Vec3{0, 0, 120}};
  std::vector<pose::PosedPart> posed;
  for (const Rigid3& pose : {s.truth[1], above, beneath}) {
    posed.push_back(pose::posed_part(s.scene, s.wanted[1], pose));
  }
  const DrawnParts drawn(scene, posed);
  EXPECT_GT(drawn.seen(0).explained, 0.9 * drawn.seen(0).pixels);
  EXPECT_EQ(drawn.seen(0).impossible, 0);
  EXPECT_GT(drawn.seen(1).impossible, 0.6 * drawn.seen(1).pixels);
  EXPECT_GT(drawn.seen(2).hidden, 0.9 * drawn.seen(2).pixels);
  const std::vector<std::size_t> all{0, 1, 2};
  const std::vector<drawn::Told> told = drawn.told(all);
  EXPECT_GT(told[0].cosines, 0.9 * told[0].told);
  EXPECT_EQ(told[0].sunk, 0);
  EXPECT_GT(told[2].sunk, 0.9 * static_cast<double>(s.wanted[1].shape->surface.size()));
}

TEST(DrawnParts, ComeInPortionsThatTheMemoryHolds) {
  std::vector<pose::PosedPart> parts(10);
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i].region = {0, 0, 1 << 10, i == 4 ? 1 << 14 : 3 << 10};
  std::vector<std::size_t> sizes;
  std::size_t next = 0;
  pose::in_portions(parts, [&](std::span<const pose::PosedPart> some, std::size_t first) {
    EXPECT_EQ(first, next);
    next += some.size();
    sizes.push_back(some.size());
  });
  EXPECT_EQ(sizes, (std::vector<std::size_t>{2, 2, 1, 2, 2, 1}));  // 3 M each, the fifth 16 M of the 8 M
}

}  // namespace
}  // namespace dovetail::test
