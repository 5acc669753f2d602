// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "api/chamfer_check.h"
#include "api/chamfer_finish.h"
#include "api/chamfer_input.h"
#include "api/chamfer_judge.h"
#include "api/chamfer_margin.h"
#include "api/chamfer_search.h"
#include "api/diagnose.h"
#include "api/field_plan.h"
#include "api/machines.h"
#include "api/registration_job.h"
#include "dovetail/error.h"
#include "dovetail/options.h"

namespace dovetail {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t automatic_sample = 2000;
/// Answers of the search with at least this share of the winner's score are polished beside it.
constexpr double contender = 0.9;
constexpr std::size_t most_contenders = 4;
/// An answer by likelihood has at least this share of the score of the one by distance.
constexpr double least_kept = 0.95;
/// With fewer points nothing can be said of how they lie along lines.
constexpr std::size_t least_finished = 50;
/// Answers farther apart than this many caps are different ones.
constexpr double different_caps = 2;

/// An alignment from the first start to the judged answer.
template <int D>
class ChamferRegistration {
 public:
  ChamferRegistration(const Chamfer& options, const Run& run, const FieldData& field, ChamferInput& input,
                      Backend& backend, Clock::time_point began)
      : options_(options),
        run_(run),
        field_(field),
        input_(input),
        backend_(backend),
        began_(began),
        control_(control_of(run, began)),
        by_likelihood_(ends_by_likelihood(options, field)) {}

  Registration run() {
    Registration result;
    describe(result);
    place();
    given_ = given_starts();
    result.target_from_source = frames_.from_local(given_.front(), model());
    warn_of_units(frames_, sample_, observed_, field_, result);
    result.message = why_hopeless(options_, sample_, observed_, field_);
    if (!result.message.empty()) {
      result.termination = Termination::degenerate;
      conclude(run_, result);
      result.time_ms.prepare = result.time_ms.total = milliseconds();
      return result;
    }
    moved_ = {image<D>(given_.front(), observed_.centre),
              observed_.radius * std::exp(chamfer::Align<Affine<D>>::log_size(given_.front()))};
    plan_ = make_chamfer_plan<D>(options_, field_, moved_);
    result.time_ms.prepare = milliseconds();
    answer(result);
    result.time_ms.total = milliseconds();
    result.time_ms.loop = result.time_ms.total - result.time_ms.prepare;
    return result;
  }

 private:
  using Candidate = ChamferCandidate<D>;
  using FitState = typename chamfer::Fit<D>::State;

  Model model() const { return model_of(options_.model, D); }
  double milliseconds() const { return std::chrono::duration<double, std::milli>(Clock::now() - began_).count(); }
  double from_local(double length) const { return length / frames_.scale; }
  ChamferContext<D> context() const {
    return {options_, plan_, field_, observed_, {moved_.centre, moved_.radius}, backend_, control_};
  }

  void describe(Registration& result) const {
    result.method = "chamfer";
    result.options = options_;
    result.run = run_;
    result.target_frame = field_.geo;
    describe_machine(backend_, result);
    result.points.source = input_.points;
    result.points.target = field_.points;
    result.points.dropped_non_finite = input_.dropped_non_finite + field_.dropped_non_finite;
    result.points.dropped_at_origin = input_.dropped_at_origin + field_.dropped_at_origin;
  }

  /// Takes a sample, chooses the local frame, and makes points and field resident.
  void place() {
    const auto wanted =
        options_.search_points > 0 ? static_cast<std::size_t>(options_.search_points) : automatic_sample;
    pick_sample(input_, wanted, run_.seed);
    sample_ = sample_points<D>(input_, backend_);
    observed_ = ball_around<D>(sample_.positions);
    ObservedView& view = input_.view;
    frames_.scale = field_.frame.scale;
    view.scale = static_cast<float>(frames_.scale);
    for (int a = 0; a < D; ++a) {
      view.origin[a] = static_cast<float>(observed_.centre[a]);
      frames_.source_origin[a] = input_.origin[a] + double{view.origin[a]};
      frames_.target_origin[a] = field_.frame.origin[a];
      observed_.centre[a] = (observed_.centre[a] - double{view.origin[a]}) * frames_.scale;
    }
    observed_.radius *= frames_.scale;
    for (auto& p : sample_.positions) {
      for (int a = 0; a < D; ++a) p[a] = (p[a] - double{view.origin[a]}) * frames_.scale;
    }
    backend_.place(view, field_);
  }

