// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/range_image.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "dovetail/error.h"
#include "dovetail/io.h"
#include "io/depth_png.h"
#include "support/messages.h"

namespace dovetail {
namespace {

namespace fs = std::filesystem;
using test::mentions;
using test::message_of;

class RangeImageTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("dovetail_range_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path text(const char* name, const std::string& content) const {
    std::ofstream(folder_ / name) << content;
    return folder_ / name;
  }
  fs::path png() const {
    io::write_depth_png(folder_ / "depth.png", {4, 3, {0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1100}});
    return folder_ / "depth.png";
  }
  fs::path folder_;
  const DepthCamera camera_{0, 0, 500, 510, 2, 1.5, 0.5, 0, {}};
};

TEST_F(RangeImageTest, APngIsScaledByItsCamera) {
  const RangeImage image = read_range_image(png(), camera_);
  EXPECT_EQ(image.camera.width, 4);
  EXPECT_EQ(image.camera.height, 3);
  EXPECT_EQ(image.at(0, 0), 0);
  EXPECT_EQ(image.at(3, 2), 550);
  EXPECT_EQ(image.camera.direction(2, 1.5), (Vec3{0, 0, 1}));
}

TEST_F(RangeImageTest, AnImageNeedsACameraOfItsSize) {
  EXPECT_TRUE(mentions(message_of<FileError>([&] { read_range_image(png()); }), "a camera is needed"));
  DepthCamera other = camera_;
  other.width = 5, other.height = 3;
  EXPECT_TRUE(mentions(message_of<FileError>([&] { read_range_image(png(), other); }),
                       "is 4 x 3 pixels, and its camera 5 x 3"));
}

TEST_F(RangeImageTest, AnOrganisedCloudTellsItsCamera) {
  const DepthCamera seen{8, 6, 420, 430, 3.7, 2.2, 0, 0, {}};
  PointCloud cloud;
  cloud.width = 8, cloud.height = 6;
  for (int j = 0; j < 6; ++j) {
    for (int i = 0; i < 8; ++i) {
      const double depth = i == 2 ? std::nan("") : 0.7 + 0.01 * i + 0.02 * j;  // metres
      cloud.positions.push_back(depth * seen.direction(i, j));
    }
  }
  write_points(folder_ / "cloud.pcd", cloud);
  const RangeImage image = read_range_image(folder_ / "cloud.pcd");
  EXPECT_NEAR(image.camera.fx, 420, 1e-3);
  EXPECT_NEAR(image.camera.fy, 430, 1e-3);
  EXPECT_NEAR(image.camera.cx, 3.7, 1e-5);
  EXPECT_NEAR(image.camera.cy, 2.2, 1e-5);
  EXPECT_EQ(image.at(2, 3), 0) << "nothing was measured there";
  EXPECT_NEAR(image.at(7, 5), 870, 1e-3) << "metres are told by the depths";
  EXPECT_NEAR(range_image_of(cloud, {}, 1).at(7, 5), 0.87, 1e-6);

  for (Vec3& p : cloud.positions) p[0] = -p[0];
  EXPECT_TRUE(mentions(message_of<FileError>([&] { range_image_of(cloud); }), "no pinhole camera"));
  cloud.width = 0;
  EXPECT_TRUE(mentions(message_of<FileError>([&] { range_image_of(cloud); }), "not in rows and columns"));
}

TEST_F(RangeImageTest, ACloudMayLookAlongAnyAxis) {
  const DepthCamera seen{8, 6, 420, 430, 3.7, 2.2, 0, 0, {}};
  PointCloud cloud;
  cloud.width = 8, cloud.height = 6;
  for (int j = 0; j < 6; ++j) {
    for (int i = 0; i < 8; ++i) cloud.positions.push_back((700.0 + 10 * i + 20 * j) * seen.direction(i, j));
  }
  const RangeImage along_z = range_image_of(cloud);
  EXPECT_FALSE(along_z.cloud_from_camera);
  const Mat3 graphics{1, 0, 0, 0, -1, 0, 0, 0, -1};  // y up, z against the view
  const Mat3 robot{0, 0, 1, -1, 0, 0, 0, -1, 0};     // x along the view, y to the left, z up
  for (const Mat3& cloud_from_camera : {graphics, robot}) {
    PointCloud turned = cloud;
    for (Vec3& p : turned.positions) p = cloud_from_camera * p;
    for (const auto& camera : {std::optional<DepthCamera>{}, std::optional{seen}}) {
      const RangeImage image = range_image_of(turned, camera);
      ASSERT_TRUE(image.cloud_from_camera);
      EXPECT_EQ(image.cloud_from_camera->rotation, cloud_from_camera);
      EXPECT_EQ(image.depth, along_z.depth);
      EXPECT_NEAR(image.camera.fx, 420, 1e-3);
      EXPECT_NEAR(image.camera.cy, 2.2, 1e-5);
    }
    for (Vec3& p : turned.positions) p = cloud_from_camera * (transpose(cloud_from_camera) * p + Vec3{300, 0, 0});
    EXPECT_TRUE(mentions(message_of<FileError>([&] { range_image_of(turned); }), "no pinhole camera at the origin"));
  }
}

TEST_F(RangeImageTest, NumPyArraysOfFloatsAndSteps) {
  const auto npy = [&](const std::string& header, const std::string& data) {
    std::string bytes("\x93NUMPY\x01\x00", 8);
    std::string padded = header;
    padded.resize(118, ' ');
    padded.back() = '\n';
    bytes += static_cast<char>(118);
    bytes += '\0';
    std::ofstream(folder_ / "a.npy", std::ios::binary) << bytes + padded + data;
    return folder_ / "a.npy";
  };
  const float metres[] = {1.0f, 2.0f, NAN, -1.0f, 0.5f, 3.0f};
  const std::string data(reinterpret_cast<const char*>(metres), sizeof(metres));
  const RangeImage rows =
      read_range_image(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", data), camera_);
  EXPECT_EQ(rows.depth, (std::vector<float>{1000, 2000, 0, 0, 500, 3000}));
  const RangeImage columns =
      read_range_image(npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", data), camera_, 1);
  EXPECT_EQ(columns.depth, (std::vector<float>{1, 0, 0.5f, 2, 0, 3}));
  const float behind[] = {-1.0f, -2.0f, NAN, -1.0f, -0.5f, 0.0f};
  const std::string negative(reinterpret_cast<const char*>(behind), sizeof(behind));
  try {
    read_range_image(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", negative), camera_);
    ADD_FAILURE() << "was taken";
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("a.npy: all of its depths are negative, down to -2"), std::string::npos)
        << error.what();
  }
  const std::uint16_t steps[] = {10, 0, 30, 40};
  const RangeImage scaled = read_range_image(npy("{'descr': '<u2', 'fortran_order': False, 'shape': (2, 2), }",
                                                 std::string(reinterpret_cast<const char*>(steps), sizeof(steps))),
                                             camera_);
  EXPECT_EQ(scaled.depth, (std::vector<float>{5, 0, 15, 20}));
  EXPECT_THROW(read_range_image(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (6,), }", data), camera_),
               FileError);
}

TEST_F(RangeImageTest, DistortionIsTakenOut) {
  DepthCamera camera{64, 48, 60, 60, 31.5, 23.5, 1, 0, {-0.2, 0.05, 0.001, -0.002, 0}};
  // Each pixel says where it was seen.
  io::DepthPng png{64, 48, {}};
  for (int i = 0; i < 64 * 48; ++i) png.steps.push_back(static_cast<std::uint16_t>(i + 1));
  io::write_depth_png(folder_ / "bent.png", png);
  const RangeImage image = read_range_image(folder_ / "bent.png", camera);
  EXPECT_FALSE(image.camera.distorted());
  EXPECT_EQ(image.at(31, 23), 23 * 64 + 31 + 1) << "the middle stays";
  // The corner of an ideal image looks at x = y' = ...: by OpenCV's formula, here written out.
  const double x = (4 - 31.5) / 60, y = (6 - 23.5) / 60, r2 = x * x + y * y, radial = 1 - 0.2 * r2 + 0.05 * r2 * r2;
  const double u = x * radial + 2 * 0.001 * x * y - 0.002 * (r2 + 2 * x * x);
  const double v = y * radial + 0.001 * (r2 + 2 * y * y) - 2 * 0.002 * x * y;
  EXPECT_EQ(image.at(4, 6), std::lround(60 * v + 23.5) * 64 + std::lround(60 * u + 31.5) + 1);
}

TEST_F(RangeImageTest, CamerasAsJsonAndAsText) {
  const DepthCamera json = read_camera(text("k.json", R"({"cam_K": [500, 0, 320, 0, 510, 240, 0, 0, 1],
      "depth_scale": 0.1, "pixel_center": 0.5, "distortion": [1, 2, 3, 4, 5]})"));
  EXPECT_EQ(json.fy, 510);
  EXPECT_EQ(json.cy, 240);
  EXPECT_EQ(json.depth_scale, 0.1);
  EXPECT_EQ(json.pixel_center, 0.5);
  EXPECT_EQ(json.distortion[4], 5);
  EXPECT_EQ(json.width, 0);
  const DepthCamera matrix = read_camera(text("k.txt", "542 0 320\n0 540.5 240\n0 0 1"));
  EXPECT_EQ(matrix.fx, 542);
  EXPECT_EQ(matrix.fy, 540.5);
  EXPECT_EQ(matrix.cx, 320);
  const auto refuses = [&](const char* content, const char* words) {
    const std::string message = message_of<FileError>([&] { read_camera(text("bad", content)); });
    EXPECT_TRUE(mentions(message, words)) << message;
  };
  refuses("1 2 3", "3 numbers; nine were expected");
  refuses("0 0 320\n0 540 240\n0 0 1", "no camera's matrix");
  refuses("a b c", "a");
  refuses("{}", "\"fx\" is missing");
  refuses(R"({"fx": 0, "fy": 1, "cx": 1, "cy": 1})", "fx: 0 is not allowed");
  refuses(R"({"fx": 1, "fy": 1, "cx": 1, "cy": 1, "pixel_center": 2})", "pixel_center: 2 is not allowed");
  EXPECT_THROW(read_camera(folder_ / "none.json"), FileError);
}

}  // namespace
}  // namespace dovetail
