// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "api/build_problem.h"
#include "api/machines.h"
#include "backend/batch.h"
#include "core/normal_equations.h"
#include "dovetail/registration.h"

namespace dovetail {

/// How different two poses are: the angle in radians or the shift of the centroid in radii, whichever is more.
double difference(const Similarity3& a, const Similarity3& b, const Prepared& prepared);

/// Poses closer than this are one answer.
inline constexpr double same_answer = 0.1;

/// How a state's end is told.
Termination termination_of(Status status, StopRequest stopped);

/// What may stop a run that began then: its time limit, and its caller.
Control control_of(const Run& run, std::chrono::steady_clock::time_point began);

/// What every registration has, whatever its method: the prepared clouds, a machine, a clock, and what is told of the
/// answers. The method's options have been validated before.
class RegistrationJob {
 public:
  /// Throws InvalidArgument for a run that makes no sense, MachineError for a machine that is not there.
  RegistrationJob(const PointCloud& source, const PointCloud& target, const Run& run, bool estimate_scale);

  const Run& run() const { return run_; }
  const Prepared& prepared() const { return prepared_; }
  Backend& backend() const { return *backend_; }
  const Control& control() const { return control_; }
  Model model() const { return model_; }
  bool estimates_scale() const { return estimate_scale_; }

  /// A result that tells of the input, at the first starting pose. Where no pose can be found at all it is finished:
  /// its termination is `degenerate`, with the reason in its message.
  Registration begin(const std::string& method) const;
  bool hopeless() const { return !reason_.empty(); }

  /// The starting poses the run asks for, local.
  const std::vector<Similarity3>& given() const { return given_; }

  /// Makes the problems resident: the levels, and the full resolution where they leave it out.
  void place(std::vector<Problem> problems);
  /// Where quality is told.
  Place full_resolution() const;
  /// The levels' voxels as problems: a second one where the last level is not at full resolution.
  std::vector<Problem> build(std::span<const double> voxels, const NormalsNeeded& normals,
                             Clusters clusters = Clusters::none) const;

  /// Point-to-plane equations with a scale at a pose, about `center`, as some of the source's points tell them.
  NormalEquations<7> shape_with_scale(const Similarity3& pose, const Vec3& center, const Registration& result) const;

  /// Takes into the covariance that points near each other err together, at a pose, and sets the error to expect.
  void judge_errors(const Similarity3& pose, const Vec3& center, Registration& result) const;

  double milliseconds() const;

  /// The other answers, best first, each different from `answer` and from those before it; and the margin, where
  /// `several` starts ran.
  void set_alternatives(const Similarity3& answer, std::span<const Similarity3> poses,
                        std::span<const Registration> evaluations, bool several, Registration& result) const;

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
  std::vector<Problem> problems_;
};

}  // namespace dovetail
