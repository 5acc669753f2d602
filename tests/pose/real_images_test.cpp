// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>

#include "dovetail/find_parts.h"
#include "pose/depth_renderer.h"
#include "support/truth.h"

namespace dovetail {
namespace {

PoseDatabase database_of(const PointCloud& part, const char* name) {
  PoseDatabaseOptions options;
  options.references = 512;
  options.sampling = OrientationSampling::uniform;
  const PosePart parts[] = {{name, &part, {}, {}}};
  return build_pose_database(parts, options);
}

PointCloud in_millimetres(PointCloud cloud) {
  for (Vec3& p : cloud.positions) p *= 1000;
  return cloud;
}

struct Off {
  double degrees, millimetres;
};
/// At a place of the part.
Off off(const Rigid3& found, const Rigid3& truth, const Vec3& at) {
  const Mat3 turn = transpose(found.rotation) * truth.rotation;
  const double cosine = 0.5 * (turn(0, 0) + turn(1, 1) + turn(2, 2) - 1);
  return {std::acos(std::clamp(cosine, -1.0, 1.0)) * 180 / std::numbers::pi, norm(found * at - truth * at)};
}

/// The files round: their rotations shrink by three thousandths.
Rigid3 pose_in(const std::string& file) {
  std::ifstream in(test::data_folder() / file);
  Mat4 m{};
  for (double& entry : m.data) in >> entry;
  Rigid3 pose;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) pose.rotation(i, j) = m(i, j);
    pose.translation[i] = 1000 * m(i, 3);
  }
  pose.rotation = polar_rotation(pose.rotation);
  return pose;
}

TEST(RealImages, a_bunny_seen_six_times) {
  DOVETAIL_NEEDS_DATA();
  if (!pose::depth_renderer_available()) GTEST_SKIP() << "built without Embree";
  // The mesh of the same figure; depth_bunny/model.ply is a coarser one, of the same size.
  const PointCloud bunny = in_millimetres(test::data_points("stanford_bunny/bun_zipper_res2.ply"));
  const PoseDatabase database = database_of(bunny, "bunny");
  const DepthCamera camera = read_camera(test::data_folder() / "depth_bunny/Intrinsic.txt");
  std::vector<Rigid3> found, world_from_camera;
  for (int i = 0; i < 6; ++i) {
    const std::string number = std::to_string(i);
    const Found parts =
        find_parts(read_range_image(test::data_folder() / ("depth_bunny/depth_" + number + ".png"), camera), database);
    // Its sensor measured nothing near the outline, so that the best guess is doubtful: where it is, is all that is
    // asked.
    ASSERT_TRUE(!parts.objects.empty() || !parts.doubtful.empty()) << "frame " << i;
    const FoundObject& best = parts.objects.empty() ? parts.doubtful[0] : parts.objects[0];
    found.push_back(best.scene_from_object.as<Rigid3>());
    world_from_camera.push_back(pose_in("depth_bunny/poses_" + number + ".txt"));
  }
  // The camera's own poses are good to about a millimetre, and the sensor errs by as much.
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const Rigid3 truth = world_from_camera[i].inverse() * world_from_camera[k] * found[k];
      const Off o = off(found[i], truth, database.parts()[0].center);
      EXPECT_LT(o.degrees, 3) << i << " and " << k;
      EXPECT_LT(o.millimetres, 5) << i << " and " << k;
    }
  }
}

TEST(RealImages, a_carton_cut_out_of_a_scan) {
  // A cloud without normals as the part, and as the image one whose camera looks along -z, with y up.
  DOVETAIL_NEEDS_DATA();
  const PointCloud carton = in_millimetres(test::data_points("pcl/milk.pcd"));
  const PoseDatabase database = database_of(carton, "carton");
  const RangeImage image = read_range_image(test::data_folder() / "pcl/milk_cartoon_all_small_clorox.pcd");
  ASSERT_TRUE(image.cloud_from_camera);
  const Found found = find_parts(image, database);
  ASSERT_EQ(found.objects.size(), 1u) << found.message;
  ASSERT_TRUE(found.objects[0].frame_from_object);
  const nlohmann::json rows = test::data_json("pcl/scene_from_milk.json")["T_scene_model"];
  Rigid3 truth;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      truth.rotation(static_cast<int>(i), static_cast<int>(j)) = rows[i][j].get<double>();
    }
    truth.translation[static_cast<int>(i)] = 1000 * rows[i][3].get<double>();
  }
  truth.rotation = polar_rotation(truth.rotation);  // known to 1e-7
  const Off o = off(found.objects[0].frame_from_object->as<Rigid3>(), truth, database.parts()[0].center);
  // The same points: what is off comes of depths being float and of the surface's being drawn from fewer points.
  EXPECT_LT(o.degrees, 0.3);
  EXPECT_LT(o.millimetres, 1.5);
}

}  // namespace
}  // namespace dovetail
