// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "register/chamfer_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dovetail/error.h"
#include "methods/line_rates.h"

namespace dovetail {

namespace {

/// An answer by likelihood has at least this share of the score of the one by distance.
constexpr double least_kept = 0.95;
/// With fewer points nothing can be said of how they lie along lines.
constexpr std::size_t least_finished = 50;

constexpr int sample_iterations = 20;
constexpr double finest_spread = 0.1;  // of a cell
constexpr double widest_spread = 2;    // of the search's last cap

constexpr double most_reach = 20;  // of the widest spread, about the points

/// A stretch of the schedule: points are first taken to scatter farther than they do, so that the ends of lines draw
/// from afar. What is unknown about the lines comes from the sample first; then all points are counted.
struct LineStage {
  double widened;
  Share share;
};
constexpr LineStage line_stages[] = {
    {3, Share::sample}, {1.7, Share::sample}, {1, Share::sample}, {1, Share::all}, {1, Share::all}};
constexpr double headroom = 1.1;  // of an index, for a spread that grows while points are counted

/// The lines within reach of the box of the sample's points, where a transform puts them.
LineMap lines_about(const LineMap& map, const SamplePoints<2>& sample, const Homogeneous<2>& t, double reach) {
  constexpr double far = 1e30;
  double low[2] = {far, far}, high[2] = {-far, -far};
  for (const auto& p : sample.positions) {
    const Vector<double, 2> y = image<2>(t, p);
    for (int a = 0; a < 2; ++a) {
      if (!(std::fabs(y[a]) < far)) continue;
      low[a] = std::min(low[a], y[a] - reach);
      high[a] = std::max(high[a], y[a] + reach);
    }
  }
  const float from[2] = {static_cast<float>(low[0]), static_cast<float>(low[1])};
  const float to[2] = {static_cast<float>(high[0]), static_cast<float>(high[1])};
  return lines_within(map, from, to);
}

/// The stages, one after another.
class LineFinish {
 public:
  LineFinish(const ChamferContext<2>& context, const Run& run, const ChamferFrames<2>& frames,
             const LineFinishInput& input, double spread, const ChamferCandidate<2>& from, Registration& result)
      : context_(context),
        run_(run),
        frames_(frames),
        input_(input),
        result_(result),
        most_spread_(std::max(widest_spread * context.plan.cap_search, finest_spread)),
        map_(lines_about(context.field.lines, input.sample, from.t, most_reach * most_spread_)),
        rates_(no_rates_yet(map_, std::clamp(spread, finest_spread, most_spread_), context.observed.radius)) {
    rates_.least_spread = finest_spread;
    rates_.most_spread = most_spread_;
    for (const double w : input.sample.weights) weights_.push_back(w * input.weight_unit);
    polished_.end = from;
  }

  ChamferAnswer<2> run() {
    const ChamferCandidate<2> from = polished_.end;
    const bool whole_sample = input_.sample.positions.size() >= input_.points;
    const auto give_up = [&] {
      ChamferAnswer<2> none;
      none.end = from;
      none.stopped = polished_.stopped;
      return none;
    };
    if (map_.empty() || !estimate(1)) return give_up();
    for (const LineStage& s : line_stages) {
      const bool counts = s.share == Share::all && !whole_sample;
      if (!(counts ? count() : estimate(s.widened))) return give_up();
      if (!counts) put_lines(s.widened * rates_.spread, input_.sample.positions.size());
      align(s);
      if (polished_.stopped != StopRequest::none || polished_.hessian.empty()) break;
      if (s.share == Share::all && whole_sample) break;
    }
    return polished_;
  }

 private:
  /// What is unknown, from the sample. False where it cannot be told, or there is no more time.
  bool estimate(double widened) {
    bool known = false;
    const LinePoints sample{input_.sample.positions, weights_};
    context_.backend.on_host([&] { known = estimate_rates(map_, sample, polished_.end.t, widened, rates_); });
    return known && goes_on();
  }

