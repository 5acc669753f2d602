// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "dovetail/transform.h"
#include "judge/sighting.h"
#include "spatial/surface_tree.h"

// How exactly points of a scene lie on an object: on its faces themselves, not on points sampled from them, and with no
// normals estimated from the scene, which smooth threads and small steps away.

namespace dovetail {

/// How far the points of a scene are off the surfaces that they were measured on, as their neighbours tell. Local.
double noise_of(const SeenScene& scene, double spacing);

/// The pose at which the scene's points around those that explain an object lie best on its surface, beginning near it.
/// Points farther off than the tolerance count nothing, and in the end those farther off than a few times the noise.
Similarity3 fitted_to_surface(const SurfaceTree& object, const Sighting& sighting, const SeenScene& scene,
                              const Similarity3& scene_from_object, const SightingSettings& settings);

/// How far the scene's points are off an object, by its surface itself.
struct SurfaceMisfit {
  double rms = 0;  ///< of the points that explain it, local; those farther off than the tolerance count as that far
  double off = 0;  ///< share of the points beside its surface that are off it by more than noise accounts for
};
SurfaceMisfit misfit_of(const SurfaceTree& object, const Sighting& sighting, const SeenScene& scene,
                        const Similarity3& scene_from_object, const SightingSettings& settings);

}  // namespace dovetail
