// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/find_parts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "core/random.h"
#include "dovetail/error.h"
#include "dovetail/scanner.h"
#include "pose/depth_renderer.h"
#include "pose/orientation.h"
#include "support/messages.h"

namespace dovetail {
namespace {

constexpr DepthCamera camera{320, 240, 350, 350, 160, 120, 0, 0.5, {}};

PointCloud floor_mesh() {
  PointCloud mesh;
  mesh.positions = {{-400, -400, 0}, {400, -400, 0}, {400, 400, 0}, {-400, 400, 0}};
  mesh.faces.add({0, 1, 2, 3});
  return mesh;
}

/// What the camera sees of parts on a floor.
RangeImage image_of(const PointCloud& part, const std::vector<Rigid3>& poses) {
  const pose::RenderMesh floor(floor_mesh()), mesh(part);
  std::vector<pose::PosedMesh> scene{{&floor, {Mat3::identity(), {0, 0, 640}}}};
  for (const Rigid3& pose : poses) scene.push_back({&mesh, pose});
  return {camera, pose::render_depth(scene, pose::Pinhole{350, 350, 160, 120, 320, 240}).depth};
}

PoseDatabase build_database(const PointCloud& part, const char* name) {
  PoseDatabaseOptions options;
  options.references = 500;
  options.image_size = 32;
  options.sampling = OrientationSampling::uniform;
  const PosePart parts[] = {{name, &part, {}, {}}};
  return build_pose_database(parts, options);
}

/// Built once for all tests.
const PoseDatabase& database_of(const PointCloud& part, const char* name) {
  static std::map<std::pair<std::string, double>, PoseDatabase> built;
  const std::pair key{std::string(name), norm(part.positions.front())};
  const auto known = built.find(key);
  return known != built.end() ? known->second : built.emplace(key, build_database(part, name)).first->second;
}

class FindPartsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!pose::depth_renderer_available()) GTEST_SKIP() << "built without Embree";
  }
  const PointCloud tee_ = built_in_part(BuiltInPart::t_pipe);
  const std::vector<Rigid3> truth_{{exp_so3(Vec3{2.6, 0.4, -0.5}), {-70, -20, 560}},
                                   {exp_so3(Vec3{0.3, 1.1, 2.4}), {75, 30, 570}}};
};

TEST_F(FindPartsTest, AFrameThatIsNoRotationAndShiftIsRefusedBeforeTheSearch) {
  const auto message = [&](const Transform& frame) {
    FindParts options;
    options.frame_from_camera = frame;
    return test::message_of<InvalidArgument>(
        [&] { find_parts(image_of(tee_, truth_), database_of(tee_, "tee"), options); });
  };
  Mat4 mirror = Mat4::identity(), large = Mat4::identity();
  mirror(0, 0) = -1;
  for (int i = 0; i < 3; ++i) large(i, i) = 2;
  for (const Transform& frame : {Transform(Model::rigid3, mirror), Transform(Model::similarity3, large),
                                 Transform::identity(Model::rigid2), Transform(Model::affine3, mirror)}) {
    const std::string told = message(frame);
    for (const std::string& text : {std::string("frame_from_camera: "), std::string(to_string(frame.model)),
                                    std::string("allowed: a rotation and a shift")}) {
      EXPECT_TRUE(test::mentions(told, text)) << told;
    }
  }
}

TEST_F(FindPartsTest, EveryPartIsFoundWhereItIs) {
  const PoseDatabase& database = database_of(tee_, "tee");
  const Found found = find_parts(image_of(tee_, truth_), database);
  ASSERT_EQ(found.objects.size(), 2u) << found.message;
  const pose::OrientationSpace space(database.parts()[0].symmetry);
  for (const Rigid3& truth : truth_) {
    double nearest = 1e9, angle = 0;
    for (const FoundObject& o : found.objects) {
      const Rigid3 pose = o.scene_from_object.as<Rigid3>();
      const double apart = norm(pose * database.parts()[0].center - truth * database.parts()[0].center);
      if (apart >= nearest) continue;
      nearest = apart;
      angle = space.angle(quaternion_from_matrix(pose.rotation), quaternion_from_matrix(truth.rotation));
    }
    EXPECT_LT(nearest, 0.5);
    EXPECT_LT(angle, 0.01);
  }
  EXPECT_GT(found.objects[0].visible_ratio, 0.9);
}