  Homogeneous<D> checked_start(const Transform& t) const {
    if (dimension(t.model) != D || t.model > model()) {
      throw InvalidArgument(fmt::format("start: a {} transform for a {} alignment; give one that the model contains",
                                        to_string(t.model), to_string(model())));
    }
    const Transform exact =
        D == 2 ? Transform::from_matrix(t.model, t.matrix2()) : Transform::from_matrix(t.model, t.matrix);
    return frames_.to_local(exact);
  }

  std::vector<Homogeneous<D>> given_starts() const {
    std::vector<Homogeneous<D>> starts;
    if (run_.start || run_.starts.empty() || run_.start_at_centroid) {
      Homogeneous<D> first = checked_start(run_.start.value_or(Transform::identity(model_of(ChamferModel::rigid, D))));
      if (run_.start_at_centroid) {
        const Vector<double, D> shift = centroid_of_sites() - image<D>(first, observed_.centre);
        for (int i = 0; i < D; ++i) {
          for (int j = 0; j <= D; ++j) first(i, j) += shift[i] * first(D, j);
        }
      }
      starts.push_back(first);
    }
    for (const Transform& t : run_.starts) starts.push_back(checked_start(t));
    return starts;
  }

  Vector<double, D> centroid_of_sites() const {
    Vector<double, D> sum{};
    for (const Site& s : field_.levels.back().sites) {
      const float c[3] = {s.x, s.y, s.z};
      for (int a = 0; a < D; ++a) sum[a] += double{c[a]};
    }
    return (1.0 / static_cast<double>(field_.levels.back().sites.size())) * sum;
  }

  /// The search's winner over all points, beside those that could still win; ranks and judges them.
  void answer(Registration& result) {
    const ChamferContext<D> ctx = context();
    const ChamferSearch<D> search = search_chamfer<D>(ctx, given_);
    std::vector<Candidate> answers = search.ranked;
    double cap = search.cap;
    StopRequest stopped = search.stopped;
    // What a stopped search leaves is no answer, and not judged like one.
    const bool unfinished = stopped != StopRequest::none;
    if (unfinished) answers.resize(1);
    for (Candidate& c : answers) c.iterations = 0;  // what is told and shown begins with the polish
    ChamferPolish<D> leader;
    leader.end = answers.front();
    if (stopped == StopRequest::none) {
      const std::vector<FitState> fits = fits_of<D>(ctx, Share::sample, cap, cap, answers);
      const FitState all = fits_of<D>(ctx, Share::all, cap, cap, {answers.front()}).front();
      cap = polish_cap(plan_, all.median);
      std::size_t contenders = 1;
      while (contenders < std::min(answers.size(), most_contenders) &&
             fits[contenders].score >= contender * fits.front().score) {
        ++contenders;
      }
      const chamfer::Stage stage = ctx.stage(Share::all, cap, options_.max_iterations);
      leader = polish<D>(ctx, run_, frames_, stage, answers.front(), result);
      answers.front() = leader.end;
      stopped = leader.stopped;
      if (contenders > 1 && stopped == StopRequest::none) {
        std::vector<Candidate> others(answers.begin() + 1, answers.begin() + static_cast<std::ptrdiff_t>(contenders));
        stopped = refine(ctx, options_.model, ctx.params({stage}), others);
        std::copy(others.begin(), others.end(), answers.begin() + 1);
        const auto best = std::min_element(answers.begin(), answers.begin() + static_cast<std::ptrdiff_t>(contenders),
                                           [](const Candidate& a, const Candidate& b) { return a.cost < b.cost; });
        if (best != answers.begin()) {
          std::iter_swap(answers.begin(), best);
          result.trace.clear();
          leader = polish<D>(ctx, run_, frames_, stage, answers.front(), result);  // for its rows; it has arrived
        }
      }
      if (by_likelihood_ && stopped == StopRequest::none) finish(ctx, cap, leader, result);
      answers.front() = leader.end;
      stopped = leader.stopped != StopRequest::none ? leader.stopped : stopped;
    }
    result.iterations = leader.end.iterations;
    if (!leader.hessian.empty()) result.finished_by = leader.by_likelihood ? "likelihood" : "distance";
    result.termination = termination_of(leader.end.status, stopped);
    tell(ctx, cap, answers, leader, result);
    if (result.termination != Termination::no_correspondences && result.termination != Termination::degenerate) {
      judge<D>(ctx, frames_, cap, leader, {sample_.positions, input_.worth()}, result);
      if (!unfinished) warn_of_doubt(options_, from_local(1), fitting_, result);
    }
    conclude(run_, result);
  }

