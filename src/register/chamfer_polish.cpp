// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "register/chamfer_polish.h"

#include "register/job.h"

namespace dovetail {

namespace {

template <class Method, int D>
ChamferAnswer<D> polish_by(const ChamferContext<D>& context, const Run& run, const ChamferFrames<D>& frames,
                           const typename Method::Data& data, const chamfer::Stage& stage,
                           const ChamferCandidate<D>& from, Registration& result) {
  using State = typename Method::State;
  ChamferAnswer<D> out;
  Batch<Method> batch;
  batch.params = context.params({stage});
  batch.params.stage[0].data = 0;
  batch.data = {data};
  batch.control = context.control;
  batch.max_iterations = 2 * stage.max_iterations + 1;
  batch.states = {Method::start(batch.params, from.t, context.frame)};
  const auto row_of = [&](const State& s) -> std::optional<Iteration> {
    if (s.wants == chamfer::Wants::derivatives) return {};
    Iteration row;
    row.iteration = from.iterations + s.iteration - 1;
    row.level = 1;
    row.rmse = s.rmse / frames.scale;
    row.used_ratio = s.used_ratio;
    row.max_distance = s.cap / frames.scale;
    row.target_from_source = frames.from_local(s.current, Method::Typed::model);
    return row;
  };
  run_watched(run, batch, row_of, result, [&] { context.backend.run(batch); });
  const State s = batch.states.front();
  out.end = {s.current, s.cost, s.status, from.iterations + s.iteration};
  out.stopped = batch.stopped;
  if (!s.fresh) out.hessian.assign(std::begin(s.hessian.data), std::end(s.hessian.data));
  if (!s.fresh && batch.params.traditional) {  // the derivatives of the last candidate were never asked for
    Batch<Method> once;
    once.params = batch.params;
    once.data = batch.data;
    once.states = {Method::start(batch.params, s.current, context.frame)};
    context.backend.run(once);
    const auto& hessian = once.states.front().hessian;
    out.hessian.assign(std::begin(hessian.data), std::end(hessian.data));
  }
  return out;
}

}  // namespace

template <int D>
ChamferAnswer<D> polish(const ChamferContext<D>& context, const Run& run, const ChamferFrames<D>& frames,
                        const chamfer::Stage& stage, const ChamferCandidate<D>& from, Registration& result) {
  ChamferAnswer<D> out;
  with_model<D>(context.options.model, [&]<class Typed>(std::type_identity<Typed>) {
    out = polish_by<chamfer::Align<Typed>>(context, run, frames, context.data[stage.data], stage, from, result);
  });
  return out;
}

ChamferAnswer<2> polish_among_lines(const ChamferContext<2>& context, const Run& run, const ChamferFrames<2>& frames,
                                    const chamfer::LineData& lines, const chamfer::Stage& stage,
                                    const ChamferCandidate<2>& from, Registration& result) {
  ChamferAnswer<2> out;
  with_model<2>(context.options.model, [&]<class Typed>(std::type_identity<Typed>) {
    out = polish_by<chamfer::AlignToLines<Typed>>(context, run, frames, lines, stage, from, result);
  });
  out.by_likelihood = true;
  return out;
}

#define DOVETAIL_INSTANTIATE(D)                                                                   \
  template ChamferAnswer<D> polish(const ChamferContext<D>&, const Run&, const ChamferFrames<D>&, \
                                   const chamfer::Stage&, const ChamferCandidate<D>&, Registration&);
DOVETAIL_INSTANTIATE(2)
DOVETAIL_INSTANTIATE(3)
#undef DOVETAIL_INSTANTIATE

}  // namespace dovetail
