// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "judge/conclude.h"
#include "judge/covariance.h"
#include "judge/pair_errors.h"
#include "prepare/icp_plan.h"
#include "register/job.h"
#include "search/icp_levels.h"

namespace dovetail {

void conclude_unrefined(const Similarity3& pose, const Freedom& free, RegistrationJob& job, Registration& result) {
  // What the surface's shape holds fast, whatever the method: as ICP tells it.
  const Prepared& prepared = job.prepared();
  const IcpPlan plan = make_icp_plan({.levels = 1, .free = free}, prepared);
  const unsigned motions = free_motions(free, job.estimates_scale(), prepared.dimension);
  const Vec3 center = pose * prepared.source->centroid;
  const icp::State state = start_state(plan, prepared, {.pose = pose}, center);
  const NormalEquations<6> shape = plane_equations(plan, 0, state, job.full_resolution().surfaces(), job.backend());
  set_weak_directions(shape.jtj, 1 / prepared.source->radius, motions, result);
  const bool lost =
      result.termination == Termination::no_correspondences || result.termination == Termination::degenerate;
  if (!lost) {
    tell_pair_errors(shape, {pose, center, motions, job.estimates_scale()}, prepared, job.full_resolution(),
                     job.backend(), result);
  }
  conclude(job.run(), result);
}

}  // namespace dovetail
