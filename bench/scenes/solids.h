// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "core/random.h"
#include "dovetail/models.h"
#include "scanner/mesh_builder.h"

// Closed solids that synthetic objects are made of. Each stands about the origin of `frame` within `size`.

namespace dovetail::bench::scenes {

using scanner::MeshBuilder;

void add_box(MeshBuilder& mesh, const Rigid3& frame, const Vec3& size);
/// Elliptic, along z.
void add_cylinder(MeshBuilder& mesh, const Rigid3& frame, const Vec3& size, int segments = 48);
/// A triangle to hexagon of uneven sides, pushed along z.
void add_prism(MeshBuilder& mesh, const Rigid3& frame, const Vec3& size, RandomStream& random);
/// An ellipsoid.
void add_dome(MeshBuilder& mesh, const Rigid3& frame, const Vec3& size, int segments = 48);

/// The box between two corners.
void add_box_between(MeshBuilder& mesh, const Vec3& low, const Vec3& high);

}  // namespace dovetail::bench::scenes