TEST_F(FindPartsTest, AFrameIsThatOfTheCloudWhicheverWayItLooks) {
  const PoseDatabase& database = database_of(tee_, "tee");
  RangeImage image = image_of(tee_, truth_);
  FindParts options;
  options.starts = 4;
  const Rigid3 robot_from_cloud{exp_so3(Vec3{0.3, -0.2, 1}), {100, 200, 300}};
  options.frame_from_camera = robot_from_cloud;
  const Found along_z = find_parts(image, database, options);
  ASSERT_FALSE(along_z.objects.empty());
  EXPECT_TRUE(along_z.warnings.empty());
  const Rigid3 cloud_from_camera{Mat3{1, 0, 0, 0, -1, 0, 0, 0, -1}, {}};
  image.cloud_from_camera = cloud_from_camera;
  const Found given = find_parts(image, database, options);
  options.frame_from_camera.reset();
  const Found own = find_parts(image, database, options);
  ASSERT_EQ(given.objects.size(), along_z.objects.size());
  ASSERT_EQ(own.objects.size(), along_z.objects.size());
  EXPECT_EQ(given.warnings.size(), 1u);
  EXPECT_EQ(own.warnings.size(), 1u);
  const auto expect_near = [](const Transform& a, const Rigid3& b) {
    for (int i = 0; i < 16; ++i) EXPECT_NEAR(a.matrix[i], b.matrix()[i], 1e-9);  // rounding
  };
  const Rigid3 seen = along_z.objects[0].scene_from_object.as<Rigid3>();
  expect_near(*along_z.objects[0].frame_from_object, robot_from_cloud * seen);
  expect_near(*given.objects[0].frame_from_object, robot_from_cloud * cloud_from_camera * seen);
  expect_near(*own.objects[0].frame_from_object, cloud_from_camera * seen);
}

TEST_F(FindPartsTest, TheSameBitsForAnyNumberOfThreads) {
  const PoseDatabase& database = database_of(tee_, "tee");
  const RangeImage image = image_of(tee_, truth_);
  FindParts options;
  options.starts = 4;
  Work one;
  one.threads = 1;
  const Found first = find_parts(image, database, options, one), second = find_parts(image, database, options);
  ASSERT_EQ(first.objects.size(), second.objects.size());
  for (std::size_t i = 0; i < first.objects.size(); ++i) {
    EXPECT_EQ(first.objects[i].scene_from_object, second.objects[i].scene_from_object);
    EXPECT_EQ(first.objects[i].confidence, second.objects[i].confidence);
  }
}

TEST_F(FindPartsTest, WhatIsNotThereIsNotFound) {
  const PointCloud box = built_in_part(BuiltInPart::bracket);
  EXPECT_TRUE(find_parts(image_of(tee_, truth_), database_of(box, "bracket")).objects.empty());
  const PoseDatabase& database = database_of(tee_, "tee");
  EXPECT_TRUE(find_parts(image_of(tee_, {}), database).objects.empty()) << "a floor alone";
  RangeImage empty{camera, std::vector<float>(320 * 240, 0.0f)};
  const Found nothing = find_parts(empty, database);
  EXPECT_TRUE(nothing.objects.empty());
  ASSERT_EQ(nothing.warnings.size(), 1u);
  EXPECT_TRUE(test::mentions(nothing.warnings[0], "no depth"));
}