  /// The same from all points, and from what is known so far.
  bool count() {
    give_all_a_rate(map_, rates_);
    put_lines(rates_.spread, input_.points);
    Batch<LineCount> batch;
    batch.params = {map_.stretches, rates_.spread, rates_.strays(), input_.weight_unit};
    batch.data = {lines(Share::all)};
    batch.states.emplace_back().target_from_source = polished_.end.t;
    batch.keeps_bins = true;
    context_.backend.run(batch);
    if (!learn_rates(map_, {batch.bins, batch.sums.front()}, rates_) || !goes_on()) return false;
    put_lines(rates_.spread, input_.points);
    return true;
  }

  chamfer::LineData lines(Share share) const { return {context_.points[static_cast<int>(share)], placed_.view}; }

  bool goes_on() {
    polished_.stopped = context_.control.request();
    return polished_.stopped == StopRequest::none;
  }

  /// Gives the machine the lines with the rates they have now, for as many points and a spread.
  void put_lines(double spread, std::size_t points) {
    context_.backend.on_host([&] {
      if (points == indexed_points_ && spread <= indexed_spread_) return index_.set_rates(rates_.rate);
      indexed_points_ = points;
      indexed_spread_ = points == input_.points ? headroom * spread : spread;
      index_ = make_line_index(map_, rates_.rate, double{chamfer::line_reach} * indexed_spread_, points);
    });
    placed_ = put(context_.backend.memory(), index_);
  }

  void align(const LineStage& s) {
    const double wide = s.widened * rates_.spread;
    const int limit = context_.options.max_iterations;
    chamfer::Stage stage{0, s.share == Share::all ? limit : std::min(limit, sample_iterations),
                         double{chamfer::line_reach} * wide, context_.options.tolerance};
    stage.spread = wide;
    stage.strays = rates_.strays();
    stage.widened = s.widened;
    polished_ = polish_among_lines(context_, run_, frames_, lines(s.share), stage, polished_.end, result_);
  }

  const ChamferContext<2>& context_;
  const Run& run_;
  const ChamferFrames<2>& frames_;
  const LineFinishInput& input_;
  Registration& result_;
  double most_spread_;
  std::vector<double> weights_;
  LineMap map_;
  LineRates rates_;
  ChamferAnswer<2> polished_;
  LineIndex index_;
  Placed<LinesView> placed_;
  std::size_t indexed_points_ = 0;
  double indexed_spread_ = 0;
};

}  // namespace

bool ends_by_likelihood(const Chamfer& options, const FieldData& field) {
  if (options.finish == ChamferFinish::likelihood && field.lines.empty()) {
    throw InvalidArgument("option finish: likelihood needs a reference of lines in the plane and nothing else");
  }
  return options.finish != ChamferFinish::distance && !field.lines.empty();
}

ChamferAnswer<2> finish_among_lines(const ChamferContext<2>& context, const Run& run, const ChamferFrames<2>& frames,
                                    const LineFinishInput& input, const ChamferAnswer<2>& by_distance,
                                    Registration& result) {
  if (by_distance.hessian.empty()) return by_distance;
  if (input.sample.positions.size() < least_finished) {
    if (context.options.finish == ChamferFinish::likelihood) {
      result.warnings.push_back(fmt::format("a likelihood needs {} points; the answer is by distance", least_finished));
    }
    return by_distance;
  }
  const auto fit = [&](const ChamferCandidate<2>& c) {
    return fits_of<2>(context, Share::all, input.cap, input.cap, {c}).front();
  };
  const std::size_t rows = result.trace.size();
  const chamfer::Fit<2>::State before = fit(by_distance.end);
  ChamferAnswer<2> finished =
      LineFinish(context, run, frames, input, spread_of(before.median), by_distance.end, result).run();
  for (double& h : finished.hessian) h *= input.weight_unit;
  ChamferAnswer<2> kept = by_distance;
  if (finished.stopped != StopRequest::none) {
    kept.stopped = finished.stopped;
    result.warnings.push_back("stopped before the likelihood had its answer; this one is by distance");
  } else if (!finished.hessian.empty() && fit(finished.end).score >= least_kept * before.score) {
    return finished;
  } else {
    result.warnings.push_back(
        "the points do not lie along the lines as a likelihood expects; the answer is by distance");
  }
  result.trace.resize(rows);  // the answer is that of the last row
  return kept;
}

}  // namespace dovetail
