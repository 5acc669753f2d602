// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "report/silhouette.h"

#include <gtest/gtest.h>

#include <set>

#include "dovetail/error.h"
#include "report/depth_picture.h"
#include "report/made_runs.h"

namespace dovetail::test {
namespace {

using report::PixelSpan;
using report::silhouette;

/// 40 x 30 pixels; a length of z / 20 is a pixel.
DepthCamera camera() {
  DepthCamera c;
  c.width = 40, c.height = 30, c.fx = 20, c.fy = 20, c.cx = 20, c.cy = 15;
  return c;
}

/// A square of the plane z = 0.
PointCloud square(double side) {
  PointCloud mesh;
  mesh.positions = {{0, 0, 0}, {side, 0, 0}, {side, side, 0}, {0, side, 0}};
  mesh.faces.add({0, 1, 2, 3});
  return mesh;
}

Transform at(double x, double y, double z) { return Transform(Rigid3{Mat3::identity(), {x, y, z}}); }

std::set<std::pair<int, int>> pixels(const std::vector<PixelSpan>& spans) {
  std::set<std::pair<int, int>> all;
  for (const PixelSpan& span : spans) {
    for (int x = span.begin; x < span.end; ++x) all.emplace(x, span.row);
  }
  return all;
}

TEST(Silhouette, covers_the_pixels_whose_centres_the_part_covers) {
  // From 0.2 of a pixel beyond the middle one to 0.2 beyond the sixth from there: centres 21 to 26, rows 16 to 21;
  // beside them the pixels that the corners are in.
  const auto seen = pixels(silhouette(square(6), at(0.2, 0.2, 20), camera()));
  for (int y = 16; y <= 21; ++y) {
    for (int x = 21; x <= 26; ++x) EXPECT_TRUE(seen.contains({x, y})) << x << ' ' << y;
  }
  for (const auto& [x, y] : seen) {
    EXPECT_TRUE(x >= 20 && x <= 26 && y >= 15 && y <= 21) << x << ' ' << y;
  }
  EXPECT_LE(seen.size(), 36u + 4u);
}

TEST(Silhouette, follows_where_the_centre_of_a_pixel_is) {
  DepthCamera half = camera();
  half.pixel_center = 0.5;
  half.cx += 0.5, half.cy += 0.5;
  EXPECT_EQ(silhouette(square(6), at(0.2, 0.2, 20), half), silhouette(square(6), at(0.2, 0.2, 20), camera()));
}

TEST(Silhouette, is_cut_at_the_image_and_empty_behind_the_camera) {
  const auto seen = pixels(silhouette(square(1000), at(-500, -500, 20), camera()));
  EXPECT_EQ(seen.size(), 40u * 30u);
  EXPECT_TRUE(silhouette(square(6), at(0, 0, -20), camera()).empty());
  EXPECT_TRUE(silhouette(square(6), at(900, 0, 20), camera()).empty());
  EXPECT_TRUE(silhouette({}, at(0, 0, 20), camera()).empty());
}

TEST(Silhouette, takes_faces_that_name_points_that_are_not_there) {
  PointCloud broken = square(6);
  broken.faces.add({0, 1, 99});
  EXPECT_EQ(silhouette(broken, at(0, 0, 20), camera()), silhouette(square(6), at(0, 0, 20), camera()));
}

TEST(Silhouette, of_points_is_what_is_about_them) {
  PointCloud point;
  point.positions = {{0, 0, 0}};
  EXPECT_EQ(pixels(silhouette(point, at(0, 0, 20), camera())).size(), 9u);
}

TEST(DepthPicture, is_reduced_to_every_kth_pixel_and_keeps_where_they_look) {
  RangeImage image{camera(), {}};
  for (int i = 0; i < 40 * 30; ++i) image.depth.push_back(static_cast<float>(100 + i));
  const RangeImage small = report::reduced(image, 2 * 200);
  ASSERT_LE(small.depth.size(), 200u);
  EXPECT_EQ(small.depth.size(), static_cast<std::size_t>(small.camera.width * small.camera.height));
  const int step = (40 + small.camera.width - 1) / small.camera.width;
  EXPECT_EQ(small.at(2, 1), image.at(2 * step, step));
  const Vec3 there = small.camera.direction(2, 1), here = image.camera.direction(2 * step, step);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(there[k], here[k], 1e-12);  // rounding alone
  EXPECT_EQ(report::reduced(image, 1 << 20).depth, image.depth);
}

TEST(DepthPicture, packs_depths_in_16_bits_and_0_where_there_is_none) {
  RangeImage image{camera(), std::vector<float>(40 * 30, 0.f)};
  for (std::size_t i = 100; i < 1100; ++i) image.depth[i] = 500 + static_cast<float>(i) / 10;
  std::string bytes = "x";
  const auto told = report::pack_depth(bytes, image);
  EXPECT_EQ(told["measured"], 1000);
  const std::size_t begin = told["at"];
  EXPECT_EQ(begin % 8, 0u);
  const double low = told["low"], high = told["high"];
  for (const std::size_t i : {0ul, 99ul, 100ul, 600ul, 1099ul}) {
    const std::size_t byte = begin + 2 * i;
    const unsigned packed = static_cast<std::uint8_t>(bytes[byte]) + 256u * static_cast<std::uint8_t>(bytes[byte + 1]);
    if (image.depth[i] == 0) {
      EXPECT_EQ(packed, 0u);
    } else {
      // Half of a step of 16 bits over 100 mm, and what the farthest 0.1% are cut to.
      EXPECT_NEAR(low + (packed - 1) * (high - low) / 65534, image.depth[i], 0.11);
    }
  }
}

TEST(ReportedImage, refuses_poses_of_objects_that_are_not_there) {
  const RangeImage image{camera(), std::vector<float>(40 * 30, 500.f)};
  const KnownPose pose{3, at(0, 0, 500), 1.0};
  Report report;
  EXPECT_THROW(report.add(ReportedImage{"image", "", &image, {}, {&pose, 1}, {}}), InvalidArgument);
  EXPECT_THROW(report.add(ReportedImage{"image", "", nullptr, {}, {}, {}}), InvalidArgument);
}

TEST(ReportedImage, holds_the_image_and_an_outline_for_each_part) {
  if (!report_available()) GTEST_SKIP() << "built without the page of reports (Node.js)";
  const RangeImage image{camera(), std::vector<float>(40 * 30, 500.f)};
  const PointCloud part = square(100);
  const ObjectToFind object{"part <&>", &part};
  const KnownPose poses[] = {{0, at(0, 0, 400), 0.75}, {0, at(-200, 0, 400), {}}};
  Report report;
  report.add(ReportedImage{"image", "two", &image, {&object, 1}, poses, {}});
  const PageContent page = content_of(report.html());
  const auto& run = page.data["runs"][0];
  EXPECT_EQ(run["kind"], "image");
  EXPECT_EQ(run["image"]["width"], 40);
  ASSERT_EQ(run["outlines"].size(), 2u);
  const std::size_t begin = run["outlines"][0]["at"], count = run["outlines"][0]["count"];
  const auto wanted = silhouette(part, at(0, 0, 400), camera());
  ASSERT_EQ(count, wanted.size());
  const auto number = [&](std::size_t i) {
    return static_cast<std::uint8_t>(page.bytes[begin + 2 * i]) +
           256 * static_cast<std::uint8_t>(page.bytes[begin + 2 * i + 1]);
  };
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_EQ(number(3 * i), wanted[i].row);
    EXPECT_EQ(number(3 * i + 1), wanted[i].begin);
    EXPECT_EQ(number(3 * i + 2), wanted[i].end);
  }
  EXPECT_EQ(run["result"]["objects"][0]["object"], "part <&>");
  EXPECT_EQ(run["result"]["objects"][0]["visible_ratio"], 0.75);
  EXPECT_TRUE(run["result"]["objects"][1]["visible_ratio"].is_null());
}

}  // namespace
}  // namespace dovetail::test