TEST_F(FindPartsTest, WhatIsBothWaysRoundIsDoubtful) {
  // The branch is behind a plate: whether it points this way or that nobody can tell.
  const PoseDatabase& database = database_of(tee_, "tee");
  const PointCloud box = built_in_part(BuiltInPart::box);  // 90 x 60 x 40
  const pose::RenderMesh floor(floor_mesh()), mesh(tee_), plate(box);
  const Rigid3 truth{Mat3{1, 0, 0, 0, 0, 1, 0, -1, 0}, {0, 0, 600}};  // the branch along the image's y
  const Rigid3 hides{Mat3::identity(), {0, 26, 540}};
  const auto seen = [&](const Rigid3& pose) {
    const pose::PosedMesh scene[] = {{&floor, {Mat3::identity(), {0, 0, 640}}}, {&mesh, pose}, {&plate, hides}};
    return RangeImage{camera, pose::render_depth(scene, pose::Pinhole{350, 350, 160, 120, 320, 240}).depth};
  };
  const RangeImage image = seen(truth);
  // Turned about its run by 40 degrees it looks the same within what counts as equal, 1.2% of its diameter.
  const Vec3 on_run{0, 0, -12};
  const Mat3 turn = exp_so3(Vec3{0.7, 0, 0});
  const RangeImage turned = seen({turn * truth.rotation, truth * on_run - turn * (truth.rotation * on_run)});
  for (std::size_t i = 0; i < image.size(); ++i) ASSERT_NEAR(image.depth[i], turned.depth[i], 1.4f) << i;
  const Found found = find_parts(image, database);
  for (const FoundObject& o : found.objects) EXPECT_LT(*o.confidence, 0.9) << "nothing tells where the branch is";
  for (const FoundObject& o : found.objects) EXPECT_FALSE(o.rivals.empty());
}

TEST_F(FindPartsTest, AMirroredPartIsNotThePart) {
  const PointCloud part = built_in_part(BuiltInPart::bracket);
  PointCloud other = part;
  for (Vec3& p : other.positions) p[0] = -p[0];
  const std::vector<Rigid3> poses{{exp_so3(Vec3{2.8, 0.4, -0.5}), {-20, 40, 570}}};
  const PoseDatabase& database = database_of(part, "bracket");
  EXPECT_EQ(find_parts(image_of(part, poses), database).objects.size(), 1u);
  EXPECT_TRUE(find_parts(image_of(other, poses), database).objects.empty());
}

TEST_F(FindPartsTest, OnlyInTheRegionAndTheMask) {
  const PoseDatabase& database = database_of(tee_, "tee");
  const RangeImage image = image_of(tee_, truth_);
  FindParts options;
  options.region = PixelBox{160, 0, 160, 240};
  const Found right = find_parts(image, database, options);
  ASSERT_EQ(right.objects.size(), 1u);
  EXPECT_GT(right.objects[0].scene_from_object.matrix(0, 3), 0);
  options.region.reset();
  for (std::size_t i = 0; i < image.size(); ++i) options.mask.push_back(i % 320 < 160);
  const Found left = find_parts(image, database, options);
  ASSERT_EQ(left.objects.size(), 1u);
  EXPECT_LT(left.objects[0].scene_from_object.matrix(0, 3), 0);
}

TEST_F(FindPartsTest, AStartThatHoldsIsTaken) {
  const PoseDatabase& database = database_of(tee_, "tee");
  FindParts options;
  // Three degrees and three millimetres off: a bin that was shaken a little.
  const Rigid3 off{exp_so3(Vec3{0.03, -0.03, 0.03}), {1.5, -2, 1.5}};
  const Vec3 middle = truth_[1].translation;
  const Rigid3 about{off.rotation, middle - off.rotation * middle + off.translation};
  options.start = {{"tee", about * truth_[1]}};
  options.starts = 1;  // one place alone is searched: the other part is the start's doing
  const Found found = find_parts(image_of(tee_, truth_), database, options);
  ASSERT_EQ(found.objects.size(), 2u);
  double nearest = 1e9;
  for (const FoundObject& o : found.objects) {
    nearest = std::min(nearest, norm(o.scene_from_object * Vec3{} - truth_[1] * Vec3{}));
  }
  EXPECT_LT(nearest, 0.5);
  options.start = {{"bolt", truth_[1]}};
  EXPECT_THROW(find_parts(image_of(tee_, truth_), database, options), InvalidArgument);
}

