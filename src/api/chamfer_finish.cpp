// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "api/chamfer_finish.h"

#include <algorithm>
#include <cmath>

#include "dovetail/error.h"

namespace dovetail {

namespace {

constexpr int sample_iterations = 20;
constexpr double finest_spread = 0.1;  // of a cell
constexpr double widest_spread = 2;    // of the search's last cap

constexpr double most_reach = 20;  // of the widest spread, about the points

/// A stretch of the schedule: points are first taken to scatter farther than they do, so that the ends of lines draw
/// from afar.
struct LineStage {
  double widened;
  Share share;
};
constexpr LineStage line_stages[] = {{3, Share::sample}, {1.7, Share::sample}, {1, Share::sample}, {1, Share::all}};

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

}  // namespace

bool ends_by_likelihood(const Chamfer& options, const FieldData& field) {
  if (options.finish == ChamferFinish::likelihood && field.lines.empty()) {
    throw InvalidArgument("option finish: likelihood needs a reference of lines in the plane and nothing else");
  }
  return options.finish != ChamferFinish::distance && !field.lines.empty();
}

ChamferPolish<2> finish_among_lines(const ChamferContext<2>& context, const Run& run, const ChamferFrames<2>& frames,
                                    const SamplePoints<2>& sample, std::size_t points, double spread,
                                    const ChamferCandidate<2>& from, Registration& result) {
  const double most_spread = std::max(widest_spread * context.plan.cap_search, finest_spread);
  const LineMap map = lines_about(context.field.lines, sample, from.t, most_reach * most_spread);
  LineRates rates = no_rates_yet(map, std::clamp(spread, finest_spread, most_spread), context.observed);
  rates.least_spread = finest_spread;
  rates.most_spread = most_spread;
  ChamferPolish<2> polished;
  polished.end = from;
  const auto estimate = [&](double widened) {
    bool known = false;
    context.backend.on_host([&] { known = estimate_rates(map, sample, polished.end.t, widened, rates); });
    polished.stopped = context.control.request();
    return known && polished.stopped == StopRequest::none;
  };
  const auto give_up = [&] {
    ChamferPolish<2> none;
    none.end = from;
    none.stopped = polished.stopped;
    return none;
  };
  if (map.empty() || !estimate(1)) return give_up();
  for (const LineStage& s : line_stages) {
    if (!estimate(s.widened)) return give_up();
    const double wide = s.widened * rates.spread, reach = double{chamfer::line_reach} * wide;
    LineIndex index;
    context.backend.on_host([&] {
      index = make_line_index(map, rates.rate, reach, s.share == Share::all ? points : sample.positions.size());
    });
    context.backend.place(index);
    const int limit = context.options.max_iterations;
    chamfer::Stage stage =
        context.stage(s.share, reach, s.share == Share::all ? limit : std::min(limit, sample_iterations));
    stage.spread = wide;
    stage.strays = rates.strays();
    polished = polish_among_lines(context, run, frames, stage, polished.end, result);
    if (polished.stopped != StopRequest::none || polished.hessian.empty()) break;
  }
  return polished;
}

}  // namespace dovetail
