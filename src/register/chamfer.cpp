// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "dovetail/error.h"
#include "dovetail/options.h"
#include "judge/chamfer_doubt.h"
#include "judge/chamfer_errors.h"
#include "judge/conclude.h"
#include "judge/confidence.h"
#include "judge/margin.h"
#include "prepare/field_plan.h"
#include "register/chamfer_lines.h"
#include "register/chamfer_setup.h"
#include "register/job.h"
#include "search/different.h"

namespace dovetail {

namespace {

using Clock = std::chrono::steady_clock;

/// Answers of the search with at least this share of the winner's score are polished beside it.
constexpr double contender = 0.9;
constexpr std::size_t most_contenders = 4;
/// Answers farther apart than this many caps are different ones.
constexpr double different_caps = 2;

/// An alignment: what it works with, and its steps.
template <int D>
struct ChamferRun {
  using Candidate = ChamferCandidate<D>;
  using FitState = typename chamfer::Fit<D>::State;

  const Chamfer& options;
  const Run& run;
  const Observed& input;
  ChamferSetup<D>& setup;
  const ChamferPlan& plan;
  const ChamferContext<D>& context;

  Model model() const { return model_of(options.model, D); }
  double from_local(double length) const { return length / setup.frames.scale; }
  FitState fit(Share share, double cap, const Candidate& c) const {
    return fits_of<D>(context, share, cap, cap, {c}).front();
  }

  /// The search's winner over all points, beside those that could still win. Sets the cap that it ended with.
  ChamferAnswer<D> refine_answers(std::vector<Candidate>& answers, double& cap, Registration& result) const {
    const std::vector<FitState> fits = fits_of<D>(context, Share::sample, cap, cap, answers);
    cap = polish_cap(plan, fit(Share::all, cap, answers.front()).median);
    std::size_t contenders = 1;
    while (contenders < std::min(answers.size(), most_contenders) &&
           fits[contenders].score >= contender * fits.front().score) {
      ++contenders;
    }
    const chamfer::Stage stage = context.stage(Share::all, cap, options.max_iterations);
    ChamferAnswer<D> leader = polish<D>(context, run, setup.frames, stage, answers.front(), result);
    answers.front() = leader.end;
    if (contenders > 1 && leader.stopped == StopRequest::none) {
      const auto end = answers.begin() + static_cast<std::ptrdiff_t>(contenders);
      std::vector<Candidate> others(answers.begin() + 1, end);
      const StopRequest stopped = refine(context, options.model, context.params({stage}), others);
      std::copy(others.begin(), others.end(), answers.begin() + 1);
      const auto best = std::min_element(answers.begin(), end,
                                         [](const Candidate& a, const Candidate& b) { return a.cost < b.cost; });
      if (best != answers.begin()) {
        std::iter_swap(answers.begin(), best);
        result.trace.clear();
        leader = polish<D>(context, run, setup.frames, stage, answers.front(), result);  // for its rows; it has arrived
      }
      if (leader.stopped == StopRequest::none) leader.stopped = stopped;
    }
    if constexpr (D == 2) {
      if (leader.stopped == StopRequest::none && ends_by_likelihood(options, setup.field)) {
        leader = finish_among_lines(context, run, setup.frames, {setup.sample, input.points, input.weight_unit(), cap},
                                    leader, result);
      }
    }
    answers.front() = leader.end;
    return leader;
  }

