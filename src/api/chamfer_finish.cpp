// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "api/chamfer_finish.h"

#include <algorithm>

#include "dovetail/error.h"

namespace dovetail {

namespace {

constexpr int sample_iterations = 20;
constexpr double finest_spread = 0.1;  // of a cell
constexpr double widest_spread = 2;    // of the search's last cap

/// A stretch of the schedule: points are first taken to scatter farther than they do, so that the ends of lines draw
/// from afar.
struct LineStage {
  double widened;
  Share share;
};
constexpr LineStage line_stages[] = {{3, Share::sample}, {1.7, Share::sample}, {1, Share::sample}, {1, Share::all}};

}  // namespace

bool ends_by_likelihood(const Chamfer& options, const FieldData& field) {
  if (options.finish == ChamferFinish::likelihood && field.lines.empty()) {
    throw InvalidArgument(
        "option finish: likelihood needs a reference of lines in the plane and nothing else; this one has none");
  }
  return options.finish != ChamferFinish::distance && !field.lines.empty();
}

ChamferPolish<2> finish_among_lines(const ChamferContext<2>& context, const Run& run, const ChamferFrames<2>& frames,
                                    const SamplePoints<2>& sample, std::size_t points, double spread,
                                    const ChamferCandidate<2>& from, Registration& result) {
  const LineMap& map = context.field.lines;
  const double most_spread = std::max(widest_spread * context.plan.cap_search, finest_spread);
  LineRates rates = no_rates_yet(map, std::clamp(spread, finest_spread, most_spread), context.observed);
  rates.least_spread = finest_spread;
  rates.most_spread = most_spread;
  ChamferPolish<2> polished;
  polished.end = from;
  context.backend.on_host([&] { estimate_rates(map, sample, from.t, 1, rates); });
  for (const LineStage& s : line_stages) {
    context.backend.on_host([&] { estimate_rates(map, sample, polished.end.t, s.widened, rates); });
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
