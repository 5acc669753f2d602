// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

namespace dovetail {

/// What a depth camera makes of the depth that is there. The defaults are those of a camera that triangulates with
/// structured light: a projector beside the camera, depth z = f b / d from the shift d of its pattern in pixels, f the
/// focal length in pixels and b the baseline. An error of d is one of z² / (f b) in depth: noise and steps grow with
/// the square of the distance.
struct DepthSensor {
  /// Distance of the projector from the camera, along +x of the camera, as a share of the distance to the middle of the
  /// scene. What the projector does not light is not measured. 0: no shadows; noise and steps are as with the default.
  double baseline = 0.2;

  /// Standard deviation of d in pixels, on a surface that faces the camera.
  double shift_noise = 0.05;

  /// How much more noise a slanted surface has: shift_noise × (1 + slant_noise tan²), of the angle between view and
  /// normal.
  double slant_noise = 0.5;

  /// d is rounded to multiples of this, in pixels; 0: not at all.
  double shift_step = 0.02;

  /// Surfaces slanted by more than this, in degrees, give nothing back.
  double max_slant = 80;

  /// A pixel is at an edge where a neighbour's depth differs by more than this share of its own depth.
  double edge = 0.01;

  /// Share of the pixels at edges that measure nothing.
  double edge_holes = 0.3;

  /// Share of the pixels at edges that fly: they measure a depth between the two surfaces.
  double flying = 0.05;

  /// Share of all pixels that measure nothing for no reason.
  double dropout = 0.002;
};

}  // namespace dovetail
