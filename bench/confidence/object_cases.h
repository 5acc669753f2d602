// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <string>

#include "confidence/cases.h"
#include "core/random.h"
#include "scenes/objects.h"
#include "scenes/views.h"

// Pairs of clouds of an object whose mesh is known.

namespace dovetail::bench::confidence {

/// Two views become source and target, and what the object's symmetries make of the truth.
void take_views(Case& c, const Object& object, View source, View target);

/// Two views whose directions are so many degrees apart.
void two_views(Case& c, const Object& object, double low, double high, RandomStream& random);

/// Views, the model and a view, or two samples of the whole surface.
void any_pair(Case& c, const Object& object, RandomStream& random);

/// The whole surface as the target, a view as the source, or the other way round.
void model_and_view(Case& c, const Object& object, RandomStream& random);

/// Different objects, about equally large.
void strangers(Case& c, const Object& source, const Object& target, RandomStream& random);

/// Puts a stranger in the source's place, made about as large as the target.
void make_strangers(Case& c, PointCloud source, const std::string& name, RandomStream& random);

/// The outline at one height against the whole surface, and one line of a scan against another scan.
void slice_of_part(Case& c, const Object& object, RandomStream& random);
void scan_line_of_part(Case& c, const Object& object, RandomStream& random);

/// Leaves out z: a rotation about it and a shift along x and y are the truth then.
void make_planar(Case& c);

/// The outline at one height twice, in 2D.
void planar_part(Case& c, const Object& object, RandomStream& random);

/// Of a room: sweeps from two places, in full, in one row against the full one, and in 2D.
void two_places(Case& c, const Object& room, RandomStream& random);
void slice_of_room(Case& c, const Object& room, RandomStream& random);
void planar_room(Case& c, const Object& room, RandomStream& random);

/// Of repeated structure: two sweeps a few steps apart.
void repeated_structure(Case& c, const Object& colonnade, RandomStream& random);

}  // namespace dovetail::bench::confidence
