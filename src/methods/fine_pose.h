// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cmath>
#include <cstdint>

#include "core/normal_equations.h"
#include "core/solve_positive.h"
#include "dovetail/models.h"
#include "dovetail/rotation.h"
#include "methods/method.h"
#include "spatial/scene_view.h"

// Poses of parts in a range image, refined: points of a part's visible surface go to the planes of the pixels that they
// are seen at. A state is one pose of one part; an item is a point. After the last step the image may be asked once
// more, what it says of the points. Equation numbers: docs/methods/fine_pose.md.

namespace dovetail::fine {

struct Data {
  SceneView scene;
  PointSetsView points;  ///< each set about its own middle
};

struct Params {
  double hold = 1e-3;       ///< of a point's weight, on every motion (4)
  double least_weight = 6;  ///< of all points, for a step
};

/// What a state's next pass is about.
enum class Phase : std::int32_t { fit, judge, done };

/// Shares of a set's points of which the image says so.
struct PointVerdict {
  double explained = 0, hidden = 0, impossible = 0, unknown = 0;

  /// From 1 for all of them explained, down.
  DOVETAIL_HD double worth() const { return explained - impossible; }
};

struct State {
  std::uint32_t data = 0;
  std::uint32_t first = 0, count = 0;  ///< the set of points
  Vec3 middle{};                       ///< of the points, in the part's frame
  double radius = 0;                   ///< of the points about it
  Phase phase = Phase::fit;
  Status status = Status::running;
  std::int32_t iteration = 0, iterations = 0;
  double gate = 0;       ///< how far points may be off in the next step (1)
  double narrowing = 1;  ///< of the gate from step to step
  double tolerance = 0;  ///< how far an explained point may be off; 0: the points are not judged
  Rigid3 camera_from_part = Rigid3::identity();
  PointVerdict verdict;
};

/// A state that begins at a pose. Points may be off by `first` to `last` from the first step to the last.
inline State first_state(const Rigid3& camera_from_part, double first, double last, int iterations, double tolerance) {
  State s;
  s.camera_from_part = camera_from_part;
  s.iterations = iterations;
  s.gate = iterations > 1 ? first : last;
  s.narrowing = iterations > 1 ? std::pow(last / first, 1.0 / (iterations - 1)) : 1;
  s.tolerance = tolerance;
  if (iterations <= 0) s.phase = tolerance > 0 ? Phase::judge : Phase::done;
  return s;
}

struct Sums {
  NormalEquations<6> fit;
  double explained, hidden, impossible;  ///< points
};
static_assert(sizeof(Sums) == (NormalEquations<6>::size + 3) * sizeof(double));

DOVETAIL_HD inline float choose(bool condition, float yes, float no) { return condition ? yes : no; }

#include "methods/fine_pose_terms.inl"

struct FinePose : MethodDefaults {
  using Data = fine::Data;
  using Params = fine::Params;
  using State = fine::State;
  using Sums = fine::Sums;

  DOVETAIL_HD static bool finished(const State& s) { return s.phase == Phase::done; }
  DOVETAIL_HD static std::uint32_t data_index(const Params&, const State& s) { return s.data; }
  DOVETAIL_HD static std::uint32_t items(const Data&, const State& s) { return s.count; }
  static std::uint32_t most_items(const Params&, const Data& data) { return data.points.largest; }

  /// What all points of a state share: pose, camera and gate in single precision.
  struct Context {
    float turn[9], center[3];
    float fx, fy, cx, cy, per_fx, per_fy, columns, rows;
    float inverse_gate, tolerance;
  };
  DOVETAIL_HD static Context context_of(const Data& data, const State& s) {
    Context c;
    for (int i = 0; i < 9; ++i) c.turn[i] = static_cast<float>(s.camera_from_part.rotation[i]);
    const Vec3 center = s.camera_from_part * s.middle;
    for (int i = 0; i < 3; ++i) c.center[i] = static_cast<float>(center[i]);
    const SceneView& scene = data.scene;
    c.fx = static_cast<float>(scene.fx), c.fy = static_cast<float>(scene.fy);
    c.cx = static_cast<float>(scene.cx), c.cy = static_cast<float>(scene.cy);
    c.per_fx = static_cast<float>(1 / scene.fx), c.per_fy = static_cast<float>(1 / scene.fy);
    c.columns = static_cast<float>(scene.width), c.rows = static_cast<float>(scene.height);
    c.inverse_gate = static_cast<float>(1 / s.gate), c.tolerance = static_cast<float>(s.tolerance);
    return c;
  }

