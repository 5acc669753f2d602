// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "scenes/real_objects.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "dovetail/error.h"
#include "dovetail/io.h"
#include "dovetail/pose_file.h"
#include "dovetail/prepare.h"
#include "dovetail/reference.h"
#include "dovetail/rotation.h"
#include "scenes/data_folder.h"
#include "scenes/depth_image.h"

namespace dovetail::bench::scenes {
namespace {

using std::filesystem::path;

path data() {
  const path folder = data_folder();
  if (folder.empty()) throw FileError("real scans are not there: set DOVETAIL_DATA to their folder");
  return folder;
}

/// Positions alone, without points that mean nothing.
PointCloud scan_file(const path& file) {
  PointCloud cloud;
  cloud.positions = drop_invalid(read_points(file)).positions;
  return cloud;
}

/// A name put together.
std::string joined(std::initializer_list<std::string> parts) {
  std::string whole;
  for (const std::string& part : parts) whole.append(part);
  return whole;
}

nlohmann::json json_file(const path& file) { return nlohmann::json::parse(std::ifstream(file)); }

Transform pose_of(const nlohmann::json& rotation, const nlohmann::json& shift) {
  Mat4 m = Mat4::identity();
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) m(static_cast<int>(i), static_cast<int>(j)) = rotation[i][j];
    m(static_cast<int>(i), 3) = shift[i];
  }
  return Transform::from_matrix(Model::rigid3, m);
}

/// The rigid motion next to one whose rotation was estimated number by number.
Transform made_rigid(const Mat4& m) {
  Mat3 rotation;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) rotation(i, j) = m(i, j);
  }
  return Rigid3{matrix_from_quaternion(quaternion_from_matrix(rotation)), {m(0, 3), m(1, 3), m(2, 3)}};
}

/// The bunny as it turned before a range scanner.
void add_range_scans(std::vector<RealPair>& pairs) {
  const path folder = data() / "stanford_bunny";
  const nlohmann::json poses = json_file(folder / "world_from_scan.json");
  const auto pose = [&](const char* name) { return pose_of(poses[name]["R"], poses[name]["t"]); };
  const std::pair<const char*, const char*> scans[] = {
      {"bun045.ply", "bun000.ply"}, {"bun090.ply", "bun045.ply"}, {"bun090.ply", "bun000.ply"}};
  for (const auto& [source, target] : scans) {
    pairs.push_back({"bunny", joined({source, " to ", target}), scan_file(folder / source), scan_file(folder / target),
                     pose(target).inverse() * pose(source)});
  }
}

/// The pairs of the EM-ICP paper: the same points twice.
void add_paper_pairs(std::vector<RealPair>& pairs) {
  const path folder = data() / "em_icp_bunny";
  const nlohmann::json poses = json_file(folder / "p_from_qnew.json")["cases"];
  for (const char* size : {"504", "1007", "3097", "5032", "10064"}) {
    pairs.push_back({"bunny", joined({"Qnew to P, ", size}), scan_file(folder / joined({"Qnew", size, ".txt"})),
                     scan_file(folder / joined({"P", size, ".txt"})),
                     pose_of(poses[size]["R_P_from_Q"], poses[size]["t"])});
  }
}

/// Depth images of a plaster bunny and what it stands on, each with the next.
void add_depth_images(std::vector<RealPair>& pairs) {
  const path folder = data() / "depth_bunny";
  double k[9] = {};
  std::ifstream numbers(folder / "Intrinsic.txt");
  for (double& number : k) numbers >> number;
  const Intrinsics camera = {k[0], k[4], k[2], k[5]};
  constexpr int images = 6;
  const auto file = [&](const char* name, int i, const char* end) {
    return folder / joined({name, std::to_string(i), end});
  };
  for (int i = 0; i + 1 < images; ++i) {
    const Transform source = read_pose(file("poses_", i + 1, ".txt")), target = read_pose(file("poses_", i, ".txt"));
    pairs.push_back({"bunny", joined({"depth image ", std::to_string(i + 1), " to the one before"}),
                     read_depth_image(file("depth_", i + 1, ".png"), camera),
                     read_depth_image(file("depth_", i, ".png"), camera),
                     made_rigid((target.inverse() * source).matrix)});
  }
}

