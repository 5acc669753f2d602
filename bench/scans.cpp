// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "scans.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>

#include "core/random.h"
#include "dovetail/io.h"
#include "dovetail/pose_file.h"
#include "dovetail/prepare.h"
#include "harness.h"

namespace dovetail::bench {
namespace {

constexpr double degree = std::numbers::pi / 180;

double sphere_radius(const Vec3& d) {
  return 0.4 + 0.08 * d[0] * d[1] + 0.06 * d[2] * d[2] * d[2] + 0.05 * std::sin(4 * d[0] + 1) +
         0.04 * std::cos(5 * d[1] + 2 * d[2]);
}

Vec3 centroid_of(const PointCloud& cloud) {
  Vec3 sum{};
  for (const Vec3& p : cloud.positions) sum += p;
  return (1.0 / static_cast<double>(cloud.size())) * sum;
}

/// Turns about `about`, then shifts.
Transform motion(const Vec3& axis, double degrees, const Vec3& shift, const Vec3& about) {
  const Mat3 r = exp_so3(degrees * degree / norm(axis) * axis);
  return Rigid3{r, about + shift - r * about};
}

PointCloud read_scan(const std::filesystem::path& file) {
  PointCloud cloud = drop_invalid(read_points(file));
  cloud.normals.clear();  // every method makes its own
  return cloud;
}

Transform world_from_scan(const std::filesystem::path& file, const char* scan) {
  const auto json = nlohmann::json::parse(std::ifstream(file))[scan];
  Rigid3 t = Rigid3::identity();
  for (int i = 0; i < 3; ++i) {
    const auto row = static_cast<std::size_t>(i);
    for (int j = 0; j < 3; ++j) t.rotation(i, j) = json["R"][row][static_cast<std::size_t>(j)];
    t.translation[i] = json["t"][row];
  }
  return t;
}

}  // namespace

PointCloud bumpy_sphere(std::size_t count, std::uint64_t seed, double noise) {
  PointCloud cloud;
  cloud.positions.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    RandomStream random(seed, i);
    const Vec3 d = random.unit_vector();
    cloud.positions[i] = sphere_radius(d) * d;
    if (noise > 0) {
      for (int axis = 0; axis < 3; ++axis) cloud.positions[i][axis] += noise * random.normal();
    }
  }
  return cloud;
}

Vec3 bumpy_sphere_normal(const Vec3& point) {
  // The gradient of |p| - r(p / |p|), by central differences.
  const auto height = [](const Vec3& p) { return norm(p) - sphere_radius((1 / norm(p)) * p); };
  constexpr double step = 1e-5;
  Vec3 gradient{};
  for (int axis = 0; axis < 3; ++axis) {
    Vec3 ahead = point, behind = point;
    ahead[axis] += step, behind[axis] -= step;
    gradient[axis] = height(ahead) - height(behind);
  }
  return (1 / norm(gradient)) * gradient;
}

ScanPair synthetic_pair(std::size_t count) {
  constexpr double noise = 0.0003;
  ScanPair pair{"bumpy sphere", bumpy_sphere(count, 1, noise), bumpy_sphere(count, 2, noise), {}};
  pair.target_from_source = motion({1, 2, -1}, 10, {0.03, -0.02, 0.035}, {});
  pair.source = pair.target_from_source.inverse() * pair.source;
  return pair;
}

std::vector<ScanPair> real_pairs() {
  std::vector<ScanPair> pairs;
  const std::filesystem::path data = data_folder(), bunny = data / "stanford_bunny", lidar = data / "lidar_pair";
  if (data.empty()) return pairs;
  if (std::filesystem::exists(bunny / "bun045.ply")) {
    const auto poses = bunny / "world_from_scan.json";
    pairs.push_back({"bunny 045 to 000", read_scan(bunny / "bun045.ply"), read_scan(bunny / "bun000.ply"),
                     world_from_scan(poses, "bun000.ply").inverse() * world_from_scan(poses, "bun045.ply")});
  }
  if (std::filesystem::exists(lidar / "source.ply")) {
    pairs.push_back({"lidar", read_scan(lidar / "source.ply"), read_scan(lidar / "target.ply"),
                     read_pose(lidar / "T_target_source.txt")});
  }
  return pairs;
}

