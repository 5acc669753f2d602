// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "registration_state.h"

#include <pybind11/stl.h>

#include "option_table.h"
#include "state.h"

namespace dovetail::python {
namespace {

using Numbers = std::vector<double>;

template <int R, int C>
Numbers numbers_of(const Matrix<double, R, C>& m) {
  return {std::begin(m.data), std::end(m.data)};
}

template <class M>
M matrix_from(const py::handle& state) {
  const auto numbers = state.cast<Numbers>();
  M m{};
  std::copy_n(numbers.begin(), std::min<std::size_t>(numbers.size(), M::size), m.data);
  return m;
}

py::object frame_state(const std::optional<GeoFrame>& frame) {
  return frame ? py::object(py::make_tuple(frame->longitude, frame->latitude)) : py::none();
}

std::optional<GeoFrame> frame_from(const py::handle& state) {
  if (state.is_none()) return std::nullopt;
  const auto place = state.cast<std::pair<double, double>>();
  return GeoFrame{place.first, place.second};
}

py::dict quality_state(const Quality& q) {
  py::dict state;
  state["rmse"] = q.rmse;
  state["inlier_distance"] = q.inlier_distance;
  state["inlier_ratio"] = q.inlier_ratio;
  state["overlap"] = q.overlap;
  state["score"] = q.score;
  state["confidence"] = q.confidence;
  py::list evidence;
  for (const Evidence& e : q.evidence) evidence.append(py::make_tuple(e.name, e.value));
  state["evidence"] = evidence;
  state["log_odds"] = q.log_odds;
  return state;
}

void set_quality(Quality& q, const py::dict& state) {
  q.rmse = state["rmse"].cast<double>();
  q.inlier_distance = state["inlier_distance"].cast<double>();
  q.inlier_ratio = state["inlier_ratio"].cast<double>();
  q.overlap = state["overlap"].cast<double>();
  q.score = state["score"].cast<double>();
  q.confidence = state["confidence"].cast<std::optional<double>>();
  for (const py::handle e : state["evidence"]) {
    const auto pair = e.cast<std::pair<std::string, double>>();
    q.evidence.push_back({pair.first, pair.second});
  }
  q.log_odds = state["log_odds"].cast<double>();
}

template <std::size_t I = 0>
MethodOptions method_options_at(std::size_t index) {
  if constexpr (I + 1 < std::variant_size_v<MethodOptions>) {
    if (index != I) return method_options_at<I + 1>(index);
  }
  return MethodOptions(std::in_place_index<I>);
}

}  // namespace

py::tuple transform_state(const Transform& t) {
  return py::make_tuple(static_cast<int>(t.model), numbers_of(t.matrix));
}

Transform transform_from(const py::tuple& state) {
  return {static_cast<Model>(state[0].cast<int>()), matrix_from<Mat4>(state[1])};
}

py::tuple iteration_state(const Iteration& i) {
  return py::make_tuple(i.iteration, i.level, i.rmse, i.used_ratio, i.max_distance, i.sigma, i.objective,
                        transform_state(i.target_from_source));
}

Iteration iteration_from(const py::tuple& s) {
  return {s[0].cast<int>(),    s[1].cast<int>(),    s[2].cast<double>(), s[3].cast<double>(),
          s[4].cast<double>(), s[5].cast<double>(), s[6].cast<double>(), transform_from(s[7])};
}

std::map<std::string, std::size_t> counts_of(const Registration& r) {
  return {{"source", r.points.source},
          {"target", r.points.target},
          {"dropped_non_finite", r.points.dropped_non_finite},
          {"dropped_at_origin", r.points.dropped_at_origin}};
}

std::map<std::string, double> times_of(const Registration& r) {
  return {
      {"read", r.time_ms.read}, {"prepare", r.time_ms.prepare}, {"loop", r.time_ms.loop}, {"total", r.time_ms.total}};
}

py::tuple registration_state(const Registration& r) {
  py::dict s = quality_state(r);
  s["names"] =
      py::make_tuple(r.method, r.machine, r.build, r.version, r.message, r.finished_by, r.source_file, r.target_file);
  s["transform"] = transform_state(r.target_from_source);
  s["frames"] = py::make_tuple(frame_state(r.target_frame), frame_state(r.source_frame));
  s["ended"] = py::make_tuple(r.usable(), static_cast<int>(r.termination), r.iterations);
  s["warnings"] = r.warnings;
  s["covariance"] = py::make_tuple(r.covariance, numbers_of(r.covariance_center), r.expected_error, r.margin);
  py::list weak, others, rows;
  for (const WeakDirection& d : r.weak_directions)
    weak.append(py::make_tuple(numbers_of(d.rotation), numbers_of(d.translation)));
  for (const Registration& other : r.alternatives) others.append(registration_state(other));
  for (const Iteration& row : r.trace) rows.append(iteration_state(row));
  s["weak_directions"] = weak;
  s["alternatives"] = others;
  s["trace"] = rows;
  s["points"] = counts_of(r);
  s["time_ms"] = times_of(r);
  s["method_options"] = py::make_tuple(
      r.options.index(), std::visit([](const auto& options) { return option_texts(options); }, r.options),
      std::holds_alternative<Chamfer>(r.options) ? option_texts(std::get<Chamfer>(r.options).field) : py::dict());
  s["run"] = option_texts(r.run);
  s["start"] = r.run.start ? py::object(transform_state(*r.run.start)) : py::none();
  return py::make_tuple(s);
}

Registration registration_from(const py::tuple& state) {
  const py::dict s = state[0];
  Registration r;
  set_quality(r, s);
  const auto names = s["names"].cast<std::vector<std::string>>();
  r.method = names.at(0), r.machine = names.at(1), r.build = names.at(2), r.version = names.at(3);
  r.message = names.at(4), r.finished_by = names.at(5);
  r.source_file = names.at(6), r.target_file = names.at(7);
  r.target_from_source = transform_from(s["transform"]);
  const py::tuple frames = s["frames"], ended = s["ended"], covariance = s["covariance"];
  r.target_frame = frame_from(frames[0]);
  r.source_frame = frame_from(frames[1]);
  r.set_usable(ended[0].cast<bool>());
  r.termination = static_cast<Termination>(ended[1].cast<int>());
  r.iterations = ended[2].cast<int>();
  r.warnings = s["warnings"].cast<std::vector<std::string>>();
  r.covariance = covariance[0].cast<Numbers>();
  r.covariance_center = matrix_from<Vec3>(covariance[1]);
  r.expected_error = covariance[2].cast<std::optional<double>>();
  r.margin = covariance[3].cast<std::optional<double>>();
  for (const py::handle d : s["weak_directions"]) {
    const auto pair = d.cast<py::tuple>();
    r.weak_directions.push_back({matrix_from<Vec3>(pair[0]), matrix_from<Vec3>(pair[1])});
  }
  for (const py::handle other : s["alternatives"]) r.alternatives.push_back(registration_from(other.cast<py::tuple>()));
  for (const py::handle row : s["trace"]) r.trace.push_back(iteration_from(row.cast<py::tuple>()));
  auto counts = s["points"].cast<std::map<std::string, std::size_t>>();
  r.points = {counts["source"], counts["target"], counts["dropped_non_finite"], counts["dropped_at_origin"]};
  auto times = s["time_ms"].cast<std::map<std::string, double>>();
  r.time_ms = {times["read"], times["prepare"], times["loop"], times["total"]};
  const py::tuple options = s["method_options"];
  r.options = method_options_at(options[0].cast<std::size_t>());
  std::visit([&](auto& of_method) { set_texts(of_method, options[1]); }, r.options);
  if (Chamfer* chamfer = std::get_if<Chamfer>(&r.options)) set_texts(chamfer->field, options[2]);
  set_texts(r.run, s["run"]);
  if (!s["start"].is_none()) r.run.start = transform_from(s["start"]);
  return r;
}

}  // namespace dovetail::python
