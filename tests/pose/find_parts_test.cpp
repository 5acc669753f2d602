// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/find_parts.h"

#include <gtest/gtest.h>

#include <cmath>

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

PoseDatabase database_of(const PointCloud& part, const char* name) {
  PoseDatabaseOptions options;
  options.references = 500;
  options.image_size = 32;
  options.sampling = OrientationSampling::uniform;
  const PosePart parts[] = {{name, &part, {}, {}}};
  return build_pose_database(parts, options);
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

TEST_F(FindPartsTest, EveryPartIsFoundWhereItIs) {
  const PoseDatabase database = database_of(tee_, "tee");
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

TEST_F(FindPartsTest, TheSameBitsForAnyNumberOfThreads) {
  const PoseDatabase database = database_of(tee_, "tee");
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
  const PoseDatabase database = database_of(tee_, "tee");
  EXPECT_TRUE(find_parts(image_of(tee_, {}), database).objects.empty()) << "a floor alone";
  RangeImage empty{camera, std::vector<float>(320 * 240, 0.0f)};
  const Found nothing = find_parts(empty, database);
  EXPECT_TRUE(nothing.objects.empty());
  ASSERT_EQ(nothing.warnings.size(), 1u);
  EXPECT_TRUE(test::mentions(nothing.warnings[0], "no depth"));
}

TEST_F(FindPartsTest, WhatCannotBeIsRefused) {
  const PoseDatabase database = database_of(tee_, "tee");
  EXPECT_THROW(find_parts(RangeImage{}, database), InvalidArgument);
  RangeImage other = image_of(tee_, {});
  other.depth.pop_back();
  EXPECT_THROW(find_parts(other, database), InvalidArgument);
  FindParts options;
  options.rounds = 0;
  EXPECT_THROW(find_parts(image_of(tee_, {}), database, options), InvalidArgument);
}

}  // namespace
}  // namespace dovetail