TEST_F(FindPartsTest, TheOrderOfPicking) {
  const PoseDatabase& database = database_of(tee_, "tee");
  const RangeImage image = image_of(tee_, truth_);
  FindParts options;
  options.frame_from_camera = Transform(Rigid3{exp_so3(Vec3{0, 0, 1}), {500, 0, 100}});
  const Vec3 robot = *options.frame_from_camera * truth_[1].translation;
  options.prefer = robot;
  const Found near = find_parts(image, database, options);
  ASSERT_EQ(near.objects.size(), 2u);
  EXPECT_GT(near.objects[0].scene_from_object.matrix(0, 3), 0) << "the one on the right is nearer";
  ASSERT_TRUE(near.objects[0].frame_from_object.has_value());
  EXPECT_LT(norm(*near.objects[0].frame_from_object * Vec3{} - robot), 0.5);
  options.reach = Box{robot - Vec3{40, 40, 40}, robot + Vec3{40, 40, 40}};
  const Found reached = find_parts(image, database, options);
  EXPECT_EQ(reached.objects.size(), 1u);
  EXPECT_TRUE(test::mentions(reached.message, "out of reach"));
}

TEST_F(FindPartsTest, WhatCoversWhat) {
  const PoseDatabase& database = database_of(tee_, "tee");
  // Both with the branch in the image's plane; one lies across an arm of the other, 60 nearer.
  const std::vector<Rigid3> heap{{exp_so3(Vec3{1.5, 0, 0}), {-30, 0, 590}},
                                 {exp_so3(Vec3{0, 0, 1.5}) * exp_so3(Vec3{1.5, 0, 0}), {35, 10, 530}}};
  const Found found = find_parts(image_of(tee_, heap), database);
  ASSERT_EQ(found.objects.size(), 2u);
  const std::size_t upper = found.objects[0].scene_from_object.matrix(2, 3) < 560 ? 0 : 1, lower = 1 - upper;
  EXPECT_TRUE(found.objects[upper].image->on_top);
  EXPECT_TRUE(found.objects[upper].image->covered_by.empty());
  EXPECT_FALSE(found.objects[lower].image->on_top);
  EXPECT_EQ(found.objects[lower].image->covered_by, std::vector<std::size_t>{upper});
  EXPECT_GT(found.objects[lower].image->hidden, 50);
  EXPECT_EQ(found.objects[upper].image->equivalents.size(), database.parts()[0].symmetry.rotations.size() - 1);
}

TEST_F(FindPartsTest, OtherUnitsAreTold) {
  PointCloud small = tee_;
  for (Vec3& p : small.positions) p *= 0.001;
  const Found found = find_parts(image_of(tee_, truth_), database_of(small, "tee"));
  EXPECT_TRUE(found.objects.empty());
  ASSERT_FALSE(found.warnings.empty());
  EXPECT_TRUE(test::mentions(found.warnings[0], "units"));
}

TEST_F(FindPartsTest, NothingIsTakenForPartsOfAFewPixels) {
  // Depths in another unit, or steps of a tenth of a millimetre taken for millimetres: all is far away.
  RangeImage far = image_of(tee_, truth_);
  for (float& depth : far.depth) depth *= 100;
  const Found found = find_parts(far, database_of(tee_, "tee"));
  EXPECT_TRUE(found.objects.empty());
  EXPECT_TRUE(found.doubtful.empty());
  ASSERT_FALSE(found.warnings.empty());
  EXPECT_NE(found.warnings.back().find("tee is not looked for"), std::string::npos) << found.warnings.back();
  EXPECT_NE(found.warnings.back().find("units"), std::string::npos) << found.warnings.back();
}

