// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "dovetail/matrix.h"

namespace dovetail {

/// Transverse Mercator of the WGS 84 ellipsoid: Krüger's series in the third flattening to its sixth order (Karney,
/// "Transverse Mercator with an accuracy of a few nanometers", 2011). Radians and metres; x counts from the meridian, y
/// from the equator. Beyond a pole y goes on growing, so that a region around a pole is whole.
Vec2 transverse_mercator(double longitude, double latitude);

/// Its inverse: longitude from the meridian and latitude.
Vec2 inverse_transverse_mercator(double x, double y);

}  // namespace dovetail