std::vector<RealPair> read_partial_views() {
  std::vector<RealPair> pairs;
  std::vector<path> folders;
  for (const auto& entry : std::filesystem::directory_iterator(data() / "partial_views")) folders.push_back(entry);
  std::sort(folders.begin(), folders.end());
  for (const path& folder : folders) {
    std::ifstream log(folder / "gt.log");
    std::string first;
    std::getline(log, first);  // which clouds: 0 1 2
    Mat4 m = Mat4::identity();
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) log >> m(i, j);
    }
    // All of them show one statue.
    pairs.push_back({"bust", folder.filename().string(), scan_file(folder / "Depth_0001.ply"),
                     scan_file(folder / "Depth_0000.ply"), Transform::from_matrix(Model::rigid3, m)});
  }
  return pairs;
}

RealPair read_milk() {
  const path pcl = data() / "pcl";
  Mat4 m = Mat4::identity();
  const nlohmann::json rows = json_file(pcl / "scene_from_milk.json")["T_scene_model"];
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) m(static_cast<int>(i), static_cast<int>(j)) = rows[i][j];
  }
  return {"milk", "milk in its scene", scan_file(pcl / "milk.pcd"),
          scan_file(pcl / "milk_cartoon_all_small_clorox.pcd"), Transform::from_matrix(Model::rigid3, m)};
}

std::vector<RealPair> read_pairs() {
  std::vector<RealPair> pairs;
  add_range_scans(pairs);
  add_paper_pairs(pairs);
  add_depth_images(pairs);
  pairs.insert(pairs.end(), partial_view_pairs().begin(), partial_view_pairs().end());
  const path lidar = data() / "lidar_pair";
  pairs.push_back({"lidar", "lidar", scan_file(lidar / "source.ply"), scan_file(lidar / "target.ply"),
                   read_pose(lidar / "T_target_source.txt")});
  pairs.push_back(milk_in_its_scene());
  return pairs;
}

/// The lines of a map as points two dozen metres apart, or so many.
PointCloud roads(const path& file, double spacing) {
  PointCloud cloud;
  cloud.positions = sample_reference(read_reference(file), spacing).positions;
  cloud.dimension = 2;
  return cloud;
}

/// Two numbers a line, with commas or without.
PointCloud planar_scan(const path& file) {
  PointCloud cloud;
  cloud.dimension = 2;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream numbers(line);
    Vec3 p{};
    if (numbers >> p[0] >> p[1]) cloud.positions.push_back(p);
  }
  return cloud;
}

}  // namespace

const std::vector<RealPair>& partial_view_pairs() {
  static const std::vector<RealPair> pairs = read_partial_views();
  return pairs;
}

const RealPair& milk_in_its_scene() {
  static const RealPair pair = read_milk();
  return pair;
}

const std::vector<RealPair>& real_pairs() {
  static const std::vector<RealPair> pairs = read_pairs();
  return pairs;
}

const std::vector<RealCloud>& real_clouds() {
  static const std::vector<RealCloud> clouds = [] {
    const path pcl = data() / "pcl";
    return std::vector<RealCloud>{
        {"car", "car6", scan_file(pcl / "car6.pcd")},
        {"kinect_room", "capture0001", scan_file(pcl / "capture0001.pcd")},
        {"kinect_room", "capture0002", scan_file(pcl / "capture0002.pcd")},
        {"milk", "table with cartons", scan_file(pcl / "milk_cartoon_all_small_clorox.pcd")},
        {"lidar", "lidar source", scan_file(data() / "lidar_pair" / "source.ply")},
        {"bunny", "bun000", scan_file(data() / "stanford_bunny" / "bun000.ply")},
    };
  }();
  return clouds;
}

const std::vector<RealCloud>& planar_clouds() {
  static const std::vector<RealCloud> clouds = [] {
    const path planar = data() / "planar", maps = data() / "roads";
    return std::vector<RealCloud>{
        {"laser_box", "one box", planar_scan(planar / "2D_oneBox.csv")},
        {"laser_box", "two boxes", planar_scan(planar / "2D_twoBoxes.csv")},
        {"monaco", "monaco", roads(maps / "monaco.geojson", 8)},
        {"west_oakland", "west oakland", roads(maps / "west_oakland.geojson", 8)},
    };
  }();
  return clouds;
}

}  // namespace dovetail::bench::scenes
