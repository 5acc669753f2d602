// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/pose_database.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "dovetail/error.h"
#include "dovetail/options.h"
#include "dovetail/scanner.h"
#include "pose/depth_renderer.h"
#include "support/messages.h"
#include "temporary_folder.h"

namespace dovetail {
namespace {

using test::TemporaryFolder;

std::vector<Mat3> lying(std::size_t count) {
  std::vector<Mat3> poses;
  for (std::size_t i = 0; i < count; ++i) {
    RandomStream random(11, i);
    poses.push_back(exp_so3(0.2 * random.normal() * random.unit_vector()) *
                    exp_so3(Vec3{i % 2 == 0 ? 0.0 : 1.5, 0, 0}));
  }
  return poses;
}

PoseDatabaseOptions small() {
  PoseDatabaseOptions options;
  options.references = 24;
  options.image_size = 32;
  return options;
}

class PoseDatabaseTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!pose::depth_renderer_available()) GTEST_SKIP() << "built without Embree";
  }
  PosePart part(const PointCloud& mesh, std::string name = "tee") const {
    return {std::move(name), &mesh, {}, lying(400)};
  }
  const PointCloud tee_ = built_in_part(BuiltInPart::t_pipe), bolt_ = built_in_part(BuiltInPart::hex_bolt);
};

TEST_F(PoseDatabaseTest, ReferencesShowThePartAsItIsTurned) {
  const PosePart parts[] = {part(tee_)};
  const PoseDatabase database = build_pose_database(parts, small());
  ASSERT_EQ(database.parts().size(), 1u);
  const PoseReferences& tee = database.parts()[0];
  ASSERT_EQ(tee.references.size(), 24u);
  EXPECT_EQ(tee.image_size, 32);
  const pose::RenderMesh mesh(tee_);
  for (std::size_t i = 0; i < tee.references.size(); ++i) {
    const PoseReference& reference = tee.references[i];
    const Quaternion<double> q{reference.orientation[0], reference.orientation[1], reference.orientation[2],
                               reference.orientation[3]};
    // The same view through a pinhole camera that is far away.
    const double far = 2e3 * tee.radius;
    const Mat3 turn = matrix_from_quaternion(q);
    const pose::PosedMesh posed{&mesh, {turn, Vec3{0, 0, far} - turn * tee.center}};
    const double focal = far / tee.pixel;
    const pose::RenderedDepth seen = pose::render_depth({&posed, 1}, pose::Pinhole{focal, focal, 16, 16, 32, 32});
    std::uint32_t pixels = 0, differ = 0;
    for (std::size_t p = 0; p < seen.depth.size(); ++p) {
      const ReferencePixel pixel = tee.image(i)[p];
      pixels += pixel.depth != 0;
      EXPECT_EQ(pixel.distance < 0, pixel.depth == 0 && pixel.distance != 0);
      if ((pixel.depth != 0) != (seen.depth[p] != 0)) {
        ++differ;
        continue;
      }
      if (pixel.depth == 0) continue;
      EXPECT_GE(pixel.confidence, 1);
      if (std::fabs(tee.depth(pixel) - (static_cast<double>(seen.depth[p]) - far)) > 0.02 * tee.radius) ++differ;
    }
    EXPECT_EQ(pixels, reference.pixels);
    EXPECT_LE(differ, pixels / 50 + 2) << "reference " << i;
  }
}

TEST_F(PoseDatabaseTest, AFileHoldsTheSame) {
  const TemporaryFolder folder;
  const PosePart parts[] = {part(tee_), part(bolt_, "bolt")};
  const PoseDatabase built = build_pose_database(parts, small());
  const std::filesystem::path file = folder.path() / "parts.posedb";
  built.save(file);
  const PoseDatabase loaded = PoseDatabase::load(file);
  EXPECT_EQ(loaded.bytes(), built.bytes());
  ASSERT_EQ(loaded.parts().size(), 2u);
  EXPECT_EQ(loaded.references(), 48u);
  const PoseReferences &a = built.parts()[1], &b = loaded.parts()[1];
  EXPECT_EQ(b.name, "bolt");
  EXPECT_EQ(a.pixel, b.pixel);
  EXPECT_EQ(a.center, b.center);
  EXPECT_EQ(a.cover_95, b.cover_95);
  EXPECT_EQ(a.resting, b.resting);
  EXPECT_EQ(to_json(a.symmetry), to_json(b.symmetry));
  EXPECT_EQ(b.vertices.size(), bolt_.size());
  EXPECT_TRUE(std::equal(a.pixels.begin(), a.pixels.end(), b.pixels.begin(), b.pixels.end()));
}

TEST_F(PoseDatabaseTest, TheSameBytesForAnyNumberOfThreads) {
  const PosePart parts[] = {part(tee_)};
  Work one;
  one.threads = 1;
  const PoseDatabase first = build_pose_database(parts, small(), one), second = build_pose_database(parts, small());
  EXPECT_EQ(first.bytes(), second.bytes());
  PoseDatabaseOptions other = small();
  other.seed = 1;
  EXPECT_NE(build_pose_database(parts, other).bytes(), first.bytes());
}