  /// What the answers are worth, over all points: quality of each, and the margin.
  void tell(double cap, const std::vector<Candidate>& answers, const ChamferAnswer<D>& leader,
            Registration& result) const {
    const double inlier_distance = run.inlier_distance > 0 ? run.inlier_distance * setup.frames.scale : cap;
    const std::vector<FitState> fits = fits_of<D>(context, Share::all, cap, inlier_distance, answers);
    const auto quality = [&](const FitState& f) {
      return Quality{.rmse = from_local(f.rmse),
                     .inlier_distance = from_local(inlier_distance),
                     .inlier_ratio = f.inlier_ratio,
                     .overlap = f.overlap,
                     .score = f.score};
    };
    result.target_from_source = setup.frames.from_local(answers.front().t, model());
    std::vector<std::size_t> others, kept{0};
    for (std::size_t i = 1; i < answers.size(); ++i) others.push_back(i);
    const auto better = [&](std::size_t a, std::size_t b) { return fits[a].score > fits[b].score; };
    const auto same = [&](std::size_t a, std::size_t b) {
      return displacement<D>(answers[b].t, answers[a].t, setup.observed) < different_caps * cap;
    };
    kept = best_different(others, answers.size(), better, same, kept);
    const double chance = chance_score<D>(context, cap, setup.given.front());
    const double slid = slid_score<D>(context, cap, leader, setup.sample.positions, different_caps * cap);
    const double vague = result.expected_error ? *result.expected_error / from_local(cap) : 3;
    constexpr Calibration calibration = D == 2 ? Calibration::map : Calibration::field;
    std::vector<Quality> told;
    for (const std::size_t i : kept) {
      Quality& q = told.emplace_back(quality(fits[i]));
      q.evidence = {{"score", q.score},
                    {"median", std::min(3.0, fits[i].median / cap)},
                    {"over_chance", margin_of(q.score, chance)},
                    {"over_slid", i == 0 ? margin_of(q.score, slid) : 0.0},
                    {"vagueness", std::min(3.0, vague)}};
      tell_log_odds(calibration, q);
    }
    tell_confidence(calibration, told, plan.starts > 1 || setup.given.size() > 1);
    static_cast<Quality&>(result) = told.front();
    if (input.weights.empty()) {
      const auto there = static_cast<std::size_t>(fits.front().points);
      result.points.dropped_non_finite += result.points.source - there;
      result.points.source = there;
    }
    if (!(result.overlap > 0) && !(result.inlier_ratio > 0)) {
      result.termination = Termination::no_correspondences;
      result.message = "no observed point comes near the reference: check the start, the units and the search range";
    }
    for (std::size_t i = 1; i < kept.size(); ++i) {
      add_alternative(setup.frames.from_local(answers[kept[i]].t, model()), told[i], result);
    }
    if ((plan.starts == 1 && setup.given.size() == 1) || leader.hessian.empty()) return;
    const double other = result.alternatives.empty() ? 0 : result.alternatives.front().score;
    result.margin = margin_of(result.score, std::max({other, slid, chance}));
  }

