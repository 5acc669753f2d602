// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>

#include "dovetail/error.h"
#include "dovetail/find.h"
#include "dovetail/machines.h"
#include "dovetail/options.h"
#include "judge/pair_errors.h"
#include "judge/quality.h"
#include "register/find_object.h"
#include "register/job.h"
#include "search/icp_levels.h"
#include "spatial/local_cloud.h"
#include "spatial/selection.h"

namespace dovetail {

namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point began) {
  return std::chrono::duration<double, std::milli>(Clock::now() - began).count();
}

/// An answer keeps at least this share of what explains it when others have taken theirs.
constexpr double kept_share = 0.6;
/// A rival explains at least this share of what explains an answer.
constexpr double rival_share = 0.3;
/// Searches of what nothing explains yet, after the first.
constexpr int most_rounds = 20;
/// A scene that shows a part from one side, or some of it, may be smaller than the part; hardly by more than this.
constexpr double larger_than_scene = 1.2;
/// Doubtful ones that are told, of each object.
constexpr std::size_t told_doubtful = 3;

void check_input(std::span<const ObjectToFind> objects, const PointCloud& scene) {
  if (objects.empty()) throw InvalidArgument("objects: none is given; at least one is needed");
  check_view(scene, "scene");
  if (scene.dimension != 3) throw InvalidArgument("scene: it is planar; objects are found in space");
  for (const ObjectToFind& object : objects) {
    const std::string name = fmt::format("object {}", object.name);
    if (object.shape == nullptr) throw InvalidArgument(name + ": there is no cloud");
    check_view(*object.shape, name.c_str());
    if (object.shape->dimension != 3) throw InvalidArgument(name + ": it is planar; objects are found in space");
  }
}

void check_region(const std::optional<Box>& region) {
  for (int a = 0; region && a < 3; ++a) {
    if (!(region->low[a] < region->high[a])) {
      throw InvalidArgument(fmt::format("region: from {:.6g} to {:.6g} along {}; the second must be larger",
                                        region->low[a], region->high[a], "xyz"[a]));
    }
  }
}

double diagonal_of(const PointCloud& cloud, OriginPoints at_origin) {
  const Selection usable = select_usable(cloud, at_origin);
  return usable.kept.empty() ? 0 : main_bounds(cloud, usable.kept).diagonal();
}

/// A search for objects in a scene: what it works with, and its steps.
struct FindRun {
  const Find& options;
  const Run& run;
  Backend& backend;
  FindScene scene;
  std::vector<FindObject> objects;
  Control control;
  std::vector<FindHypothesis> accepted, doubtful;

  bool wanted(std::size_t object) const {
    const auto of_it = [&](const FindHypothesis& h) { return h.object == object; };
    return options.instances == 0 || std::count_if(accepted.begin(), accepted.end(), of_it) < options.instances;
  }

  /// Where each object may be, all of them together, the most likely first.
  std::vector<FindHypothesis> look(int round, const std::function<void(const FindProgress&)>& on_progress) {
    std::vector<FindHypothesis> all;
    for (const FindObject& object : objects) {
      if (!wanted(object.index()) || control.request() != StopRequest::none) continue;
      if (on_progress) on_progress({object.name(), object.index(), objects.size(), round, accepted.size()});
      for (FindHypothesis& h : object.look(scene, options, run, backend, control)) all.push_back(std::move(h));
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const FindHypothesis& a, const FindHypothesis& b) { return a.log_odds > b.log_odds; });
    return all;
  }

  /// Other poses of the same object, as likely before anything was taken, that explain much of the same.
  void tell_rivals(const FindHypothesis& of, const std::vector<FindHypothesis>& all, FindHypothesis& now) const {
    const FindObject& object = objects[of.object];
    for (const FindHypothesis& other : all) {
      if (&other == &of || other.object != of.object) continue;
      std::vector<std::uint32_t> both;
      std::set_intersection(of.sighting.slots.begin(), of.sighting.slots.end(), other.sighting.slots.begin(),
                            other.sighting.slots.end(), std::back_inserter(both));
      if (static_cast<double>(both.size()) < rival_share * static_cast<double>(of.sighting.slots.size())) continue;
      if (object.looks_the_same(of.pose.inverse() * other.pose)) continue;
      now.rivals.push_back(other.log_odds - of.log_odds + now.log_odds);
    }
  }

  /// Takes those that are likely enough and still explain what others do not: a scene point is explained once. True
  /// where one was taken.
  bool accept(const std::vector<FindHypothesis>& hypotheses) {
    bool some = false;
    doubtful.clear();
    for (const FindHypothesis& before : hypotheses) {
      const FindObject& object = objects[before.object];
      if (!wanted(before.object)) continue;
      FindHypothesis now = object.judged(before.pose, scene.seen());
      const bool left = now.sighting.explained >= kept_share * before.sighting.explained;
      if (!left) continue;
      tell_rivals(before, hypotheses, now);
      if (now.fits() < run.min_confidence) {
        doubtful.push_back(std::move(now));
        continue;
      }
      // One that has rivals is there all the same, one way or another: what it explains is taken.
      for (const std::uint32_t slot : now.sighting.slots) {
        scene.seen().owner[slot] = static_cast<int>(accepted.size());
      }
      accepted.push_back(std::move(now));
      some = true;
    }
    return some;
  }

  FoundObject told(const FindHypothesis& h) const {
    const FindObject& object = objects[h.object];
    const Prepared& prepared = object.prepared();
    FoundObject found;
    const std::vector<Similarity3> pose{h.pose};
    static_cast<Quality&>(found) =
        evaluate_poses(prepared, run, backend, object.full(), pose, object.icp().params.free, {h.pose, {}}).front();
    found.object = object.name();
    found.index = h.object;
    found.scene_from_object = prepared.from_local(h.pose, Model::rigid3);
    found.visible_ratio = h.sighting.asked > 0 ? h.sighting.explained / h.sighting.asked : 0;
    found.support = static_cast<double>(h.sighting.slots.size());
    found.evidence = h.evidence;
    found.log_odds = h.log_odds;
    found.confidence = h.confidence();
    found.margin = h.margin();
    const Vec3 center = h.pose * prepared.source->centroid;
    const icp::State state = start_state(object.icp(), prepared, {h.pose, 0, object.icp().last_level()}, center);
    const NormalEquations<6> shape =
        plane_equations(object.icp(), object.icp().last_level(), state, object.full().surfaces(), backend);
    Registration errors;
    errors.target_from_source = found.scene_from_object;
    tell_pair_errors(shape, {h.pose, center, object.icp().params.free, false}, prepared, object.full(), backend,
                     errors);
    found.covariance = errors.covariance;
    found.covariance_center = errors.covariance_center;
    found.expected_error = errors.expected_error;
    return found;
  }
};