ScanPair near_start(ScanPair pair, double degrees, double shift) {
  const double length = shift * radius_of(pair.source);
  const Transform off =
      motion({1, 2, -1}, degrees, length * Vec3{0.6, 0, 0.8}, pair.target_from_source * centroid_of(pair.source));
  pair.source = off * (pair.target_from_source * pair.source);
  pair.target_from_source = off.inverse();
  return pair;
}

double radius_of(const PointCloud& cloud) {
  const Vec3 centroid = centroid_of(cloud);
  double sum = 0;
  for (const Vec3& p : cloud.positions) sum += squared_norm(p - centroid);
  return std::sqrt(sum / static_cast<double>(cloud.size()));
}

PoseError pose_error(const ScanPair& pair, const Transform& found) {
  const double shift = distance_between(found, pair.target_from_source, centroid_of(pair.source));
  return {rotation_angle_between(found, pair.target_from_source) / degree, shift / radius_of(pair.source)};
}

std::vector<float> interleaved(const PointCloud& cloud) {
  std::vector<float> xyz;
  xyz.reserve(3 * cloud.size());
  for (const Vec3& p : cloud.positions) {
    for (int axis = 0; axis < 3; ++axis) xyz.push_back(static_cast<float>(p[axis]));
  }
  return xyz;
}

namespace {

/// Points spread evenly over the triangles of a mesh.
PointCloud sampled_on(const PointCloud& mesh, std::size_t count) {
  const Faces& faces = mesh.faces;
  std::vector<double> upto;
  double area = 0;
  const auto corner = [&](std::size_t face, std::size_t i) {
    return mesh.positions[faces.index[faces.start[face] + i]];
  };
  for (std::size_t f = 0; f < faces.size(); ++f) {
    area += norm(cross(corner(f, 1) - corner(f, 0), corner(f, 2) - corner(f, 0)));
    upto.push_back(area);
  }
  PointCloud cloud;
  for (std::size_t i = 0; i < count; ++i) {
    RandomStream random(31, i);
    const auto f = static_cast<std::size_t>(std::lower_bound(upto.begin(), upto.end() - 1, random.uniform(0, area)) -
                                            upto.begin());
    const double a = std::sqrt(random.uniform(0, 1)), b = random.uniform(0, 1);
    cloud.positions.push_back((1 - a) * corner(f, 0) + a * (1 - b) * corner(f, 1) + a * b * corner(f, 2));
  }
  return cloud;
}

}  // namespace

SizedPair bunny_like_pair(std::size_t count) {
  SizedPair result;
  const std::filesystem::path data = data_folder();
  const auto found = [&](const char* file) { return !data.empty() && std::filesystem::exists(data / file); };
  if (count == 5'032 && found("em_icp_bunny/P5032.txt")) {
    result.pair = {"P5032", {}, read_points(data / "em_icp_bunny/P5032.txt"), {}};
  } else if (count == 40'097 && found("em_icp_bunny/bun045_40097.txt")) {
    result.pair = {"bun045_40097", {}, read_points(data / "em_icp_bunny/bun045_40097.txt"), {}};
  } else if (found("stanford_bunny/bun_zipper_res2.ply")) {
    result.pair = {
        "bun_zipper_res2", {}, sampled_on(read_points(data / "stanford_bunny/bun_zipper_res2.ply"), count), {}};
  } else {
    result.pair = {"bumpy sphere", {}, bumpy_sphere(count, 5), {}};
    result.size = 1 / 0.15;
  }
  const Vec3 middle = centroid_of(result.pair.target);
  const Mat3 turn = exp_so3(Vec3{0, 20 * degree, 0});
  result.pair.target_from_source = Rigid3{turn, middle - turn * middle};
  result.pair.source = result.pair.target_from_source.inverse() * result.pair.target;
  return result;
}

}  // namespace dovetail::bench
