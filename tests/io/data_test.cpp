// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "dovetail/io.h"
#include "io_support.h"
#include "support/test_data.h"

namespace dovetail::test {
namespace {

/// What a file holds, found with other programs: numpy for text, STL and plain binary, PCL for compressed PCD.
struct Expected {
  const char* file;
  std::size_t points, faces, invalid;
  double lowest[3], highest[3];
};

// clang-format off
const Expected expected_files[] = {
    {"cad/angle_block.STL", 398, 704, 0, {-0.669291377, -5.12221503e-17, -1.35198355}, {0.669291377, 1, 3.0616168e-17}},
    {"cad/bin_exterior.stl", 100, 196, 0, {-0.334180087, -0.334179997, 0}, {0.334180206, 0.334179997, 0.790892482}},
    {"cad/bolt_m16.obj", 22326, 25668, 0, {-0.012, -0.012, 0}, {0.012, 0.012, 0.041}},
    {"cad/cycloidal.ply", 21384, 43368, 0, {0.239546001, -0.338629991, 0.810647011}, {2.11454701, 1.53595698, 1.91756105}},
    {"cad/featuretype.STL", 2010, 3476, 0, {-2.5, -1.25, -2.73184801e-16}, {2.5, 1.25, 1.375}},
    {"cad/idler_riser.STL", 803, 1572, 0, {-0.0779988617, -2.73184801e-16, -7.2593324e-19}, {2.57799888, 2.95300007, 0.625}},
    {"cad/plate_holes.STL", 618, 1252, 0, {0, 0, 0}, {203.199997, 304.800018, 12.6999998}},
    {"cad/pump_base.stl", 672, 1344, 0, {-0.0522258952, -0.0549998656, 0.00500002783}, {0.0509249233, 0.0550001375, 0.115000024}},
    {"cad/regulator_collision.stl", 266, 528, 0, {-0.0350000001, -0.0799999982, 0}, {0.0649999976, 0.0350000001, 0.0700000003}},
    {"cad/sensor_collision.stl", 173, 342, 0, {-0.0650011152, -0.0350005068, 2.2023346e-07}, {0.0749999881, 0.0650010854, 0.0700001866}},
    {"cad/tube.obj", 128, 120, 0, {-0.832498, 0, -0.8325}, {0.832498, 11.84375, 0.8325}},
    {"depth_bunny/model.ply", 1889, 3851, 0, {-0.0943643004, 0.0334143005, -0.0616720989}, {0.0609345995, 0.184812993, 0.0584651008}},
    {"em_icp_bunny/P10064.txt", 10064, 0, 0, {-0.0945, 0.0359793, -0.0586982}, {0.061, 0.18719, 0.0587228}},
    {"em_icp_bunny/P1007.txt", 1007, 0, 0, {-0.09325, 0.0359793, -0.0585579}, {0.05875, 0.186426, 0.058245}},
    {"em_icp_bunny/P101.txt", 101, 0, 0, {-0.09075, 0.0359793, -0.0220136}, {0.05675, 0.184911, 0.0559672}},
    {"em_icp_bunny/P3097.txt", 3097, 0, 0, {-0.0945, 0.0359793, -0.0576983}, {0.06075, 0.187162, 0.0587211}},
    {"em_icp_bunny/P5032.txt", 5032, 0, 0, {-0.0945, 0.0359793, -0.0585579}, {0.061, 0.187162, 0.0587228}},
    {"em_icp_bunny/P504.txt", 504, 0, 0, {-0.09175, 0.0359793, -0.0585579}, {0.05875, 0.186426, 0.0578908}},
    {"em_icp_bunny/Qnew10064.txt", 10064, 0, 0, {-0.14684, -0.031729, 0.098037}, {0.031237, 0.105794, 0.224485}},
    {"em_icp_bunny/Qnew1007.txt", 1007, 0, 0, {-0.14684, -0.030918, 0.099826}, {0.030174, 0.103549, 0.224394}},
    {"em_icp_bunny/Qnew101.txt", 101, 0, 0, {-0.115817, -0.023445, 0.109215}, {0.027073, 0.102008, 0.224049}},
    {"em_icp_bunny/Qnew3097.txt", 3097, 0, 0, {-0.145102, -0.031731, 0.098576}, {0.031195, 0.105145, 0.224435}},
    {"em_icp_bunny/Qnew5032.txt", 5032, 0, 0, {-0.14684, -0.031518, 0.099256}, {0.031237, 0.105794, 0.224419}},
    {"em_icp_bunny/Qnew504.txt", 504, 0, 0, {-0.14684, -0.030918, 0.099826}, {0.029617, 0.103549, 0.224239}},
    {"em_icp_bunny/bun045_40097.txt", 40097, 0, 0, {-0.06325, 0.0342091, -0.0451653}, {0.084, 0.187639, 0.0935233}},
    {"lidar_pair/source.ply", 69792, 0, 0, {-23.7590199, -52.0011406, -3.02128983}, {18.4799328, 6.50786924, 9.17280483}},
    {"lidar_pair/target.ply", 69088, 0, 0, {-23.3374786, -74.6816101, -2.95733595}, {19.0246964, 8.91950989, 10.7959356}},
    {"partial_views/pairwise_no_noise_01_rot_05/Depth_0000.ply", 15458, 0, 0, {-0.481976002, -0.788089991, -0.399138987}, {0.60730499, 0.648890972, 0.634010017}},
    {"partial_views/pairwise_no_noise_01_rot_05/Depth_0001.ply", 17102, 0, 0, {-0.774978995, -0.443524003, -0.526723981}, {0.62184602, 0.732334971, 0.606571019}},
    {"partial_views/pairwise_no_noise_02_rot_05/Depth_0000.ply", 15458, 0, 0, {-0.440818995, -0.792248011, -0.452080011}, {0.665564001, 0.667294979, 0.597289979}},
    {"partial_views/pairwise_no_noise_02_rot_05/Depth_0001.ply", 16551, 0, 0, {-0.792088985, -0.489042014, -0.479745001}, {0.639949024, 0.805849016, 0.591719985}},
    {"partial_views/pairwise_no_noise_03_rot_05/Depth_0000.ply", 9609, 0, 0, {-0.421108991, -0.427121997, -0.399610996}, {0.340139002, 0.531395972, 0.657604992}},
    {"partial_views/pairwise_no_noise_03_rot_05/Depth_0001.ply", 14576, 0, 0, {-0.414508998, -0.400492996, -0.446716011}, {0.416680008, 0.916810989, 0.309121013}},
    {"partial_views/pairwise_noise_xyz_level_01_01_rot_05/Depth_0000.ply", 15458, 0, 0, {-0.483668, -0.788244009, -0.407480001}, {0.605093002, 0.649149001, 0.631329}},
    {"partial_views/pairwise_noise_xyz_level_01_01_rot_05/Depth_0001.ply", 17102, 0, 0, {-0.771660984, -0.452493995, -0.535044014}, {0.623341024, 0.735692024, 0.599566996}},
    {"pcl/bun0.pcd", 397, 0, 0, {-0.0939380005, 0.0374200009, -0.0550259985}, {0.0595620014, 0.184499994, 0.0578030013}},
    {"pcl/bun4.pcd", 361, 0, 0, {-0.0615120009, 0.0368099995, -0.0434719995}, {0.0819130018, 0.184980005, 0.0927470028}},
    {"pcl/capture0001.pcd", 307200, 0, 57553, {-1.72282004, -1.19527698, 1.51199996}, {1.22343695, 0.780962884, 3.15700006}},
    {"pcl/capture0002.pcd", 307200, 0, 57269, {-1.69226003, -1.18962598, 1.53900003}, {1.26434302, 0.769299984, 3.10100007}},
    {"pcl/car6.pcd", 10031, 0, 0, {-40.1689987, -68.5599976, -6.98999977}, {-33.9500008, -61.8800011, -5.42999983}},
    {"pcl/colored_cloud.pcd", 1000, 0, 0, {-0.887100995, -0.650735319, 0.882000029}, {0.488799989, -0.375489593, 1.53199995}},
    {"pcl/milk.pcd", 12575, 0, 0, {0.178662196, -0.2107739, -0.826815188}, {0.325383604, 8.60392975e-05, -0.63615042}},
    {"pcl/milk_cartoon_all_small_clorox.pcd", 307200, 0, 65793, {-1.06079996, -0.219668597, -2.06299996}, {1.15249395, 0.869233429, -0.500999987}},
    {"pcl/milk_color.pcd", 13704, 0, 0, {-0.140082896, -0.263779998, 0.713999987}, {0.01380667, -0.0117285699, 0.890999973}},
    {"planar/2D_oneBox.csv", 361, 0, 0, {0.252746, -1.03775, 0}, {2.2932, 1.02833, 0}},
    {"planar/2D_twoBoxes.csv", 361, 0, 0, {0.286, -0.812896, 0}, {2.184265, 0.910522, 0}},
    {"planar/fish_source.txt", 91, 0, 0, {-1.4249709, -1.36958188, 0}, {1.04043633, 1.76377992, 0}},
    {"planar/fish_target.txt", 91, 0, 0, {-1.06488032, -1.20851973, 0}, {1.04418265, 2.11065417, 0}},
    {"stanford_bunny/bun000.ply", 40256, 0, 0, {-0.094750002, 0.0357363001, -0.0586981997}, {0.0610000007, 0.187940001, 0.0587228015}},
    {"stanford_bunny/bun045.ply", 40097, 0, 0, {-0.0632499978, 0.0342090987, -0.0451653004}, {0.0839999989, 0.187638998, 0.0935233012}},
    {"stanford_bunny/bun090.ply", 30379, 0, 0, {-0.0592500009, 0.0350033008, -0.0748457015}, {0.061999999, 0.187933996, 0.0608679987}},
    {"stanford_bunny/bun_zipper_res2.ply", 8171, 16301, 0, {-0.0945715979, 0.0333890989, -0.0618735999}, {0.0609345995, 0.186643004, 0.0586895011}},
    {"stanford_bunny/bun_zipper_res3.ply", 1889, 3851, 0, {-0.0943643004, 0.0334143005, -0.0616720989}, {0.0609345995, 0.184812993, 0.0584651008}},
};
// clang-format on

TEST(Data, HoldsWhatOtherProgramsFind) {
  DOVETAIL_NEEDS_DATA();
  for (const Expected& expected : expected_files) {
    SCOPED_TRACE(expected.file);
    const PointCloud cloud = read_points(data_folder() / expected.file);
    EXPECT_EQ(cloud.size(), expected.points);
    EXPECT_EQ(cloud.faces.size(), expected.faces);
    std::size_t invalid = 0;
    Vec3 lowest{HUGE_VAL, HUGE_VAL, HUGE_VAL}, highest{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (const Vec3& p : cloud.positions) {
      if (std::isnan(p[0])) ++invalid;
      for (int axis = 0; axis < 3; ++axis) {
        lowest[axis] = std::fmin(lowest[axis], p[axis]);
        highest[axis] = std::fmax(highest[axis], p[axis]);
      }
    }
    EXPECT_EQ(invalid, expected.invalid);
    for (int axis = 0; axis < 3; ++axis) {
      // The table has nine digits.
      EXPECT_NEAR(lowest[axis], expected.lowest[axis], 5e-9 * std::abs(expected.lowest[axis]));
      EXPECT_NEAR(highest[axis], expected.highest[axis], 5e-9 * std::abs(expected.highest[axis]));
    }
  }
}

TEST(Data, IsCoveredByTheTable) {
  DOVETAIL_NEEDS_DATA();
  std::set<std::string> known;
  for (const Expected& expected : expected_files) known.insert(expected.file);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(data_folder())) {
    const std::string ending = entry.path().extension().string();
    const std::string name = std::filesystem::relative(entry.path(), data_folder()).generic_string();
    const bool points =
        ending == ".ply" || ending == ".pcd" || ending == ".obj" || ending == ".stl" || ending == ".STL";
    EXPECT_TRUE(!points || known.contains(name)) << name << " is not in the table";
  }
}

TEST(Data, KeepsWhatFilesSayBesidesCoordinates) {
  DOVETAIL_NEEDS_DATA();
  const auto read = [](const char* file) { return read_points(data_folder() / file); };
  const PointCloud scene = read("pcl/milk_cartoon_all_small_clorox.pcd");
  EXPECT_EQ(scene.width, 640u);
  EXPECT_EQ(scene.height, 480u);
  EXPECT_EQ(scene.colors.size(), scene.size());
  EXPECT_EQ(scene.precision, Precision::float32);
  EXPECT_FALSE(read("stanford_bunny/bun000.ply").organised());  // 512 × 400 cells, but 40256 points
  EXPECT_EQ(read("planar/2D_oneBox.csv").dimension, 2);
  EXPECT_EQ(read("planar/fish_source.txt").dimension, 2);
  EXPECT_EQ(read("em_icp_bunny/P101.txt").dimension, 3);
  EXPECT_EQ(read("lidar_pair/source.ply").attributes.at(0).name, "scalar_intensity");
  EXPECT_EQ(read("cad/cycloidal.ply").colors.size(), 21384u);
  EXPECT_EQ(read("partial_views/pairwise_no_noise_01_rot_05/Depth_0000.ply").normals.size(), 15458u);
  for (const char* file : {"pcl/bun0.pcd", "pcl/colored_cloud.pcd", "cad/bolt_m16.obj", "cad/tube.obj"}) {
    const PointCloud cloud = read(file);
    ASSERT_EQ(cloud.normals.size(), cloud.size()) << file;
    for (const Vec3f& n : cloud.normals) ASSERT_NEAR(norm(n), 1, 1e-5) << file;  // six decimals at least
  }
}

TEST(Data, RoundTripsThroughEveryEncoding) {
  DOVETAIL_NEEDS_DATA();
  for (const char* file :
       {"cad/cycloidal.ply", "lidar_pair/target.ply", "pcl/colored_cloud.pcd", "pcl/milk_color.pcd"}) {
    SCOPED_TRACE(file);
    const PointCloud cloud = read_points(data_folder() / file);
    for (const Encoding encoding : {Encoding::ascii, Encoding::binary, Encoding::binary_big_endian}) {
      expect_same(cloud, round_trip("a.ply", cloud, encoding));
    }
    for (const Encoding encoding : {Encoding::ascii, Encoding::binary, Encoding::binary_compressed}) {
      expect_same(without_faces(cloud), round_trip("a.pcd", cloud, encoding));
    }
  }
}

}  // namespace
}  // namespace dovetail::test
