// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstddef>
#include <cstdint>

#include "core/random.h"
#include "dovetail/points.h"
#include "dovetail/transform.h"

// How the clouds of a case come about: sensors before a mesh, within it, or points spread over it.

namespace dovetail::bench::scenes {

/// A cloud in its own frame, and where that is.
struct View {
  PointCloud cloud;
  Transform object_from_cloud;
};

/// The middle of a mesh's box, and half of its diagonal.
struct Ball {
  Vec3 center{};
  double radius = 0;
};
Ball ball_around(const PointCloud& mesh);

/// The mesh from a distance of 3.5 radii in the direction of `towards_eye`, in about `count` points; the image is
/// turned at random. `noise` is along the rays, in the mesh's units.
View view_from(const PointCloud& mesh, const Vec3& towards_eye, std::size_t count, double noise, RandomStream& random);

/// What a sensor at `eye` sees that turns about z from `yaw` by `span` radians, in `columns` a quarter turn and `rows`
/// of up to 35 degrees up and down; one row is all at one height. The cloud's z axis is up.
struct Sweep {
  Vec3 eye{};
  double yaw = 0, span = 6.2831853071795864;
  int columns = 100, rows = 60;
  double noise = 0;
};
View sweep_from(const PointCloud& mesh, const Sweep& sweep, RandomStream& random);

/// The outline at one height as sensors around the mesh see it, in the mesh's frame.
View outline_at(const PointCloud& mesh, double height, int columns, double noise, RandomStream& random);

/// Points spread evenly over the mesh, in the mesh's frame; those that no sensor could see are among them.
View spread_over(const PointCloud& mesh, std::size_t count, RandomStream& random);

/// Points as sensors from all sides see the mesh, in the mesh's frame.
View seen_all_around(const PointCloud& mesh, std::size_t count, double noise, RandomStream& random);

}  // namespace dovetail::bench::scenes
