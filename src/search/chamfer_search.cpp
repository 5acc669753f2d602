// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "search/chamfer_search.h"

#include <algorithm>
#include <cmath>

#include "search/different.h"
#include "search/starts.h"

namespace dovetail {

namespace {

constexpr int search_stages = 5;
constexpr int search_iterations = 4;   // of a stage
constexpr double kept_share = 0.25;    // of the candidates, from stage to stage
constexpr std::size_t least_kept = 8;  // but not fewer
constexpr double same_place = 0.25;    // candidates nearer than this part of the cap are one
constexpr int sample_iterations = 12;  // of the survivors, at either last cap
constexpr double spreads_to_cap = 4;   // standard deviations
constexpr double widening = 1.5;       // the polish's cap may be this many times the search's

/// The model of a stage of the search: simple ones first.
ChamferModel model_at(const Chamfer& options, int stage) {
  if (!options.hierarchy) return options.model;
  const ChamferModel most = stage == 0 ? ChamferModel::similarity : (stage == 1 ? ChamferModel::affine : options.model);
  return std::min(options.model, most);
}

}  // namespace

template <int D>
std::uint32_t ChamferContext<D>::data_index(Share share, double cap) const {
  std::uint32_t finest = 0;
  for (std::uint32_t i = 0; i < field.levels.size(); ++i) {
    const FieldLevel& l = field.levels[i];
    if (l.band == 0 || cap <= l.band * double{l.grid.cell}) finest = i;
  }
  return 2 * finest + static_cast<std::uint32_t>(share);
}

template <int D>
chamfer::Stage ChamferContext<D>::stage(Share share, double cap, int max_iterations) const {
  return {data_index(share, cap), max_iterations, cap, options.tolerance};
}

template <int D>
chamfer::Params ChamferContext<D>::params(std::initializer_list<chamfer::Stage> stages) const {
  chamfer::Params p;
  for (const chamfer::Stage& s : stages) p.stage[p.stages++] = s;
  p.most_growth = plan.log_scale + std::log(1.5);
  p.traditional = options.order == LmOrder::traditional;
  return p;
}

template <int D>
StopRequest refine(const ChamferContext<D>& context, ChamferModel model, const chamfer::Params& params,
                   std::vector<ChamferCandidate<D>>& candidates) {
  StopRequest stopped = StopRequest::none;
  with_model<D>(model, [&]<class Typed>(std::type_identity<Typed>) {
    using Align = chamfer::Align<Typed>;
    Batch<Align> batch;
    batch.params = params;
    batch.control = context.control;
    // What the stages look at, and nothing else: it sizes the memory.
    batch.max_iterations = 0;
    for (int i = 0; i < params.stages; ++i) {
      batch.max_iterations += (params.traditional ? 2 : 1) * params.stage[i].max_iterations + 1;
      batch.data.push_back(context.data[params.stage[i].data]);
      batch.params.stage[i].data = static_cast<std::uint32_t>(i);
    }
    for (const auto& c : candidates) batch.states.push_back(Align::start(params, c.t, context.frame));
    context.backend.run(batch);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const auto& s = batch.states[i];
      const bool lost = s.status == Status::no_correspondences || s.status == Status::degenerate || s.fresh;
      candidates[i] = {s.current, lost ? std::numeric_limits<double>::infinity() : s.cost, s.status,
                       candidates[i].iterations + s.iteration};
    }
    stopped = batch.stopped;
  });
  return stopped;
}

template <int D>
std::vector<typename chamfer::Fit<D>::State> fits_of(const ChamferContext<D>& context, Share share, double cap,
                                                     double inlier_distance,
                                                     const std::vector<ChamferCandidate<D>>& candidates) {
  Batch<chamfer::Fit<D>> batch;
  batch.params = {inlier_distance, 3.0, cap};
  batch.data = {context.data[context.data_index(share, std::max(cap, inlier_distance))]};
  for (const auto& c : candidates) batch.states.emplace_back().target_from_source = c.t;
  context.backend.run(batch);
  return batch.states;
}

double polish_cap(const ChamferPlan& plan, double median) {
  if (plan.cap_end > 0) return plan.cap_end;
  return std::max(std::min(spreads_to_cap * spread_of(median), widening * plan.cap_search), plan.least_cap);
}

template <int D>
ChamferSearch<D> search_chamfer(const ChamferContext<D>& context, const std::vector<Homogeneous<D>>& given) {
  const ChamferPlan& plan = context.plan;
  ChamferSearch<D> search;
  std::vector<ChamferCandidate<D>>& candidates = search.ranked;
  for (const auto& start : given) {
    const bool with_scale = context.options.model != ChamferModel::rigid;
    for (const auto& t : starts_within<D>(plan, start, context.observed, with_scale)) {
      candidates.emplace_back().t = t;
    }
  }
  const auto run = [&](ChamferModel model, double cap, int iterations, std::size_t most) {
    search.cap = cap;
    search.stopped =
        refine(context, model, context.params({context.stage(Share::sample, cap, iterations)}), candidates);
    const auto better = [](const auto& a, const auto& b) { return a.cost < b.cost; };
    const auto same = [&](const auto& a, const auto& b) {
      return displacement<D>(b.t, a.t, context.observed) < same_place * cap;
    };
    candidates = best_different(std::move(candidates), most, better, same);
    return search.stopped == StopRequest::none;
  };
  const double shrink = std::pow(plan.cap_search / plan.cap_start, 1.0 / (search_stages - 1));
  double cap = plan.cap_start;
  for (int s = 0; s < search_stages; ++s, cap *= shrink) {
    const auto share = static_cast<std::size_t>(kept_share * static_cast<double>(candidates.size()));
    if (!run(model_at(context.options, s), cap, search_iterations, std::max(least_kept, share))) return search;
  }
  if (!run(context.options.model, plan.cap_search, sample_iterations, least_kept)) return search;
  const auto best = fits_of<D>(context, Share::sample, plan.cap_search, plan.cap_search, {candidates.front()});
  run(context.options.model, polish_cap(plan, best.front().median), sample_iterations, least_kept);
  return search;
}

#define DOVETAIL_INSTANTIATE(D)                                                                         \
  template struct ChamferContext<D>;                                                                    \
  template StopRequest refine(const ChamferContext<D>&, ChamferModel, const chamfer::Params&,           \
                              std::vector<ChamferCandidate<D>>&);                                       \
  template std::vector<chamfer::Fit<D>::State> fits_of(const ChamferContext<D>&, Share, double, double, \
                                                       const std::vector<ChamferCandidate<D>>&);        \
  template ChamferSearch<D> search_chamfer(const ChamferContext<D>&, const std::vector<Homogeneous<D>>&);
DOVETAIL_INSTANTIATE(2)
DOVETAIL_INSTANTIATE(3)
#undef DOVETAIL_INSTANTIATE

}  // namespace dovetail
