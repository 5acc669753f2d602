// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cmath>
#include <cstdint>

#include "core/solve_positive.h"
#include "core/symmetric.h"
#include "dovetail/matrix_functions.h"
#include "methods/chamfer_look.h"
#include "methods/chamfer_model.h"
#include "methods/method.h"
#include "spatial/cloud_view.h"
#include "spatial/field_grid.h"

// Parametric chamfer alignment: Levenberg-Marquardt on the bounded distances of observed points to a reference, looked
// up in a distance field. A pass gives cost, gradient and Hessian of a candidate together (the paper's pipelining), so
// an accepted candidate needs no second one. docs/methods/chamfer.md has the equations.

namespace dovetail::chamfer {

inline constexpr int max_stages = 16;
inline constexpr double undamped = 1e-3;  ///< less damping than this leaves a step whole
inline constexpr double flat = 1e-5;      ///< a smaller part of a cost is no rise

/// A stretch of the schedule: one resolution, one cap.
struct Stage {
  std::uint32_t data = 0;  ///< which points and which resolution of the field, among the batch's
  int max_iterations = 30;
  double cap = 1;        ///< distance at which a point stops counting, local
  double tolerance = 0;  ///< an accepted step that moves the points by less, in the root mean square, ends the stage
  double spread = 1;     ///< among lines: standard deviation of the points about them, local
  double strays = 1;     ///< among lines: density of points that belong to none, per source area
  double widened = 1;    ///< among lines: how many times as far as they do points are taken to scatter
};

struct Params {
  Stage stage[max_stages];
  int stages = 0;
  double first_damping = 1e-6;
  double most_damping = 1e8;  ///< beyond it no smaller step is tried
  int most_rejected = 4;      ///< candidates one after another, after which the stage ends where it is
  double most_growth = 1;  ///< |log of size against the start's| a transform may have: it must not shrink into a point
  bool traditional = false;  ///< cost first, derivatives in a second pass over an accepted candidate
};

/// What a pass is to find out.
enum class Wants : int { everything, cost, derivatives };

template <int L>
struct Sums {
  double cost;                   ///< Σ w ρ, in units of cap²
  double weight;                 ///< Σ w of the points there are
  double used;                   ///< Σ w of those within the cap
  double squared;                ///< Σ w d² of those
  double kernel;                 ///< Σ k
  Vector<double, L> gradient;    ///< Σ k Jᵀ r, in the step frame
  Symmetric<double, L> hessian;  ///< Σ k Jᵀ W J
};

/// What a pass reads.
struct Data {
  CloudView points;
  FieldView field;
};

template <class TypedModel>
struct Align : MethodDefaults {
  using Typed = TypedModel;
  using Data = chamfer::Data;
  static constexpr int D = Typed::dimension, dof = Typed::degrees_of_freedom;
  static constexpr bool projective = Typed::model == Model::projective2;
  using Sums = chamfer::Sums<dof>;
  using Params = chamfer::Params;
  using Homogeneous = typename Typed::Homogeneous;

  struct State {
    Status status = Status::running;
    Wants wants = Wants::everything;
    int stage = 0, iteration = 0, stage_iteration = 0;
    bool fresh = true;      ///< the candidate is where the stage begins
    bool accepted = false;  ///< the last one was
    int rejected = 0;       ///< candidates since then
    bool settled = false;   ///< the last stage ended because nothing moved any more

    Homogeneous candidate = Homogeneous::identity();  ///< what the next pass looks at
    Homogeneous current = Homogeneous::identity();    ///< the best so far
    StepFrame<D> frame;
    double start_size = 0;  ///< of the candidate the run began with
    double damping = 0;
    double step = 0;  ///< root mean square displacement from current to candidate

    double cost = 0;  ///< at `current`, a weighted mean, in units of cap²
    double kernel = 0;
    Vector<double, dof> gradient{};
    Symmetric<double, dof> hessian{};
    double rmse = 0, used_ratio = 0, cap = 0;  ///< of the last pass over `current`
  };

  DOVETAIL_HD static std::uint32_t data_index(const Params& params, const State& s) {
    return params.stage[s.stage].data;
  }
  DOVETAIL_HD static std::uint32_t items(const Data& data, const State&) { return data.points.count; }
  DOVETAIL_HD static bool finished(const State& s) { return s.status != Status::running; }

