// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <algorithm>
#include <cmath>

#include "api/registration_job.h"
#include "api/shared_error.h"
#include "spatial/kd_search.h"
#include "spatial/parallel.h"

namespace dovetail {

namespace {

constexpr std::size_t most_asked = 2000, least_asked = 256;

/// How many of the source's points are asked: a part of them, spread over all.
std::size_t asked_of(const Level& level) {
  const std::size_t count = level.source.size();
  return std::min(count, std::clamp(count / 4, least_asked, most_asked));
}

/// A point of the source, where a pose puts it, and the target's surface near it.
struct Touch {
  Vec3 place, normal;
  double off = 0, weight = 1;
};

/// Some of the source's points within `reach` of the target.
std::vector<Touch> touches_at(const Level& level, const Similarity3& pose, double reach) {
  const std::size_t count = level.source.size(), asked = asked_of(level);
  std::vector<Touch> all(asked);
  std::vector<char> found(asked);
  const KdTreeView tree = level.target.view();
  parallel_for(asked, 64, [&](std::size_t k) {
    const std::size_t i = k * count / asked;
    const Vec3 y = pose * Vec3{double{level.source.x[i]}, double{level.source.y[i]}, double{level.source.z[i]}};
    const Vec3f at = y.cast<float>();
    const Neighbour near = nearest(tree, at[0], at[1], at[2], static_cast<float>(reach * reach));
    if (!near.found()) return;
    const TreePoint& q = tree.points[near.slot];
    const Vec3 n{double{level.target_nx[near.slot]}, double{level.target_ny[near.slot]},
                 double{level.target_nz[near.slot]}};
    all[k] = {y, n, dot(n, y - Vec3{double{q.x}, double{q.y}, double{q.z}}),
              level.source.weight.empty() ? 1.0 : double{level.source.weight[i]}};
    found[k] = all[k].weight > 0 ? 1 : 0;
  });
  std::vector<Touch> some;
  for (std::size_t k = 0; k < asked; ++k) {
    if (found[k] != 0) some.push_back(all[k]);
  }
  return some;
}

/// The root mean square of how far points about `center` are moved by motions of a covariance, in file units: the
/// rotations, the shifts, and the logarithm of a scale, those that there are.
double expected_motion(const Registration& result, const Similarity3& pose, const Vec3& center,
                       const Prepared& prepared) {
  constexpr int of_space[] = {0, 1, 2, 3, 4, 5, 6}, of_plane[] = {2, 3, 4, 6};
  const int* motions = prepared.dimension == 3 ? of_space : of_plane;
  const auto size = static_cast<std::size_t>(std::sqrt(static_cast<double>(result.covariance.size())) + 0.5);
  constexpr std::size_t enough = 1024;
  const LocalCloud& source = prepared.source;
  const std::size_t step = std::max<std::size_t>(1, source.size() / enough);
  Matrix<double, 7, 7> moved{};
  double count = 0;
  for (std::size_t i = 0; i < source.size(); i += step, count += 1) {
    const Vec3 p{double{source.x[i]}, double{source.y[i]}, double{source.z[i]}};
    const auto j = Similarity3::action_jacobian((1 / prepared.scale) * (pose * p - center));
    moved += transpose(j) * j;
  }
  double sum = 0;
  for (std::size_t a = 0; a < size; ++a) {
    for (std::size_t b = 0; b < size; ++b) sum += result.covariance[a * size + b] * moved(motions[a], motions[b]);
  }
  return std::sqrt(std::max(0.0, sum / count));
}

}  // namespace

NormalEquations<7> RegistrationJob::shape_with_scale(const Similarity3& pose, const Vec3& center,
                                                     const Registration& result) const {
  auto equations = NormalEquations<7>::zero();
  const Place place = full_resolution();
  const Level& level = problems_[place.problem].levels[place.level];
  const double each = static_cast<double>(level.source.size()) / static_cast<double>(asked_of(level));
  backend_->on_host([&] {
    for (const Touch& t : touches_at(level, pose, prepared_.to_local(result.inlier_distance))) {
      equations.add(each * t.weight, plane_row(t.place - center, t.normal), t.off);
    }
  });
  return equations;
}

void RegistrationJob::judge_errors(const Similarity3& pose, const Vec3& center, Registration& result) const {
  if (result.covariance.empty()) return;
  const Place place = full_resolution();
  const Level& level = problems_[place.problem].levels[place.level];
  backend_->on_host([&] {
    Misses some;
    for (const Touch& t : touches_at(level, pose, prepared_.to_local(result.inlier_distance))) {
      some.place.push_back(t.place);
      some.miss.push_back(t.off * t.normal);
    }
    const double each = static_cast<double>(level.source.size()) / static_cast<double>(asked_of(level));
    const double factor = shared_error(some, each);
    for (double& c : result.covariance) c *= factor;
    result.expected_error = expected_motion(result, pose, center, prepared_);
  });
}

}  // namespace dovetail
