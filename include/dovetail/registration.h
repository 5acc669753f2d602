// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "dovetail/chamfer.h"
#include "dovetail/em_icp.h"
#include "dovetail/gpicp.h"
#include "dovetail/icp.h"
#include "dovetail/points_view.h"
#include "dovetail/run.h"
#include "dovetail/softassign.h"
#include "dovetail/transform.h"

namespace dovetail {

/// Why a run ended.
enum class Termination {
  converged,            ///< the pose stopped moving
  schedule_finished,    ///< the method's schedule came to its end
  max_iterations,       ///< the iterations ran out while the pose still moved
  time_limit,           ///< the time ran out
  no_correspondences,   ///< no source point has a target point near enough
  degenerate,           ///< the data does not determine the transform
  stopped_by_callback,  ///< the caller asked to stop
  not_run,              ///< nothing has been run yet
};

std::string to_string(Termination termination);

/// A direction of motion the data hardly constrains: a plane slides, a cylinder spins. Unit length over (rotation about
/// covariance_center × extent, shift), so that both parts are lengths.
struct WeakDirection {
  Vec3 rotation{};
  Vec3 translation{};
};

/// The options of a method, by which it is chosen.
using MethodOptions = std::variant<Icp, EmIcp, Softassign, Chamfer, Gpicp>;

/// A number that speaks for or against an answer. docs/confidence.md tells what each of them means.
struct Evidence {
  std::string name;
  double value = 0;
};

/// How well a transform fits. Lengths are in the files' units.
struct Quality {
  double rmse = 0;             ///< over inliers, every kept source point considered, at the returned pose
  double inlier_distance = 0;  ///< the distance up to which a point counts as an inlier
  double inlier_ratio = 0;     ///< inliers as a share of kept source points
  double overlap = 0;          ///< share of source points with a target point within three target spacings
  /// How well the surfaces agree, 0 to 1: the mean over source points of 1 − (d/c)², zero beyond
  /// c = a tenth of the source's radius, times the squared cosine between the normals where both are known.
  double score = 0;
  /// The probability that the answer is right: within 5° and a tenth of the source's radius. Absent where nothing
  /// tells.
  std::optional<double> confidence{};
  std::vector<Evidence> evidence{};  ///< what that comes from
  /// The logarithm of the odds of being right as far as this pose's own evidence tells, not knowing of other poses.
  /// Ranks answers.
  double log_odds = -7;
};

/// The answer, and what it is worth. Lengths are in the files' units, poses in the files' own frames.
struct Registration : Quality {
  std::string method;   ///< "icp", "em_icp", "softassign", "chamfer", "gpicp"
  std::string machine;  ///< "cpu", "cuda:0", "reference"
  std::string build;    ///< compiler, instruction set: what "the same bits" holds for
  std::string version;

  std::string source_file, target_file;  ///< what was read; whoever read it sets this, as dovetail does

  Transform target_from_source;
  std::optional<GeoFrame> target_frame;  ///< where the reference was given in degrees: what its metres count from
  std::optional<GeoFrame> source_frame;  ///< the same of the source; whoever projected it sets this
  bool usable() const { return usable_; }
  void set_usable(bool usable) { usable_ = usable; }
  Termination termination = Termination::not_run;
  std::string message = "nothing has been run";  ///< one sentence for a person
  std::vector<std::string> warnings;             ///< what looks wrong with the input, e.g. metres against millimetres

  int iterations = 0;  ///< of the answer shown: a row of the trace each
  /// What the answer ended with: "likelihood" or "distance" in chamfer alignment, "icp" where that refined the answer
  /// of a soft method; empty: with the method itself.
  std::string finished_by;

  /// Covariance of a small motion that follows the transform, in the target frame about `covariance_center`, row-major;
  /// empty where it is not defined. Its numbers are those of the model's tangent (models.h), each model's a beginning
  /// of the next one's: rotation (1 angle in 2D, 3 in 3D) in radians, translation in file units, logarithm of scale,
  /// stretch (2D: xx = −yy, xy; 3D: xx, yy, xy, xz, yz), perspective (x, y) in one over file units.
  std::vector<double> covariance;
  Vec3 covariance_center{};
  /// How far the transform puts the source points from where they belong, in the root mean square, as far as the
  /// covariance knows: it knows how points scatter and how far those near each other err together, neither what a map
  /// lacks nor whether this is the right place.
  std::optional<double> expected_error;
  std::vector<WeakDirection> weak_directions;

  std::optional<double> margin;            ///< how clearly the best answer beats the best different one, 0 to 1
  std::vector<Registration> alternatives;  ///< other starts' answers, best first

  struct Counts {
    std::size_t source = 0, target = 0;  ///< points used
    /// Of both clouds together; of a field from a file, those of the observed points.
    std::size_t dropped_non_finite = 0, dropped_at_origin = 0;
  } points;

  struct Times {
    double read = 0, prepare = 0, loop = 0, total = 0;
  } time_ms;

  MethodOptions options;  ///< as they were given
  Run run;
  std::vector<Iteration> trace;

 private:
  bool usable_ = false;
};

/// Finds the transform that brings `source` onto `target`: point clouds, or points where the caller holds them.
/// Throws InvalidArgument for an option out of range or a cloud without points, MachineError for a machine that is not
/// there. Everything that can be wrong with the data itself is told in the result.
Registration register_points(const PointsView& source, const PointsView& target, const Icp& options = {},
                             const Run& run = {});

/// The same by another method, or by whichever one a MethodOptions holds. (A template, so that `{}` means ICP.)
template <class Options>
requires std::same_as<Options, EmIcp> || std::same_as<Options, Softassign> || std::same_as<Options, Chamfer> ||
    std::same_as<Options, Gpicp> || std::same_as<Options, MethodOptions>
        Registration register_points(const PointsView& source, const PointsView& target, const Options& options,
                                     const Run& run = {});

/// Chamfer alignment of observed points to a reference: its points, lines and surfaces, or a field prepared of it. The
/// distances told in the result are those of the field: to the reference point that a point's cell names, which is at
/// most two diagonals of a cell farther than the nearest one.
Registration register_points(const PointsView& observed, const Reference& reference, const Chamfer& options,
                             const Run& run = {});
Registration register_points(const PointsView& observed, const DistanceField& reference, const Chamfer& options,
                             const Run& run = {});

/// How well a given pose fits: rmse, inliers, overlap and score as a registration would report them, without moving
/// anything. Of an affine or projective pose the moved source is judged, so that spacings are those it has then.
Registration evaluate_pose(const PointsView& source, const PointsView& target, const Transform& target_from_source,
                           const Run& run = {});

/// The registration as JSON, schema "dovetail.registration/1". Not-a-number becomes null.
std::string to_json(const Registration& result, int indent = 2);

}  // namespace dovetail