TEST_F(FindPartsTest, WhatFitsAnywhereIsNotLookedFor) {
  PointCloud plane;
  plane.positions = {{0, 0, 0}, {60, 0, 0}, {60, 40, 0}, {0, 40, 0}};
  plane.faces.add({0, 1, 2, 3});
  PointCloud needle = built_in_part(BuiltInPart::cube);
  const double side = needle.positions[1] == needle.positions[0] ? 1 : norm(needle.positions[1] - needle.positions[0]);
  for (Vec3& p : needle.positions) p = (1 / side) * Vec3{100 * p[0], 0.4 * p[1], 0.4 * p[2]};
  for (const auto& [part, why] : {std::pair{&plane, "piece of a plane"}, {&needle, "mm wide"}}) {
    const Found found = find_parts(image_of(tee_, truth_), database_of(*part, "part"));
    EXPECT_TRUE(found.objects.empty());
    ASSERT_FALSE(found.warnings.empty());
    EXPECT_TRUE(test::mentions(found.warnings.back(), why)) << found.warnings.back();
  }
}

TEST_F(FindPartsTest, NothingIsTakenForPartsInNoise) {
  RangeImage noise = image_of(tee_, {});
  RandomStream random(3, 0);
  for (float& depth : noise.depth) depth = static_cast<float>(200 + 800 * random.uniform());
  const Found found = find_parts(noise, database_of(tee_, "tee"));
  EXPECT_TRUE(found.objects.empty());
  ASSERT_FALSE(found.warnings.empty());
  EXPECT_NE(found.warnings.back().find("depths beside each other differ"), std::string::npos) << found.warnings.back();
  // A start of a part that is not looked for is no mistake; one that the database does not have is.
  FindParts options;
  options.start = {{"tee", Transform(truth_[0])}};
  EXPECT_TRUE(find_parts(noise, database_of(tee_, "tee"), options).objects.empty());
  options.start = {{"bolt", Transform(truth_[0])}};
  EXPECT_THROW(find_parts(noise, database_of(tee_, "tee"), options), InvalidArgument);
}

TEST_F(FindPartsTest, AConstantImageHasNothingInIt) {
  const PoseDatabase& database = database_of(tee_, "tee");
  const Found found = find_parts({camera, std::vector<float>(320 * 240, 600.0f)}, database);
  EXPECT_TRUE(found.objects.empty());
}

TEST_F(FindPartsTest, TimeThatIsUpEndsIt) {
  const PoseDatabase& database = database_of(tee_, "tee");
  FindParts options;
  options.time_limit_ms = 1e-6;
  const Found found = find_parts(image_of(tee_, truth_), database, options);
  EXPECT_TRUE(found.stopped);
  EXPECT_TRUE(test::mentions(found.message, "stopped"));
}

TEST_F(FindPartsTest, WhatCannotBeIsRefused) {
  const PoseDatabase& database = database_of(tee_, "tee");
  EXPECT_THROW(find_parts(RangeImage{}, database), InvalidArgument);
  RangeImage other = image_of(tee_, {});
  other.depth.pop_back();
  EXPECT_THROW(find_parts(other, database), InvalidArgument);
  const RangeImage image = image_of(tee_, {});
  FindParts options;
  options.rounds = 0;
  EXPECT_THROW(find_parts(image, database, options), InvalidArgument);
  options = {};
  options.mask.assign(10, 1);
  EXPECT_THROW(find_parts(image, database, options), InvalidArgument);
  options = {};
  options.region = PixelBox{400, 0, 20, 20};
  EXPECT_THROW(find_parts(image, database, options), InvalidArgument);
  options = {};
  options.reach = Box{{0, 0, 0}, {1, -1, 1}};
  EXPECT_THROW(find_parts(image, database, options), InvalidArgument);
  RangeImage blind = image;
  blind.camera.fx = 0;
  try {
    find_parts(blind, database);
    ADD_FAILURE() << "a focal length of 0 was let pass";
  } catch (const InvalidArgument& error) {
    EXPECT_TRUE(test::mentions(error.what(), "fx 0"));
  }
}

}  // namespace
}  // namespace dovetail
