// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "dovetail/error.h"
#include "dovetail/io.h"
#include "peer_reader.h"
#include "support/test_data.h"

namespace dovetail::test {
namespace {

/// The largest difference of a coordinate; infinite where one is a number and the other is not.
double largest_difference(const PointCloud& ours, const PeerPoints& theirs) {
  double largest = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      const double a = ours.positions[i][axis], b = theirs[i][static_cast<std::size_t>(axis)];
      if (std::isnan(a) && std::isnan(b)) continue;
      const double difference = std::abs(a - b);
      largest = std::isnan(difference) ? HUGE_VAL : std::max(largest, difference);
    }
  }
  return largest;
}

double largest_coordinate(const PointCloud& cloud) {
  double largest = 0;
  for (const Vec3& p : cloud.positions) {
    for (int axis = 0; axis < 3; ++axis) largest = std::max(largest, std::isnan(p[axis]) ? 0 : std::abs(p[axis]));
  }
  return largest;
}

/// The finite points, each once, in the order of their coordinates.
PeerPoints distinct(PeerPoints points) {
  std::erase_if(points, [](const auto& p) { return !std::isfinite(p[0]); });
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

double largest_difference_of_sets(const PointCloud& ours, const PeerPoints& theirs) {
  PeerPoints points;
  for (const Vec3& p : ours.positions) points.push_back({p[0], p[1], p[2]});
  const PeerPoints a = distinct(points), b = distinct(theirs);
  EXPECT_EQ(a.size(), b.size());
  if (a.size() != b.size()) return HUGE_VAL;
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) largest = std::max(largest, std::abs(a[i][axis] - b[i][axis]));
  }
  return largest;
}

/// Where a peer numbers the points in its own way, only the set of them can be compared: every reader of STL merges
/// corners as it likes, PCL spreads Stanford's range grids over all cells, and Open3D merges or splits points of OBJ
/// by their normals.
bool renumbers(const std::string& peer, const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  if (ending == ".stl" || ending == ".STL") return true;
  return peer == "PCL" ? file.filename().string().starts_with("bun0") && ending == ".ply" : ending == ".obj";
}

std::string compare(const std::string& peer, const std::filesystem::path& file, const PointCloud& ours,
                    const std::optional<PeerPoints>& theirs) {
  SCOPED_TRACE(peer);
  if (!theirs) return "not read";
  const bool sets = renumbers(peer, file);
  if (!sets) {
    EXPECT_EQ(ours.size(), theirs->size());
    if (ours.size() != theirs->size()) return std::to_string(theirs->size()) + " points";
  }
  const double difference = sets ? largest_difference_of_sets(ours, *theirs) : largest_difference(ours, *theirs);
  // One side may keep floats where the other keeps doubles: one rounding of the largest coordinate.
  EXPECT_LE(difference, 6e-8 * largest_coordinate(ours));
  char text[64];
  std::snprintf(text, sizeof text, "%.2g%s", difference, sets ? " (set)" : "");
  return text;
}

TEST(Peers, ReadTheSamePoints) {
  DOVETAIL_NEEDS_DATA();
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(data_folder())) {
    const std::string ending = entry.path().extension().string();
    const bool text = ending == ".txt" && entry.path().parent_path().filename() == "em_icp_bunny";
    for (const char* known : {".ply", ".pcd", ".obj", ".stl", ".STL", ".off"}) {
      if (ending == known) files.push_back(entry.path());
    }
    if (text) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  int compared = 0;
  std::printf("%-66s %9s %14s %14s\n", "file", "points", "PCL", "Open3D");
  for (const std::filesystem::path& file : files) {
    SCOPED_TRACE(file);
    const PointCloud ours = read_points(file);
    std::string pcl = "-", open3d = "-";
#ifdef DOVETAIL_HAS_PCL
    pcl = compare("PCL", file, ours, read_with_pcl(file.string()));
    compared += pcl != "not read" ? 1 : 0;
#endif
#ifdef DOVETAIL_HAS_OPEN3D
    open3d = compare("Open3D", file, ours, read_with_open3d(file.string()));
    compared += open3d != "not read" ? 1 : 0;
#endif
    const std::string name = std::filesystem::relative(file, data_folder()).string();
    std::printf("%-66s %9zu %14s %14s\n", name.c_str(), ours.size(), pcl.c_str(), open3d.c_str());
  }
  EXPECT_GT(compared, 0) << "no file was read by a peer";
}

PointCloud tetrahedron(Precision precision) {
  PointCloud cloud;
  cloud.precision = precision;
  cloud.positions = {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0.25, 0.5, 2}};
  cloud.normals.assign(4, Vec3f{0, 0, 1});
  cloud.colors.assign(4, {10, 20, 30, 255});
  cloud.attributes = {{"intensity", 1, std::vector<float>{1, 2, 3, 4}}};
  for (const auto& face : {std::array<std::uint32_t, 3>{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}) {
    cloud.faces.add({face[0], face[1], face[2]});
  }
  return cloud;
}

TEST(Peers, ReadWhatWeWrite) {
  struct Case {
    const char* name;
    Encoding encoding;
    bool pcl, open3d;  // whether that library knows the format
  };
  // PCL's readers of STL and OFF are VTK's.
  const Case cases[] = {{"a.ply", Encoding::ascii, true, true},
                        {"b.ply", Encoding::binary, true, true},
                        {"c.ply", Encoding::binary_big_endian, true, true},
                        {"a.pcd", Encoding::ascii, true, true},
                        {"b.pcd", Encoding::binary, true, true},
                        {"c.pcd", Encoding::binary_compressed, true, true},
                        {"a.obj", Encoding::ascii, true, true},
                        {"a.off", Encoding::ascii, false, true},
                        {"a.stl", Encoding::binary, false, true}};
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "dovetail_peers";
  std::filesystem::create_directories(folder);
  for (const Precision precision : {Precision::float32, Precision::float64}) {
    [[maybe_unused]] const bool single = precision == Precision::float32;
    for (const Case& c : cases) {
      SCOPED_TRACE(c.name);
      const PointCloud cloud = tetrahedron(precision);
      write_points(folder / c.name, cloud, {.encoding = c.encoding});
      const std::string file = (folder / c.name).string();
#ifdef DOVETAIL_HAS_PCL
      // PCL's PointXYZ is float: it takes no fields of double.
      const bool known_to_pcl = c.pcl && (single || file.ends_with(".obj"));
      if (known_to_pcl) {
        EXPECT_EQ(compare("PCL", file, cloud, read_with_pcl(file)).substr(0, 1), "0");
      }
#endif
#ifdef DOVETAIL_HAS_OPEN3D
      // Open3D takes the bytes of a double in a PCD file for a float.
      const bool known_to_open3d = c.open3d && (single || !file.ends_with(".pcd"));
      if (known_to_open3d) {
        EXPECT_EQ(compare("Open3D", file, cloud, read_with_open3d(file)).substr(0, 1), "0");
      }
#endif
    }
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace dovetail::test