  /// Where a run begins.
  static State start(const Params& params, const Homogeneous& t, const StepFrame<D>& frame) {
    State s;
    s.candidate = s.current = t;
    s.frame = frame;
    s.start_size = log_size(t);
    s.damping = params.first_damping;
    return s;
  }

  DOVETAIL_HD static LookSettings settings(const Params& params, const State& s) {
    LookSettings l;
    l.set(params.stage[s.stage].cap, s.frame);
    l.cost_only = s.wants == Wants::cost;
    return l;
  }

  DOVETAIL_HD static void advance(const Params& params, State& s, const Sums* all, const std::uint32_t*) {
    const Sums& sums = *all;
    const Stage& stage = params.stage[s.stage];
    if (s.wants == Wants::derivatives) {  // the second pass of the traditional order, at an accepted candidate
      keep_derivatives(s, sums);
      s.wants = Wants::cost;
      return propose(params, s);
    }
    ++s.iteration, ++s.stage_iteration;
    if (!(sums.weight > 0)) {
      s.status = Status::degenerate;
      return;
    }
    const double cost = sums.cost / sums.weight;
    s.accepted = s.fresh || cost < s.cost;
    if (s.accepted) {
      s.current = s.candidate;
      s.cost = cost;
      s.cap = stage.cap;
      s.used_ratio = sums.used / sums.weight;
      s.rmse = sums.used > 0 ? std::sqrt(sums.squared / sums.used) : 0;
      if (!(sums.used > 0)) {
        s.status = Status::no_correspondences;
        return;
      }
      if (!s.fresh) s.damping = fmax(0.1 * s.damping, 1e-9);
      s.rejected = 0;
      s.settled = !s.fresh && s.step < stage.tolerance;
      s.fresh = false;
      if (s.wants == Wants::everything) keep_derivatives(s, sums);
      if (s.settled || s.stage_iteration >= stage.max_iterations) return end_stage(params, s);
      if (s.wants == Wants::cost) {
        s.wants = Wants::derivatives;
        return;
      }
    } else {
      // A whole step that is too short to matter says so even where the cost is too coarse to follow it.
      const bool arrived = s.rejected == 0 && s.damping < undamped && s.step < stage.tolerance &&
                           cost - s.cost <= flat * std::fabs(s.cost);
      s.damping = fmax(10 * s.damping, 1e-2);
      s.settled = arrived || ++s.rejected >= params.most_rejected || s.damping > params.most_damping;
      if (s.settled || s.stage_iteration >= stage.max_iterations) return end_stage(params, s);
    }
    if (params.traditional) s.wants = Wants::cost;
    propose(params, s);
  }

  /// Logarithm of how large the transform makes things; -inf where it turns them inside out.
  DOVETAIL_HD static double log_size(const Homogeneous& t) {
    Matrix<double, D, D> linear{};
    for (int i = 0; i < D; ++i) {
      for (int j = 0; j < D; ++j) linear(i, j) = t(i, j);
    }
    return std::log(determinant(linear)) / D;
  }

 private:
  DOVETAIL_HD static void keep_derivatives(State& s, const Sums& sums) {
    s.kernel = sums.kernel;
    s.gradient = sums.gradient;
    s.hessian = sums.hessian;
  }

  DOVETAIL_HD static void end_stage(const Params& params, State& s) {
    s.candidate = s.current;
    if (++s.stage == params.stages) {
      --s.stage;
      s.status = s.settled ? Status::converged : Status::max_iterations;
      return;
    }
    s.stage_iteration = 0;
    s.fresh = true;
    s.rejected = 0;
    s.damping = params.first_damping;
    s.wants = Wants::everything;
  }

  /// The damped Gauss-Newton step from `current` (4). One that makes the transform too large or too small is shortened.
  DOVETAIL_HD static void propose(const Params& params, State& s) {
    for (; s.damping <= params.most_damping; s.damping *= 10) {
      Symmetric<double, dof> damped = s.hessian;
      for (int i = 0; i < dof; ++i) damped(i, i) *= 1 + s.damping;
      const Vector<double, dof> step = (-1 / s.frame.radius) * solve_positive(damped, s.gradient);
      s.candidate = stepped<Typed>(s.frame, step, s.current);
      const double growth = std::fabs(log_size(s.candidate) - s.start_size);
      s.step = s.frame.radius * std::sqrt(fmax(0.0, dot(step, s.hessian * step)) / s.kernel);
      if (growth <= params.most_growth && s.step < 1e300) return;
    }
    s.settled = true;
    end_stage(params, s);
  }
};

}  // namespace dovetail::chamfer