  /// The polished answer among lines, unless it comes to fit them worse or there is no time for it.
  void finish(const ChamferContext<D>& ctx, double cap, ChamferPolish<D>& leader, Registration& result) {
    if constexpr (D == 2) {
      if (leader.hessian.empty()) return;
      if (sample_.positions.size() < least_finished) {
        if (options_.finish == ChamferFinish::likelihood) {
          result.warnings.push_back(
              fmt::format("a likelihood needs {} points; the answer is by distance", least_finished));
        }
        return;
      }
      // Weights as if each were a number of points: as many in all as they are worth.
      const double unit = input_.weight_unit();
      for (double& w : sample_.weights) w *= unit;
      const std::size_t rows = result.trace.size();
      const FitState before = fits_of<D>(ctx, Share::all, cap, cap, {leader.end}).front();
      ChamferPolish<D> finished = finish_among_lines(
          ctx, run_, frames_, {sample_, input_.view.count, unit, spread_of(before.median)}, leader.end, result);
      for (double& h : finished.hessian) h *= unit;
      if (finished.stopped != StopRequest::none) {
        leader.stopped = finished.stopped;
        result.warnings.push_back("stopped before the likelihood had its answer; this one is by distance");
      } else if (!finished.hessian.empty() &&
                 fits_of<D>(ctx, Share::all, cap, cap, {finished.end}).front().score >= least_kept * before.score) {
        leader = finished;
        return;
      } else {
        result.warnings.push_back(
            "the points do not lie along the lines as a likelihood expects; the answer is by distance");
      }
      result.trace.resize(rows);  // the answer is that of the last row
    }
  }

  /// What the answers are worth, over all points.
  void tell(const ChamferContext<D>& ctx, double cap, const std::vector<Candidate>& answers,
            const ChamferPolish<D>& leader, Registration& result) {
    const double inlier_distance = run_.inlier_distance > 0 ? run_.inlier_distance * frames_.scale : cap;
    const std::vector<FitState> fits = fits_of<D>(ctx, Share::all, cap, inlier_distance, answers);
    const auto fill = [&](std::size_t i, Registration& r) {
      r.target_from_source = frames_.from_local(answers[i].t, model());
      r.rmse = from_local(fits[i].rmse);
      r.inlier_distance = from_local(inlier_distance);
      r.inlier_ratio = fits[i].inlier_ratio;
      r.overlap = fits[i].overlap;
      r.score = fits[i].score;
    };
    fill(0, result);
    fitting_ = run_.inlier_distance > 0 ? fits_of<D>(ctx, Share::all, cap, cap, {answers.front()}).front().inlier_ratio
                                        : result.inlier_ratio;
    if (input_.weights.empty()) {
      const auto there = static_cast<std::size_t>(fits[0].points);
      result.points.dropped_non_finite += result.points.source - there;
      result.points.source = there;
    }
    if (!(result.overlap > 0) && !(result.inlier_ratio > 0)) {
      result.termination = Termination::no_correspondences;
      result.message = "no observed point comes near the reference: check the start, the units and the search range";
    }
    std::vector<std::size_t> order;
    for (std::size_t i = 1; i < answers.size(); ++i) order.push_back(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return fits[a].score > fits[b].score; });
    std::vector<std::size_t> kept{0};
    for (const std::size_t i : order) {
      const bool is_new = std::none_of(kept.begin(), kept.end(), [&](std::size_t k) {
        return displacement<D>(answers[i].t, answers[k].t, observed_) < different_caps * cap;
      });
      if (!is_new) continue;
      kept.push_back(i);
      Registration& other = result.alternatives.emplace_back();
      other.method = result.method;
      other.machine = result.machine;
      other.target_frame = result.target_frame;
      fill(i, other);
      conclude_alternative(run_, other);
    }
    if ((plan_.starts == 1 && given_.size() == 1) || leader.hessian.empty()) return;
    const double other = result.alternatives.empty() ? 0 : result.alternatives.front().score;
    const double distance = different_caps * cap;
    const double second = std::max({other, slid_score<D>(ctx, cap, leader, sample_.positions, distance),
                                    chance_score<D>(ctx, cap, given_.front())});
    result.margin = result.score > 0 ? std::clamp((result.score - second) / result.score, 0.0, 1.0) : 0.0;
  }

