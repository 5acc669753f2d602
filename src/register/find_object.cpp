// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "register/find_object.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dovetail/error.h"
#include "dovetail/reference.h"
#include "judge/found_odds.h"
#include "judge/surface_fit.h"
#include "search/different.h"
#include "search/gpicp_search.h"
#include "search/icp_levels.h"
#include "search/planes.h"
#include "spatial/kd_search.h"
#include "spatial/parallel.h"

namespace dovetail {

namespace {

/// Points of an object: on its mesh, and those of them that a scene is asked for.
constexpr double mesh_points = 6000, sighted_points = 2500;
/// Of its diameter: a plane that is wider is background, and how far off such a plane points still belong to it.
constexpr double background_side = 1.5, background_distance = 0.01;
/// Of its diameter: how far off a surface a point still agrees with it, at least; how deep it hides itself.
constexpr double least_tolerance = 0.015, rough_tolerance = 0.03, self_depth = 0.06;
/// How far the neighbours are that a scene point's normal comes from, in spacings.
constexpr double normal_spacings = 2.5;
/// Answers that come out of GPICP, and those of them that are refined among all points.
constexpr std::size_t leaders = 60, finalists = 8;
/// Scene points: what fewer of them support says little however well it fits; its log-odds are no more than that.
constexpr std::size_t fewest_points = 24;
constexpr double too_few = -3;
/// Fits to the surface itself, the points being looked for anew each time.
constexpr int fits = 2;
/// Starts by directions that are held against the scene, and those of them that are refined.
constexpr std::size_t most_turned = 600, turned_leaders = 60;

/// Whether the faces of a mesh are all seen from outside: they enclose a volume, and their areas cancel.
double enclosed(const PointCloud& mesh) {
  Vec3 areas{};
  double area = 0, volume = 0;
  const Vec3 middle = mesh.positions.front();
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    const std::uint32_t first = mesh.faces.start[f], last = mesh.faces.start[f + 1];
    const auto corner = [&](std::uint32_t k) { return mesh.positions[mesh.faces.index[k]] - middle; };
    for (std::uint32_t k = first + 1; k + 1 < last; ++k) {
      const Vec3 a = corner(first), b = corner(k), c = corner(k + 1), n = 0.5 * cross(b - a, c - a);
      areas += n;
      area += norm(n);
      volume += dot(a, cross(b, c)) / 6;
    }
  }
  const bool closed = area > 0 && norm(areas) < 1e-3 * area;
  return closed && std::fabs(volume) > 1e-4 * std::pow(area, 1.5) ? volume : 0;
}

/// Points on the surface, with normals, and whether these point outwards.
PointCloud surface_of(const ObjectToFind& object, bool& normals_point_out) {
  const PointCloud& shape = *object.shape;
  normals_point_out = false;
  if (shape.faces.empty()) return shape;
  const Reference reference{shape, {}, {}};
  const double area = measure_reference(reference).area;
  if (!(area > 0)) throw InvalidArgument(fmt::format("object {}: its faces have no area", object.name));
  PointCloud points = sample_reference(reference, std::sqrt(area / mesh_points));
  const double volume = enclosed(shape);
  normals_point_out = volume != 0;
  for (Vec3f& n : points.normals) n = (volume < 0 ? -1.0f : 1.0f) * n;
  // Vertices have the normal of no face: where all points have one, these are few enough to do without.
  PointCloud kept;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!(squared_norm(points.normals[i]) > 0)) continue;
    kept.positions.push_back(points.positions[i]);
    kept.normals.push_back(points.normals[i]);
  }
  return kept.size() > 100 ? kept : points;
}