  /// From the search to the judged answer. `began` and times are in milliseconds.
  void answer(const std::function<double()>& milliseconds, Registration& result) const {
    const ChamferSearch<D> search = search_chamfer<D>(context, setup.given);
    std::vector<Candidate> answers = search.ranked;
    double cap = search.cap;
    // What a stopped search leaves is no answer, and not judged like one.
    const bool unfinished = search.stopped != StopRequest::none;
    if (unfinished) answers.resize(1);
    for (Candidate& c : answers) c.iterations = 0;  // what is told and shown begins with the polish
    ChamferAnswer<D> leader;
    leader.end = answers.front();
    leader.stopped = search.stopped;
    if (!unfinished) leader = refine_answers(answers, cap, result);
    result.time_ms.loop = milliseconds() - result.time_ms.prepare;
    result.iterations = leader.end.iterations;
    if (!leader.hessian.empty()) result.finished_by = leader.by_likelihood ? "likelihood" : "distance";
    result.termination = termination_of(leader.end.status, leader.stopped);
    const JudgedPoints<D> points{setup.sample.positions, input.worth()};
    if (result.termination != Termination::degenerate) {
      tell_chamfer_errors<D>(context, setup.frames, cap, leader, points, result);
    }
    tell(cap, answers, leader, result);
    const bool failed =
        result.termination == Termination::no_correspondences || result.termination == Termination::degenerate;
    if (!unfinished && !failed) {
      const double fitting =
          run.inlier_distance > 0 ? fit(Share::all, cap, answers.front()).inlier_ratio : result.inlier_ratio;
      warn_of_doubt(options, from_local(1), fitting, result);
    }
    conclude(run, result);
  }
};

template <int D>
Registration align(const Observed& input, const FieldData& field, const Chamfer& options, const Run& run,
                   Backend& backend, Clock::time_point began) {
  const auto milliseconds = [&] { return std::chrono::duration<double, std::milli>(Clock::now() - began).count(); };
  ends_by_likelihood(options, field);  // refuses what cannot be
  Registration result = begun("chamfer", options, run, backend);
  result.target_frame = field.geo;
  result.points.source = input.points;
  result.points.target = field.points;
  result.points.dropped_non_finite = input.dropped_non_finite + field.dropped_non_finite;
  result.points.dropped_at_origin = input.dropped_at_origin + field.dropped_at_origin;
  ChamferSetup<D> setup(options, run, field, input, backend);
  result.target_from_source = setup.frames.from_local(setup.given.front(), model_of(options.model, D));
  warn_of_units(setup.frames, setup.sample, setup.observed, field, result);
  result.message = why_hopeless(options, setup.sample, setup.observed, field);
  if (!result.message.empty()) {
    result.termination = Termination::degenerate;
    conclude(run, result);
    result.time_ms.prepare = result.time_ms.total = milliseconds();
    return result;
  }
  const ChamferPlan plan = make_chamfer_plan<D>(options, field, setup.moved);
  const Control control = control_of(run, began);
  const ChamferContext<D> context = setup.context(options, plan, backend, control);
  result.time_ms.prepare = milliseconds();
  ChamferRun<D>{options, run, input, setup, plan, context}.answer(milliseconds, result);
  result.time_ms.total = milliseconds();
  return result;
}

Registration align(const Observed& input, const FieldData& field, const Chamfer& options, const Run& run,
                   Backend& backend, Clock::time_point began) {
  if (field.dimension() != input.view.dimension) {
    throw InvalidArgument(fmt::format("the observed points have {} dimensions and the reference {}",
                                      input.view.dimension, field.dimension()));
  }
  return input.view.dimension == 2 ? align<2>(input, field, options, run, backend, began)
                                   : align<3>(input, field, options, run, backend, began);
}

void check(const PointsView& observed, const Chamfer& options, const Run& run) {
  validate(options);
  validate(options.field);
  validate(run);
  refuse_known_start(run, "chamfer alignment", "icp does");
  check_view(observed, "observed");
  if (observed.dimension == 3 && options.model == ChamferModel::projective) {
    throw InvalidArgument("option model: projective is for the plane; in 3D there are rigid, similarity and affine");
  }
}

}  // namespace

Registration register_points(const PointsView& observed, const DistanceField& reference, const Chamfer& options,
                             const Run& run) {
  const auto began = Clock::now();
  check(observed, options, run);
  const BackendOfRun backend(run);
  Observed input;
  backend->on_host([&] { input = observe(observed, run); });
  return align(input, reference.data(), options, run, *backend, began);
}

Registration register_points(const PointsView& observed, const Reference& reference, const Chamfer& options,
                             const Run& run) {
  const auto began = Clock::now();
  check(observed, options, run);
  if (observed.dimension != reference.points.dimension) {
    throw InvalidArgument(fmt::format("the observed points have {} dimensions and the reference {}", observed.dimension,
                                      reference.points.dimension));
  }
  const BackendOfRun backend(run);
  Observed input;
  PlannedField plan;
  backend->on_host([&] {
    input = observe(observed, run);
    plan = plan_field(reference, options.field, run.origin_points);
  });
  build_field(plan, false, *backend);
  return align(input, plan.field, options, run, *backend, began);
}

template <>
Registration register_points(const PointsView& source, const PointsView& target, const Chamfer& options,
                             const Run& run) {
  const BackendOfRun backend(run);
  const HostPoints points(target, "target", *backend);
  return register_points(source, Reference{cloud_of(points.view()), {}, {}}, options, run);
}

}  // namespace dovetail
