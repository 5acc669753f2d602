// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstddef>

#include "core/random.h"
#include "dovetail/points.h"
#include "dovetail/transform.h"

// What happens to clouds on their way from a sensor. Positions only: clouds here have nothing else yet.

namespace dovetail::bench::scenes {

Vec3 centroid_of(const PointCloud& cloud);
/// Root mean square distance from the centroid.
double radius_of(const PointCloud& cloud);
/// Median distance to the nearest other point, of a few hundred points.
double spacing_of(const PointCloud& cloud);

/// `count` of the points, each as likely as any other; all where there are fewer.
PointCloud thinned(const PointCloud& cloud, std::size_t count, RandomStream& random);
void add_noise(PointCloud& cloud, double deviation, RandomStream& random);
/// So many more points, as a share of those there are, spread over the box around the cloud, a quarter larger.
void add_outliers(PointCloud& cloud, double share, RandomStream& random);
/// Removes a half space or a ball that holds about that share of the points.
void cut_half_space(PointCloud& cloud, double share, RandomStream& random);
void cut_ball(PointCloud& cloud, double share, RandomStream& random);

/// `pose` off by a turn of so many degrees, about any axis (z in 2D) through where it puts `center`, and then a shift
/// of that length in any direction.
Transform turned_and_shifted(const Transform& pose, const Vec3& center, double degrees, double shift,
                             RandomStream& random);

}  // namespace dovetail::bench::scenes