/// The faces of a mesh in local coordinates; of a cloud a disc about each point, so wide that they meet.
SurfaceTree exact_surface(const PointCloud& shape, const PreparedCloud& local, double scale,
                          const std::vector<SurfacePoint>& points) {
  std::vector<SurfacePiece> pieces;
  if (shape.faces.empty()) {
    for (const SurfacePoint& p : points) pieces.push_back({p.place, p.normal, {local.scale.spacing, 0, 0}});
    return {SurfaceTree::Kind::discs, std::move(pieces)};
  }
  const auto corner = [&](std::uint32_t k) { return scale * (shape.positions[shape.faces.index[k]] - local.origin); };
  for (std::size_t f = 0; f < shape.faces.size(); ++f) {
    const std::uint32_t first = shape.faces.start[f];
    for (std::uint32_t k = first + 1; k + 1 < shape.faces.start[f + 1]; ++k) {
      pieces.push_back({corner(first), corner(k), corner(k + 1)});
    }
  }
  return {SurfaceTree::Kind::triangles, std::move(pieces)};
}

/// A motion maps a surface onto itself where nearly all of its points come within so much of it, of the diameter.
constexpr double same_tolerance = 0.03, same_exceptions = 0.02;
constexpr std::size_t same_asked = 400;
/// How fast a rival ceases to count as it gets less likely: twice as fast as odds tell, for evidence is not
/// independent.
constexpr double rival_weight = 2, equally_likely = 0.5;

}  // namespace

double FindHypothesis::fits() const { return 1 / (1 + std::exp(-log_odds)); }

double FindHypothesis::confidence() const {
  double all = 1;
  for (const double odds : rivals) {
    const double ahead = odds - log_odds;
    all += std::fabs(ahead) < equally_likely ? 1 : std::exp(rival_weight * ahead);
  }
  return fits() / all;
}

std::optional<double> FindHypothesis::margin() const {
  if (rivals.empty()) return std::nullopt;
  return std::max(0.0, 1 - std::exp(*std::max_element(rivals.begin(), rivals.end()) - log_odds));
}

PointCloud sample_object(const ObjectToFind& object) {
  bool normals_point_out = false;
  return surface_of(object, normals_point_out);
}

FindObject::FindObject(const ObjectToFind& object, std::size_t index, const Find& options, const Run& run, double scale,
                       FindScene& scene, Backend& backend)
    : name_(object.name), index_(index) {
  const PointCloud points = surface_of(object, normals_point_out_);
  backend.on_host(
      [&] { prepared_.source = std::make_shared<PreparedCloud>(prepare_cloud(points, scale, OriginPoints::keep)); });
  if (prepared_.source->usable < 3) {
    throw InvalidArgument(fmt::format("object {}: fewer than 3 of its points can be used", object.name));
  }
  prepared_.target = scene.cloud();
  prepared_.scale = scale;
  diameter_ = prepared_.source->scale.extent;
  icp_ = make_icp_plan({.normal_neighbours = options.normal_neighbours}, prepared_);
  gpicp_ = make_gpicp_plan({.starts = options.starts, .normal_neighbours = options.normal_neighbours}, prepared_, run);
  const bool one_side = normals_point_out_ && scene.has_viewpoint();
  gpicp_.placements.both_sides = !one_side;
  for (const double voxel : icp_.voxels) {
    Level& level = levels_.emplace_back();
    backend.on_host([&] { level.source = make_source_level(prepared_.source, voxel, 3, icp_.needs, backend); });
    level.target = scene.level(voxel, backend);
  }
  const SourceLevel& full_source = *levels_.back().source;
  const CloudView& view = full_source.points;
  std::vector<float> normal[3];
  const float* const from[3] = {view.normal.x, view.normal.y, view.normal.z};
  for (int a = 0; a < 3; ++a) normal[a] = backend.memory().get(from[a], view.count);
  const auto every = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(view.count / sighted_points));
  std::vector<SurfacePoint> all;
  for (std::uint32_t i = 0; i < view.count; ++i) {
    const LocalCloud& c = *full_source.cloud;
    all.push_back({{double{c.x[i]}, double{c.y[i]}, double{c.z[i]}},
                   {double{normal[0][i]}, double{normal[1][i]}, double{normal[2][i]}}});
    if (i % every == 0) surface_.push_back(all.back());
  }
  whole_ = std::make_shared<SurfaceIndex>(all);
  exact_ = std::make_shared<SurfaceTree>(exact_surface(*object.shape, *prepared_.source, scale, all));
  const double spacing = scene.cloud()->scale.spacing;
  for (SurfacePoint& p : surface_) p.at_edge = whole_->bends_near(p, normal_spacings * spacing);
  settings_.tolerance = std::max(spacing, least_tolerance * diameter_);
  settings_.near = std::max(2 * spacing, least_tolerance * diameter_);
  settings_.self_depth = self_depth * diameter_;
  settings_.normals_point_out = normals_point_out_;
  rough_settings_ = settings_;
  rough_settings_.tolerance = std::max(settings_.tolerance, rough_tolerance * diameter_);
  rough_settings_.near = std::max(settings_.near, rough_settings_.tolerance);
  for (std::size_t i = 0; i < surface_.size(); i += 4) rough_surface_.push_back(surface_[i]);
}