  const Chamfer& options_;
  const Run& run_;
  const FieldData& field_;
  ChamferInput& input_;
  Backend& backend_;
  Clock::time_point began_;
  Control control_;
  bool by_likelihood_;
  ChamferFrames<D> frames_;
  ChamferPlan plan_;
  std::vector<Homogeneous<D>> given_;
  Ball<D> observed_, moved_;  ///< local; as they are, and where the first start puts them
  SamplePoints<D> sample_;    ///< local
  double fitting_ = 0;        ///< share of the points within the last cap of the answer
};

Registration align(ChamferInput& input, const FieldData& field, const Chamfer& options, const Run& run,
                   Backend& backend, Clock::time_point began) {
  if (field.dimension() != input.view.dimension) {
    throw InvalidArgument(fmt::format("the observed points have {} dimensions and the reference {}",
                                      input.view.dimension, field.dimension()));
  }
  if (input.view.dimension == 2) return ChamferRegistration<2>(options, run, field, input, backend, began).run();
  return ChamferRegistration<3>(options, run, field, input, backend, began).run();
}

void check(const Chamfer& options, const Run& run, int dimension) {
  validate(options);
  validate(options.field);
  validate(run);
  if (dimension == 3 && options.model == ChamferModel::projective) {
    throw InvalidArgument("option model: projective is for the plane; in 3D there are rigid, similarity and affine");
  }
}

}  // namespace

Registration register_points(const PointCloud& observed, const DistanceField& reference, const Chamfer& options,
                             const Run& run) {
  const auto began = Clock::now();
  check(options, run, observed.dimension);
  const BackendOfRun backend(run);
  ChamferInput input;
  backend->on_host([&] { input = observed_cloud(observed, run); });
  return align(input, reference.data(), options, run, *backend, began);
}

Registration register_points(const PointsView& observed, const DistanceField& reference, const Chamfer& options,
                             const Run& run) {
  const auto began = Clock::now();
  check(options, run, observed.dimension);
  const BackendOfRun backend(run);
  ChamferInput input = observed_view(observed, run);
  return align(input, reference.data(), options, run, *backend, began);
}

Registration register_points(const PointCloud& observed, const Reference& reference, const Chamfer& options,
                             const Run& run) {
  const auto began = Clock::now();
  check(options, run, observed.dimension);
  if (observed.dimension != reference.points.dimension) {
    throw InvalidArgument(fmt::format("the observed points have {} dimensions and the reference {}", observed.dimension,
                                      reference.points.dimension));
  }
  const BackendOfRun backend(run);
  ChamferInput input;
  PlannedField plan;
  backend->on_host([&] {
    input = observed_cloud(observed, run);
    plan = plan_field(reference, options.field, run.origin_points);
  });
  backend->build_field(plan.field, plan.keys, false);
  return align(input, plan.field, options, run, *backend, began);
}

template <>
Registration register_points(const PointCloud& source, const PointCloud& target, const Chamfer& options,
                             const Run& run) {
  return register_points(source, Reference{target, {}, {}}, options, run);
}

}  // namespace dovetail