  /// A point in the camera's frame and the pixel that it is seen at.
  struct Look {
    PointOnPlane<float> point;
    float behind;   ///< how far the measured surface is behind it
    bool measured;  ///< something was
  };
  DOVETAIL_HD static Look look(const Data& data, const Context& c, std::uint32_t i) {
    Look look{};
    const float p[3] = {data.points.x[i], data.points.y[i], data.points.z[i]};
    float here[3];
    for (int a = 0; a < 3; ++a) {
      look.point.arm[a] = c.turn[3 * a] * p[0] + c.turn[3 * a + 1] * p[1] + c.turn[3 * a + 2] * p[2];
      here[a] = c.center[a] + look.point.arm[a];
    }
    if (!(here[2] > 0)) return look;
    const float column = c.fx * (here[0] / here[2]) + c.cx + 0.5f, row = c.fy * (here[1] / here[2]) + c.cy + 0.5f;
    if (!(column >= 0 && row >= 0 && column < c.columns && row < c.rows)) return look;
    const int x = static_cast<int>(column), y = static_cast<int>(row);
    const ScenePixel pixel = data.scene.pixels[data.scene.at(x, y)];
    if (!(pixel.depth > 0)) return look;
    look.measured = true;
    look.behind = pixel.depth - here[2];
    const float along[2] = {(static_cast<float>(x) - c.cx) * c.per_fx, (static_cast<float>(y) - c.cy) * c.per_fy};
    look.point.off[0] = here[0] - pixel.depth * along[0];
    look.point.off[1] = here[1] - pixel.depth * along[1];
    look.point.off[2] = here[2] - pixel.depth;
    for (int a = 0; a < 3; ++a) look.point.normal[a] = pixel.normal[a];
    return look;
  }

  /// (5)
  DOVETAIL_HD static void judge(const Look& look, const Context& c, Sums& sums) {
    if (!look.measured) return;
    const bool explained = fabsf(look.behind) <= c.tolerance;
    sums.explained += explained ? 1 : 0;
    sums.impossible += !explained && look.behind > 0 ? 1 : 0;
    sums.hidden += !explained && look.behind < 0 ? 1 : 0;
  }

  DOVETAIL_HD static void add_item(const Data& data, const State& s, const Context& c, std::uint32_t item, Sums& sums) {
    const Look seen = look(data, c, s.first + item);
    if (s.phase == Phase::judge) return judge(seen, c, sums);
    double* const fit = as_doubles(sums.fit);
    plane_terms(seen.point, c.inverse_gate, [fit](int k, float value) { fit[k] += static_cast<double>(value); });
  }

  DOVETAIL_HD static void advance(const Params& p, State& s, const Sums* sums, const std::uint32_t*) {
    if (s.phase == Phase::judge) {
      const double share = 1.0 / (s.count > 0 ? s.count : 1);
      s.verdict = {share * sums->explained, share * sums->hidden, share * sums->impossible, 0};
      s.verdict.unknown = share * s.count - s.verdict.explained - s.verdict.hidden - s.verdict.impossible;
      s.phase = Phase::done;
      return;
    }
    const bool held = sums->fit.weight >= p.least_weight;
    if (held) step(p, s, sums->fit);
    s.gate *= s.narrowing;
    if (held && ++s.iteration < s.iterations) return;
    s.status = held ? Status::schedule_finished : Status::no_correspondences;
    s.phase = s.tolerance > 0 ? Phase::judge : Phase::done;
  }

 private:
  /// A Gauss-Newton step about the middle of the points (4). A little of everything holds everything: a plate does not
  /// slide away on a table.
  DOVETAIL_HD static void step(const Params& p, State& s, NormalEquations<6> e) {
    const double hold = p.hold * e.weight;
    for (int k = 0; k < 3; ++k) {
      e.jtj(k, k) += hold * s.radius * s.radius;
      e.jtj(k + 3, k + 3) += hold;
    }
    const Vec3 center = s.camera_from_part * s.middle;
    s.camera_from_part = step_about(center, solve_positive(e.jtj, -e.jtr)) * s.camera_from_part;
  }
};

}  // namespace dovetail::fine