bool FindObject::looks_the_same(const Similarity3& object_from_object) const {
  const std::size_t every = std::max<std::size_t>(1, surface_.size() / same_asked);
  const auto reach = static_cast<float>(same_tolerance * same_tolerance * diameter_ * diameter_);
  std::size_t asked = 0, off = 0;
  for (std::size_t i = 0; i < surface_.size(); i += every) {
    const Vec3 at = object_from_object * surface_[i].place;
    ++asked;
    off += nearest(whole_->tree.view(), static_cast<float>(at[0]), static_cast<float>(at[1]), static_cast<float>(at[2]),
                   reach)
                   .found()
               ? 0
               : 1;
  }
  return static_cast<double>(off) <= same_exceptions * static_cast<double>(asked);
}

std::vector<Similarity3> FindObject::refined(const std::vector<Similarity3>& poses, int first, int end,
                                             Backend& backend, const Control& control) const {
  IcpJourney journey;
  journey.data = surfaces_of(levels_);
  for (const Similarity3& pose : poses) {
    IcpStart start = fine_start(pose, prepared_, icp_);
    start.first_level = std::min(first, icp_.last_level());
    journey.states.push_back(start_state(icp_, prepared_, start, pose * prepared_.source->centroid));
  }
  run_levels(journey, icp_, end, backend, control);
  std::vector<Similarity3> result;
  for (const icp::State& s : journey.states) result.push_back(s.target_from_source);
  return result;
}

FindHypothesis FindObject::sighted(const Similarity3& pose, const SeenScene& scene) const {
  FindHypothesis h;
  h.object = index_;
  h.pose = pose;
  h.sighting = sight(surface_, pose, scene, settings_);
  tell_continued(*whole_, pose, scene, settings_, h.sighting);
  h.evidence = found_evidence(h.sighting, settings_.tolerance, scene.map != nullptr);
  h.score = sighting_score(h.evidence);
  return h;
}

FindHypothesis FindObject::judged(const Similarity3& pose, const SeenScene& scene) const {
  FindHypothesis h = sighted(pose, scene);
  const SurfaceMisfit misfit = misfit_of(*exact_, h.sighting, scene, pose, settings_);
  h.evidence = found_evidence(h.sighting, misfit, scene.noise, settings_.tolerance, scene.map != nullptr);
  h.log_odds = found_log_odds(h.evidence);
  if (h.sighting.slots.size() < fewest_points) h.log_odds = std::min(h.log_odds, too_few);
  return h;
}

std::vector<Similarity3> FindObject::turned_starts(const GpicpContext& context) const {
  GpicpSearch turned = search_directions(context, most_turned, 0);
  std::vector<Similarity3> poses;
  for (const GpicpCandidate& c : turned.ranked) poses.push_back(c.pose);
  const std::vector<double> odds = context.rate(poses);
  for (std::size_t i = 0; i < odds.size(); ++i) turned.ranked[i].score = odds[i];
  std::stable_sort(turned.ranked.begin(), turned.ranked.end(),
                   [](const GpicpCandidate& a, const GpicpCandidate& b) { return a.score > b.score; });
  poses.clear();
  for (std::size_t i = 0; i < std::min(turned_leaders, turned.ranked.size()); ++i) {
    poses.push_back(turned.ranked[i].pose);
  }
  return poses;
}

