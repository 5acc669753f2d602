// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "dovetail/resting.h"
#include "dovetail/symmetry.h"

// How often a part lies how: what resting poses say of the side that a camera above sees. docs/bins.md shows it for
// three parts. Link dovetail::bins.

namespace dovetail {

/// Orientations that lie together: the part shows the camera above the same side, turned in the image however it likes.
struct FrequentOrientation {
  Vec3 up{};               ///< the direction in the part's frame that points up; unit length
  Mat3 scene_from_part{};  ///< a resting pose's rotation, that of all whose up is nearest to `up`
  std::size_t count = 0;   ///< poses within PoseDensity::reach of it, each counted once
  double share = 0;        ///< of all poses
};

/// What resting poses of one part say.
struct PoseDensity {
  std::size_t poses = 0;
  double reach = 0;                               ///< radians; orientations this near to each other are alike
  std::vector<FrequentOrientation> orientations;  ///< the most frequent first
  /// Directions spread evenly over the sphere, and how dense the ups of the resting parts are about each, as a multiple
  /// of what it were if all were equally likely; every symmetry counted.
  std::vector<Vec3> directions;
  std::vector<double> density;
  /// Of the rotations scene_from_part = Rz(yaw) Ry(pitch) Rx(roll): shares in equal steps of yaw and roll from -180 to
  /// 180 degrees, and of pitch from -90 to 90.
  static constexpr int euler_steps = 36;
  std::array<std::array<double, euler_steps>, 3> euler{};  ///< yaw, pitch, roll
};

/// The density of one kind of part of a file, up to the part's symmetries. Orientations count as alike within `reach`
/// radians; at most `most` are listed. Throws InvalidArgument for a kind that is not there or of which nothing rests,
/// and for a reach that is not between 0 and pi.
PoseDensity pose_density(const RestingPoses& poses, std::size_t kind, const Symmetry& symmetry, int most = 10,
                         double reach = 0.2);

/// How much two densities over the same directions differ: half the mean of |a - b|. 0: alike, 1: nothing in common.
double density_distance(const PoseDensity& a, const PoseDensity& b);

/// Pictures of a density, as grey PNG, into a folder that is there: NAME.sphere.png (seen along -z and along +z of the
/// part's frame, the brighter the denser), NAME.euler.png (yaw, pitch, roll), and, where this was built with Embree,
/// NAME.orientations.png (the mesh in each of the listed orientations from above, five a row). Throws FileError.
void write_density_pictures(const std::filesystem::path& folder, const std::string& name, const PoseDensity& density,
                            const PointCloud& mesh);

/// The numbers as JSON, schema dovetail.density/1.
std::string to_json(const PoseDensity& density, const std::string& name, int indent = 2);

}  // namespace dovetail