TEST_F(PoseDatabaseTest, AScannedCloudIsAPartToo) {
  PointCloud cloud;
  for (int i = 0; i < 3000; ++i) {
    RandomStream random(2, static_cast<std::uint64_t>(i));
    const Vec3 p = random.unit_vector();
    cloud.positions.push_back({30 * p[0], 20 * p[1], 12 * p[2]});
    const Vec3 normal{p[0] / 30, p[1] / 20, p[2] / 12};
    cloud.normals.push_back(((1 / norm(normal)) * normal).cast<float>());
  }
  const PosePart parts[] = {{"egg", &cloud, {}, {}}};
  const PoseDatabase database = build_pose_database(parts, small());
  const PoseReferences& egg = database.parts()[0];
  EXPECT_EQ(egg.sampling, OrientationSampling::uniform);
  EXPECT_EQ(egg.resting, 0u);
  for (std::size_t i = 0; i < egg.references.size(); ++i) {
    // What is seen of an ellipsoid is convex: no row has a hole.
    int holes = 0;
    for (int y = 0; y < 32; ++y) {
      int since = -1;  // pixels since the last one that shows the egg
      for (int x = 0; x < 32; ++x) {
        const bool seen = egg.image(i)[static_cast<std::size_t>(32 * y + x)].depth != 0;
        if (seen && since > 0) holes += since;
        since = seen ? 0 : since < 0 ? -1 : since + 1;
      }
    }
    EXPECT_LE(holes, 1) << "reference " << i;
    EXPECT_GT(egg.references[i].pixels, 100u);
  }
}

TEST_F(PoseDatabaseTest, ProgressIsToldAndWorkCanBeStopped) {
  const PosePart parts[] = {part(tee_)};
  double last = 0;
  Work work;
  work.on_progress = [&](double share) {
    EXPECT_GE(share, last - 1e-12);
    last = share;
  };
  build_pose_database(parts, small(), work);
  EXPECT_NEAR(last, 1, 1e-9);
  std::atomic<bool> stop{true};
  work = {};
  work.cancel = &stop;
  EXPECT_THROW(build_pose_database(parts, small(), work), Cancelled);
}

TEST_F(PoseDatabaseTest, WhatCannotBeBuiltIsRefused) {
  const PointCloud empty;
  PointCloud bare;
  bare.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const auto refuses = [](std::vector<PosePart> parts, const PoseDatabaseOptions& options, const char* words) {
    const std::string message = test::message_of<InvalidArgument>([&] { build_pose_database(parts, options); });
    EXPECT_TRUE(test::mentions(message, words)) << message;
  };
  refuses({}, small(), "there are none");
  refuses({part(tee_), part(bolt_)}, small(), "two are named 'tee'");
  refuses({part(tee_, "")}, small(), "no name");
  refuses({part(empty)}, small(), "no surface");
  refuses({{"bare", &bare, {}, {}}}, small(), "no faces; allowed: a mesh, or a cloud");
  refuses({{"tee", &tee_, {}, {}}}, small(), "no resting poses");
  PoseDatabaseOptions options = small();
  options.image_size = 3;
  refuses({part(tee_)}, options, "image_size");
}

/// A file of the database with something changed.
class DamagedDatabase : public PoseDatabaseTest {
 protected:
  void SetUp() override {
    PoseDatabaseTest::SetUp();
    if (IsSkipped()) return;
    const PosePart parts[] = {part(tee_)};
    bytes_ = std::string(build_pose_database(parts, small()).bytes());
  }
  void refuses(const std::string& bytes, const char* words) {
    const std::string message = test::message_of<FileError>([&] { PoseDatabase::read("parts.posedb", bytes); });
    EXPECT_TRUE(message.starts_with("parts.posedb") && test::mentions(message, words)) << message;
  }
  std::string bytes_;
};

TEST_F(DamagedDatabase, IsRefusedWithPlaceAndReason) {
  refuses("", "does not begin with");
  refuses("ply\nformat ascii 1.0\n", "does not begin with");
  refuses(bytes_.substr(0, 20), "truncated");
  refuses(bytes_.substr(0, bytes_.size() / 2), "truncated");
  refuses(bytes_ + "x", "follow its end");
  std::string older = bytes_;
  older[8] = 0;
  refuses(older, "is version 0; this program reads version 1");
  for (const std::size_t at : {std::size_t{70}, std::size_t{300}, bytes_.size() / 2, bytes_.size() - 100}) {
    std::string changed = bytes_;
    changed[at] = static_cast<char>(changed[at] ^ 16);
    refuses(changed, "checksum");
  }
}

TEST_F(DamagedDatabase, AMissingFileIsNamed) {
  EXPECT_THROW(PoseDatabase::load("/nowhere/parts.posedb"), FileError);
  EXPECT_THROW(PoseDatabase::load("/tmp"), FileError);
}

TEST(PoseDatabaseNames, AreThoseOfTheOptions) {
  PoseDatabaseOptions options;
  for (const auto sampling : {OrientationSampling::adaptive, OrientationSampling::uniform}) {
    options.sampling = sampling;
    EXPECT_EQ(get_option(options, "sampling"), to_string(sampling));
  }
}

}  // namespace
}  // namespace dovetail