Similarity3 FindObject::fitted(const Similarity3& pose, const SeenScene& scene) const {
  Similarity3 result = pose;
  for (int i = 0; i < fits; ++i) {
    Sighting sighting = sight(surface_, result, scene, settings_);
    tell_continued(*whole_, result, scene, settings_, sighting);
    result = fitted_to_surface(*exact_, sighting, scene, result, settings_);
  }
  return result;
}

std::vector<char> FindObject::not_looked_at(FindScene& scene, const Find& options, const Run& run,
                                            Backend& backend) const {
  const TargetLevel& level = *levels_[drawn_level(levels_.size())].target;
  std::vector<char> left_out = scene.explained(level);
  if (!options.planes_are_background) return left_out;
  const double distance = std::max(background_distance * diameter_, 0.5 * prepared_.target->scale.spacing);
  const LargePlanes large = find_large_planes(level, background_side * diameter_, distance, run.seed, backend);
  for (std::size_t i = 0; i < large.on.size(); ++i) left_out[i] = static_cast<char>(left_out[i] | large.on[i]);
  scene.set_backdrops(large);
  return left_out;
}

std::vector<FindHypothesis> FindObject::look(FindScene& scene, const Find& options, const Run& run, Backend& backend,
                                             const Control& control) const {
  const Level& level = levels_[drawn_level(levels_.size())];
  const std::vector<char> left_out = not_looked_at(scene, options, run, backend);
  std::shared_ptr<GpicpTarget> target;
  const auto beneath = [&](const Vec3& place) { return is_beneath(place, scene.seen(), 2 * settings_.tolerance); };
  LocalCloud source;
  backend.on_host([&] {
    target = make_gpicp_target(*level.target, gpicp_, left_out, scene.seen().map, beneath, backend);
    source = oriented_source(*level.source, nullptr, backend);
  });
  // Asked roughly, for there are hundreds of them.
  const auto rate = [&](std::span<const Similarity3> poses) {
    std::vector<double> odds(poses.size());
    parallel_for(poses.size(), 1, [&](std::size_t i) {
      odds[i] = sighting_score(found_evidence(sight(rough_surface_, poses[i], scene.seen(), rough_settings_),
                                              rough_settings_.tolerance, scene.has_viewpoint()));
    });
    return odds;
  };
  const GpicpContext context{prepared_, gpicp_, level, *target, source, true, rate, backend, control};
  const GpicpSearch placed = search_placements(context, gpicp_.starts);
  const GpicpSearch found =
      placed.ranked.empty() ? placed : refine_starts(context, placed.ranked, Metric::point_to_plane, {}, leaders);
  std::vector<Similarity3> poses;
  for (const GpicpCandidate& c : found.ranked) poses.push_back(c.pose);
  for (const Similarity3& pose : turned_starts(context)) poses.push_back(pose);
  for (const Transform& given : run.starts) poses.push_back(prepared_.to_local(given));
  if (run.start) poses.push_back(prepared_.to_local(*run.start));
  if (poses.empty() || control.request() != StopRequest::none) return {};
  const auto same = [&](const FindHypothesis& a, const FindHypothesis& b) {
    return difference(a.pose, b.pose, prepared_) < same_answer;
  };
  const int last = icp_.last_level();
  if (last > 0) poses = refined(poses, 1, last, backend, control);
  std::vector<FindHypothesis> all(poses.size());
  backend.on_host(
      [&] { parallel_for(poses.size(), 1, [&](std::size_t i) { all[i] = sighted(poses[i], scene.seen()); }); });
  const auto scores_more = [](const FindHypothesis& a, const FindHypothesis& b) { return a.score > b.score; };
  std::vector<Similarity3> finals;
  for (const FindHypothesis& h : best_different(std::move(all), finalists, scores_more, same)) finals.push_back(h.pose);
  finals = refined(finals, last, last + 1, backend, control);
  all.assign(finals.size(), {});
  backend.on_host([&] {
    parallel_for(finals.size(), 1,
                 [&](std::size_t i) { all[i] = judged(fitted(finals[i], scene.seen()), scene.seen()); });
  });
  const auto likelier = [](const FindHypothesis& a, const FindHypothesis& b) { return a.log_odds > b.log_odds; };
  return best_different(std::move(all), finalists, likelier, same);
}

}  // namespace dovetail
