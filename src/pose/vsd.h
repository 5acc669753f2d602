// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <array>
#include <vector>

#include "io/depth_png.h"
#include "pose/depth_renderer.h"
#include "pose/pinhole.h"

// VSD, the visible surface discrepancy: the share of an object's visible pixels at which truth and estimate differ.

namespace dovetail::pose {

inline constexpr std::size_t vsd_tolerances = 10;
/// 0.05, 0.10 … 0.50 as doubles are when counted up: 0.05 + 0.05 i. VSD's values are ratios that may equal one.
std::array<double, vsd_tolerances> steps_of_a_twentieth();

/// What the camera measured: distances from its centre, not depths; 0 where there is nothing. Row by row.
struct MeasuredDistances {
  Pinhole camera;
  std::vector<float> distance;
};

/// `depth_scale`: millimetres in one step.
MeasuredDistances measured_distances(const io::DepthPng& depth, double depth_scale, const Pinhole& camera);

/// The error for each tolerance of a twentieth of the diameter and its multiples. `delta`: how far a model may lie
/// behind what was measured and still be visible.
std::array<double, vsd_tolerances> vsd(const RenderedDepth& estimate, const RenderedDepth& truth,
                                       const MeasuredDistances& measured, double delta, double diameter);

/// Whether spheres of that diameter about the poses' origins overlap in the image; where not, VSD is 1 unseen.
bool may_overlap(const Vec3& estimate, const Vec3& truth, double diameter);

}  // namespace dovetail::pose
