// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "backend/batch.h"
#include "dovetail/registration.h"
#include "prepare/known_start.h"
#include "prepare/levels.h"
#include "register/backend_of_run.h"

namespace dovetail {

/// What may stop a run that began then: its time limit, and its caller.
Control control_of(const Run& run, std::chrono::steady_clock::time_point began);

/// A result of which nothing is known but its method, the run and the machine.
Registration begun(const std::string& method, const MethodOptions& options, const Run& run, const Backend& backend);

/// Fills in point counts and warnings.
void describe_input(const Prepared& prepared, Registration& result);

/// Runs `go()`, which takes a batch on its way, and shows its first state to those who watch the run: `row_of(state)`
/// is what they see, nothing of a state that is not the end of an iteration. Leaves the rows in the result where the
/// run keeps a trace. True where a watcher stopped it.
template <class Way, class RowOf, class Go>
bool run_watched(const Run& run, Way& way, const RowOf& row_of, Registration& result, const Go& go) {
  bool stopped = false;
  if (run.trace || run.on_iteration || run.on_progress) way.traced = 0;
  if (run.on_iteration) {
    way.observer = [&](const auto& state) {
      const std::optional<Iteration> row = row_of(state);
      stopped = row && !run.on_iteration(*row);
      return !stopped;
    };
  }
  if (run.on_progress) {
    way.onlooker = [&](const auto& state) {
      if (const std::optional<Iteration> row = row_of(state)) run.on_progress(*row);
    };
  }
  go();
  for (const auto& state : way.trace) {
    const std::optional<Iteration> row = run.trace ? row_of(state) : std::nullopt;
    if (row) result.trace.push_back(*row);
  }
  return stopped;
}

/// What every registration of two clouds has, whatever its method: the prepared clouds, a machine, a clock, and what is
/// told of the answers. The method's options have been validated before.
class RegistrationJob {
 public:
  /// Throws InvalidArgument for a run that makes no sense, MachineError for a machine that is not there.
  RegistrationJob(const PointsView& source, const PointsView& target, const Run& run, bool estimate_scale);

  const Run& run() const { return run_; }
  const Prepared& prepared() const { return prepared_; }
  Backend& backend() const { return *backend_; }
  const Control& control() const { return control_; }
  Model model() const { return model_; }
  bool estimates_scale() const { return estimate_scale_; }

  /// A result that tells of the input, at the first starting pose. Where no pose can be found at all it is finished:
  /// its termination is `degenerate`, with the reason in its message.
  Registration begin(const std::string& method, const MethodOptions& options) const;
  bool hopeless() const { return !reason_.empty(); }

  /// The starting poses the run asks for, local.
  const std::vector<Similarity3>& given() const { return given_; }
  /// The first of them, and how well it is known.
  const FirstStart& start() const { return start_; }

  /// Makes the levels of these voxels, and the full resolution where they leave it out.
  void make_levels(std::span<const double> voxels, const LevelNeeds& needs);
  std::span<const Level> levels() const { return levels_; }
  /// Where quality is told.
  const Level& full_resolution() const { return full_; }

  /// Sees whether each cloud may have been seen from the origin of its file; what a pose puts before what was seen from
  /// there then speaks against it.
  void look_for_viewpoints();
  void forget_viewpoints();
  /// Learns from the poses that a search came to which points are telling: answers are judged by it from now on.
  /// Returns how distinct each of the poses is.
  std::vector<double> learn_rarity(std::span<const Similarity3> poses);

  /// Since the run began.
  double milliseconds() const;

  /// The answer among some poses: the one that is most likely right; of those that are about as likely, the one
  /// nearest to the first start.
  std::size_t best_of(std::span<const Similarity3> poses, std::span<const Quality> qualities) const;

  /// Tells of the answer, which is poses[best], and of those of the first `count` that are different from it and from
  /// each other, best first; and the margin, where `several` starts ran.
  void tell_answers(std::size_t best, std::span<const Similarity3> poses, std::span<const Quality> qualities,
                    std::size_t count, bool several, Registration& result) const;

 private:
  std::string why_hopeless() const;
  std::vector<Similarity3> given_starts() const;

  const Run& run_;
  std::chrono::steady_clock::time_point began_;
  BackendOfRun backend_;
  Prepared prepared_;
  Control control_;
  bool estimate_scale_;
  Model model_;
  std::string reason_;
  std::vector<Similarity3> given_;
  FirstStart start_;
  std::vector<Level> levels_;
  Level full_;
};

/// Tells what the surfaces' shape holds fast at an answer that ICP does not refine, with its errors, and concludes.
void conclude_unrefined(const Similarity3& pose, const Freedom& free, RegistrationJob& job, Registration& result);

/// Takes a pose that another method found through the fine levels of ICP and fills in the result from there: pose,
/// quality, covariance; iterations and trace are added to what is there. The job's levels are ICP's afterwards.
void polish_by_icp(const Similarity3& pose, const Icp& options, RegistrationJob& job, Registration& result);

/// A pose and how well it fits, as scores_of() tells.
struct ScoredPose {
  Similarity3 pose;
  double score = 0;
};

/// The same from several answers of a search, the best first, which `stopped` may have cut short: those that could
/// still win are followed too, and the most likely one is the result.
void finish_by_icp(std::span<const ScoredPose> answers, StopRequest stopped, const Icp& options, RegistrationJob& job,
                   Registration& result);

/// Where ICP ends from a pose that may be right, with what it is worth: no search for a better one, but those that fit
/// as well.
Registration settle_by_icp(const Similarity3& pose, RegistrationJob& job);

}  // namespace dovetail
