// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dovetail/points.h"
#include "dovetail/transform.h"

// What the benchmarks run on.

namespace dovetail::bench {

/// `count` points spread evenly over the directions of a sphere with bumps: closed, no symmetry, about one unit across.
/// Another seed is another sampling of the same surface. `noise` is the standard deviation along each axis.
PointCloud bumpy_sphere(std::size_t count, std::uint64_t seed, double noise = 0);

/// The true unit normal of that surface below a point on it.
Vec3 bumpy_sphere_normal(const Vec3& point);

/// Two clouds to be aligned from the identity, and the pose that does it.
struct ScanPair {
  std::string name;
  PointCloud source, target;
  Transform target_from_source;
};

/// Two samplings of the bumpy sphere with noise of 0.0003 of its size, 10 degrees and a twentieth of its size apart:
/// within reach of every method.
ScanPair synthetic_pair(std::size_t count);

/// Real pairs with known poses, as many as are found: bunny scans (45 degrees apart) and two LiDAR scans.
std::vector<ScanPair> real_pairs();

/// A cloud against itself turned by 20 degrees about its centroid, and its size in bunnies (0.15 across).
struct SizedPair {
  ScanPair pair;
  double size = 1;
};

/// The bunny where it is found: the paper's pair of 5,032 points, a range scan of 40,097, and any other number sampled
/// on the mesh; else the bumpy sphere.
SizedPair bunny_like_pair(std::size_t count);

/// The same pair, started `degrees` and a share of the radius from the truth: within reach of methods without a search
/// for the start.
ScanPair near_start(ScanPair pair, double degrees, double shift);

/// Root mean square distance of the points from their centroid.
double radius_of(const PointCloud& cloud);

/// How far a pose is from the truth: degrees, and the distance between where they put the source's centroid, as a part
/// of its radius.
struct PoseError {
  double degrees = 0, shift = 0;
};
PoseError pose_error(const ScanPair& pair, const Transform& found);

/// x, y, z in float, one after another, as peers take them.
std::vector<float> interleaved(const PointCloud& cloud);

}  // namespace dovetail::bench