void tell_units(const FindRun& find, Found& found) {
  for (const FindObject& object : find.objects) {
    const double size = object.prepared().from_local(object.diameter());
    const double whole = object.prepared().from_local(find.scene.cloud()->scale.extent);
    const double spacing = object.prepared().from_local(find.scene.cloud()->scale.spacing);
    if (size > larger_than_scene * whole) {
      found.warnings.push_back(fmt::format(
          "object {} is {:.3g} across and the scene {:.3g}: are they in different units?", object.name(), size, whole));
    } else if (size < 5 * spacing) {
      found.warnings.push_back(fmt::format(
          "object {} is {:.3g} across and the points of the scene lie {:.3g} apart: are they in different units?",
          object.name(), size, spacing));
    }
  }
}

}  // namespace

Found find_objects(std::span<const ObjectToFind> objects, const PointCloud& scene, const Find& options, const Run& run,
                   const std::function<void(const FindProgress&)>& on_progress) {
  validate(options);
  validate(run);
  check_region(options.region);
  check_input(objects, scene);
  const auto began = Clock::now();
  const BackendOfRun backend(run);
  double largest = diagonal_of(scene, run.origin_points);
  for (const ObjectToFind& object : objects)
    largest = std::max(largest, diagonal_of(*object.shape, OriginPoints::keep));
  const double scale = local_scale(largest);
  FindRun find{options, run, *backend, FindScene(scene, options, run, scale, *backend), {}, control_of(run, began),
               {},      {}};
  for (std::size_t i = 0; i < objects.size(); ++i) {
    find.objects.emplace_back(objects[i], i, options, run, scale, find.scene, *backend);
  }
  Found found;
  found.options = options;
  found.run = run;
  const BuildInfo build = build_info();
  found.version = build.version;
  found.machine = backend->name();
  found.build = fmt::format("{}, {}", build.compiler, backend->arithmetic());
  found.scene_points = find.scene.cloud()->usable;
  tell_units(find, found);
  found.time_ms.prepare = milliseconds_since(began);
  for (int round = 0; round < most_rounds; ++round) {
    if (!find.accept(find.look(round, on_progress))) break;
    const bool more = std::any_of(find.objects.begin(), find.objects.end(),
                                  [&](const FindObject& o) { return find.wanted(o.index()); });
    if (!more || find.control.request() != StopRequest::none) break;
  }
  found.stopped = find.control.request() != StopRequest::none;
  for (const FindHypothesis& h : find.accepted) {
    (h.confidence() < run.min_confidence ? found.doubtful : found.objects).push_back(find.told(h));
  }
  for (const FindHypothesis& h : find.doubtful) {
    const auto of_it = [&](const FoundObject& o) { return o.index == h.object; };
    const auto told = static_cast<std::size_t>(std::count_if(found.doubtful.begin(), found.doubtful.end(), of_it));
    if (told < told_doubtful) found.doubtful.push_back(find.told(h));
  }
  std::stable_sort(found.objects.begin(), found.objects.end(),
                   [](const FoundObject& a, const FoundObject& b) { return a.confidence > b.confidence; });
  found.message = found.objects.empty() ? fmt::format("nothing that is likely to be {}",
                                                      objects.size() == 1 ? objects[0].name : "one of the objects")
                                        : fmt::format("{} found", found.objects.size());
  if (found.stopped) found.message += ", stopped before the search was over";
  found.time_ms.total = milliseconds_since(began);
  found.time_ms.search = found.time_ms.total - found.time_ms.prepare;
  return found;
}

}  // namespace dovetail
