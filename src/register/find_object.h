// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "prepare/gpicp_plan.h"
#include "prepare/icp_plan.h"
#include "register/find_scene.h"
#include "search/gpicp_search.h"
#include "spatial/surface_tree.h"

namespace dovetail {

/// Where an object may be.
struct FindHypothesis {
  std::size_t object = 0;
  Similarity3 pose;  ///< scene from object, local
  Sighting sighting;
  double score = 0;      ///< among poses that are not judged yet: sighting_score()
  double log_odds = -7;  ///< once it is judged
  std::vector<Evidence> evidence;
  /// The log-odds of other poses that explain the same points and do not look the same.
  std::vector<double> rivals;

  /// That it is right if it has no rivals, and with them.
  double fits() const;
  double confidence() const;
  /// How clearly it beats the best of its rivals, 0 to 1; absent where there is none.
  std::optional<double> margin() const;
};

/// An object that is looked for, prepared once.
class FindObject {
 public:
  FindObject(const ObjectToFind& object, std::size_t index, const Find& options, const Run& run, double scale,
             FindScene& scene, Backend& backend);

  const std::string& name() const { return name_; }
  std::size_t index() const { return index_; }
  const Prepared& prepared() const { return prepared_; }
  const Level& full() const { return levels_.back(); }
  const IcpPlan& icp() const { return icp_; }
  double diameter() const { return diameter_; }

  /// Where it may be among what nothing explains yet, the most likely first.
  std::vector<FindHypothesis> look(FindScene& scene, const Find& options, const Run& run, Backend& backend,
                                   const Control& control) const;

  /// Whether a motion maps the object's surface onto itself, but for little.
  bool looks_the_same(const Similarity3& object_from_object) const;

  /// What the scene says to a pose now.
  FindHypothesis judged(const Similarity3& pose, const SeenScene& scene) const;

  /// The same quickly, for many poses: by its score, without how exactly it lies there.
  FindHypothesis sighted(const Similarity3& pose, const SeenScene& scene) const;

  /// A pose at which the points that explain it lie best on the object's surface itself.
  Similarity3 fitted(const Similarity3& pose, const SeenScene& scene) const;

  /// Which points of the level that GPICP draws from are background or explained; tells the scene what nothing is
  /// behind.
  std::vector<char> not_looked_at(FindScene& scene, const Find& options, const Run& run, Backend& backend) const;

 private:
  std::vector<Similarity3> refined(const std::vector<Similarity3>& poses, int first, int end, Backend& backend,
                                   const Control& control) const;
  /// The best starts that bring directions of the object onto directions of the scene.
  std::vector<Similarity3> turned_starts(const GpicpContext& context) const;

  std::string name_;
  std::size_t index_;
  bool normals_point_out_ = false;
  double diameter_ = 0;
  Prepared prepared_;
  IcpPlan icp_;
  GpicpPlan gpicp_;
  std::vector<Level> levels_;
  std::vector<SurfacePoint> surface_;
  std::shared_ptr<const SurfaceIndex> whole_;
  std::shared_ptr<const SurfaceTree> exact_;
  SightingSettings settings_;
  std::vector<SurfacePoint> rough_surface_;
  SightingSettings rough_settings_;
};

}  // namespace dovetail
