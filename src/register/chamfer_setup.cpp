// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "register/chamfer_setup.h"

#include <fmt/format.h>

#include <cmath>

#include "dovetail/error.h"

namespace dovetail {

namespace {

constexpr std::size_t automatic_sample = 2000;

template <int D>
Homogeneous<D> checked_start(const Transform& t, Model model, const ChamferFrames<D>& frames) {
  if (dimension(t.model) != D || t.model > model) {
    throw InvalidArgument(fmt::format("start: a {} transform for a {} alignment; give one that the model contains",
                                      to_string(t.model), to_string(model)));
  }
  const Transform exact =
      D == 2 ? Transform::from_matrix(t.model, t.matrix2()) : Transform::from_matrix(t.model, t.matrix);
  return frames.to_local(exact);
}

template <int D>
Vector<double, D> centroid_of_sites(const FieldData& field) {
  Vector<double, D> sum{};
  for (const Site& s : field.levels.back().sites) {
    const float c[3] = {s.x, s.y, s.z};
    for (int a = 0; a < D; ++a) sum[a] += double{c[a]};
  }
  return (1.0 / static_cast<double>(field.levels.back().sites.size())) * sum;
}

template <int D>
std::vector<Homogeneous<D>> given_starts(const Chamfer& options, const Run& run, const ChamferSetup<D>& setup) {
  const Model model = model_of(options.model, D);
  std::vector<Homogeneous<D>> starts;
  if (run.start || run.starts.empty() || run.start_at_centroid) {
    const Transform given = run.start.value_or(Transform::identity(model_of(ChamferModel::rigid, D)));
    Homogeneous<D> first = checked_start<D>(given, model, setup.frames);
    if (run.start_at_centroid) {
      const Vector<double, D> shift = centroid_of_sites<D>(setup.field) - image<D>(first, setup.observed.centre);
      for (int i = 0; i < D; ++i) {
        for (int j = 0; j <= D; ++j) first(i, j) += shift[i] * first(D, j);
      }
    }
    starts.push_back(first);
  }
  for (const Transform& t : run.starts) starts.push_back(checked_start<D>(t, model, setup.frames));
  return starts;
}

}  // namespace

template <int D>
ChamferSetup<D>::ChamferSetup(const Chamfer& options, const Run& run, const FieldData& reference, const Observed& input,
                              Backend& backend)
    : field(reference),
      points(input, options.search_points > 0 ? static_cast<std::size_t>(options.search_points) : automatic_sample,
             run.seed, backend),
      levels(reference.in(backend.memory())),
      sample(points.template read_sample<D>()),
      observed(ball_around<D>(sample.positions)) {
  frames.scale = field.frame.scale;
  float origin[3] = {0, 0, 0};
  for (int a = 0; a < D; ++a) {
    origin[a] = static_cast<float>(observed.centre[a]);
    frames.source_origin[a] = points.middle()[a] + double{origin[a]};
    frames.target_origin[a] = field.frame.origin[a];
    observed.centre[a] = (observed.centre[a] - double{origin[a]}) * frames.scale;
  }
  observed.radius *= frames.scale;
  for (auto& p : sample.positions) {
    for (int a = 0; a < D; ++a) p[a] = (p[a] - double{origin[a]}) * frames.scale;
  }
  points.localise(origin, static_cast<float>(frames.scale));
  given = given_starts<D>(options, run, *this);
  moved = {image<D>(given.front(), observed.centre),
           observed.radius * std::exp(chamfer::Align<Affine<D>>::log_size(given.front()))};
}

template <int D>
ChamferContext<D> ChamferSetup<D>::context(const Chamfer& options, const ChamferPlan& plan, Backend& backend,
                                           const Control& control) const {
  ChamferContext<D> context{
      options, plan, field, observed, {moved.centre, moved.radius}, backend, control, {points.sample(), points.all()},
      {}};
  for (const Placed<FieldView>& level : *levels) {
    for (const CloudView& share : context.points) context.data.push_back({share, level.view});
  }
  return context;
}

template struct ChamferSetup<2>;
template struct ChamferSetup<3>;

}  // namespace dovetail
