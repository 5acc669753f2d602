// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/find_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "dovetail/error.h"
#include "dovetail/machines.h"
#include "dovetail/options.h"
#include "dovetail/workspace.h"
#include "pose/fine_pose.h"
#include "pose/found_part_odds.h"
#include "pose/orientation.h"
#include "pose/rough_search.h"
#include "pose/verified_pose.h"
#include "spatial/parallel.h"

namespace dovetail {
namespace {

using namespace pose;

/// A part of the database, ready to be laid on the scene.
struct Wanted {
  const PoseReferences* part = nullptr;
  std::size_t index = 0;
  std::vector<ReferenceSample> samples;
  std::unique_ptr<RenderMesh> mesh;
  OrientationSpace space;
  double diameter = 0;   ///< of the ball about it
  double tolerance = 0;  ///< what may be noise
};

struct Candidate {
  const Wanted* wanted = nullptr;
  Rigid3 pose = Rigid3::identity();
  double worth = 0;  ///< before it is verified
  Verdict verdict;
  PartEvidence evidence;
  double log_odds = 0;
};

PointCloud mesh_of(const PoseReferences& part) {
  PointCloud mesh;
  for (const Vec3f& v : part.vertices) mesh.positions.push_back(v.cast<double>() + part.center);
  for (const auto& [a, b, c] : part.triangles) mesh.faces.add({a, b, c});
  return mesh;
}

/// How much a depth scatters: half of the measured pixels are less than two thirds of it from their neighbours' median.
double noise_of(const RangeImage& image, const RangeScene& scene) {
  std::vector<float> off;
  for (std::size_t i = 0; i < image.depth.size(); ++i) {
    if (image.depth[i] > 0 && scene.depth[i] > 0) off.push_back(std::fabs(image.depth[i] - scene.depth[i]));
  }
  if (off.empty()) return 0;
  const auto middle = off.begin() + static_cast<std::ptrdiff_t>(off.size() / 2);
  std::nth_element(off.begin(), middle, off.end());
  return 1.5 * static_cast<double>(*middle);
}

std::vector<Wanted> wanted_in(const PoseDatabase& database, double noise) {
  constexpr std::size_t pixels_of_a_reference = 160;
  std::vector<Wanted> all;
  for (std::size_t i = 0; i < database.parts().size(); ++i) {
    const PoseReferences& part = database.parts()[i];
    Wanted wanted;
    wanted.part = &part;
    wanted.index = i;
    wanted.samples = sample_references(part, pixels_of_a_reference);
    wanted.mesh = std::make_unique<RenderMesh>(mesh_of(part));
    wanted.space = OrientationSpace(part.symmetry);
    wanted.diameter = 2 * part.radius;
    wanted.tolerance = std::max(0.012 * wanted.diameter, 4 * noise);
    all.push_back(std::move(wanted));
  }
  return all;
}

/// The search of one image.
class Search {
 public:
  Search(const RangeImage& image, const PoseDatabase& database, const FindParts& options, const Work& work,
         Backend& backend)
      : options_(options), work_(work), rough_search_(backend, database, options.rough) {
    double smallest = 1e300;
    for (const PoseReferences& part : database.parts()) smallest = std::min(smallest, part.edge_step);
    scene_ = prepare_scene(image, smallest);
    wanted_ = wanted_in(database, noise_of(image, scene_));
    taken_.assign(scene_.depth.size(), 0);
    smallest_diameter_ = wanted_.front().diameter;
    for (const Wanted& w : wanted_) {
      smallest_diameter_ = std::min(smallest_diameter_, w.diameter);
      largest_diameter_ = std::max(largest_diameter_, w.diameter);
    }
    settings_ = {0.35 * smallest_diameter_, 0.07 * smallest_diameter_, 1.6 * largest_diameter_};
    background_ = background_of(scene_, settings_);
  }

  void run() {
    for (int round = 0; round < options_.rounds && !stopped(); ++round) {
      const std::size_t before = found_.size();
      search_round(round);
      if (found_.size() == before) break;
    }
  }

  bool stopped() const { return work_.cancel && *work_.cancel; }
  const RangeScene& scene() const { return scene_; }
  std::vector<Candidate>& found() { return found_; }
  std::vector<Candidate>& doubtful() { return doubtful_; }

 private:
  void search_round(int round) {
    std::vector<SceneStart> starts = scene_starts(scene_, taken_, settings_);
    if (options_.starts > 0 && starts.size() > static_cast<std::size_t>(options_.starts)) {
      starts.resize(static_cast<std::size_t>(options_.starts));
    }
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < starts.size() && !stopped(); ++i) {
      const std::size_t place = i % places_together;
      if (place == 0) look_about(std::span(starts).subspan(i, std::min(places_together, starts.size() - i)));
      for (const Wanted& wanted : wanted_) add_candidates(wanted, place, candidates);
      if (work_.on_progress) {
        const double share = static_cast<double>(i + 1) / static_cast<double>(starts.size());
        work_.on_progress((round + share) / options_.rounds);
      }
    }
    // All of them before any is taken: a wrong pose often explains most of what the right one does.
    accept(std::move(candidates));
  }

  /// The windows and rough poses of all parts about some places, at once.
  void look_about(std::span<const SceneStart> starts) {
    windows_.resize(starts.size() * wanted_.size());
    std::vector<RoughSearch::Job> jobs(windows_.size());
    parallel_for(windows_.size(), 1, [&](std::size_t i) {
      const PoseReferences& part = *wanted_[i % wanted_.size()].part;
      windows_[i] = window_about(scene_, starts[i / wanted_.size()], 2 * part.image_size, part.pixel, part.edge_step,
                                 part.distance_limit);
      jobs[i] = {i % wanted_.size(), &windows_[i]};
    });
    Control control;
    control.cancel = work_.cancel;
    rough_ = rough_search_.run(jobs, control);
  }

  /// The best poses of a part about the place of this number among those that were looked at last.
  void add_candidates(const Wanted& wanted, std::size_t place, std::vector<Candidate>& to) {
    const PoseReferences& part = *wanted.part;
    const std::size_t job = place * wanted_.size() + wanted.index;
    const SceneWindow& window = windows_[job];
    std::vector<RoughPose>& rough = rough_[job];
    rough.resize(std::min(rough.size(), static_cast<std::size_t>(options_.refined)));
    std::vector<Candidate> refined(rough.size());
    parallel_for(rough.size(), 1, [&](std::size_t i) {
      const std::vector<Vec3> points = points_of(wanted, rough[i].reference);
      Candidate& candidate = refined[i];
      candidate.wanted = &wanted;
      candidate.pose =
          refine(scene_, points, pose_of(rough[i], window, part), {0.06 * wanted.diameter, 0.02 * wanted.diameter, 15});
      candidate.worth = judge_points(scene_, points, candidate.pose, 0.03 * wanted.diameter).worth();
    });
    constexpr double hopeless = 0.3;
    std::erase_if(refined, [](const Candidate& c) { return c.worth < hopeless; });
    keep_different(refined, 4);
    parallel_for(refined.size(), 1, [&](std::size_t i) { verify_and_polish(refined[i]); });
    std::erase_if(refined, [](const Candidate& c) { return c.verdict.explained == 0; });
    std::move(refined.begin(), refined.end(), std::back_inserter(to));
  }

  /// Of a reference, in the part's frame.
  static std::vector<Vec3> points_of(const Wanted& wanted, std::size_t reference) {
    const PoseReferences& part = *wanted.part;
    const double* const q = part.references[reference].orientation;
    const Mat3 part_from_view = transpose(matrix_from_quaternion(Quaternion<double>{q[0], q[1], q[2], q[3]}));
    std::vector<Vec3> points;
    for (const ReferenceSample::Pixel& p : wanted.samples[reference].pixels) {
      points.push_back(part.center + part_from_view * Vec3{part.pixel * static_cast<double>(p.x),
                                                           part.pixel * static_cast<double>(p.y),
                                                           static_cast<double>(p.depth)});
    }
    return points;
  }

  /// Whether two poses of a part are as good as one.
  static bool alike(const Candidate& a, const Candidate& b) {
    if (a.wanted != b.wanted) return false;
    const Wanted& w = *a.wanted;
    const double apart = norm(a.pose * w.part->center - b.pose * w.part->center);
    return apart < 0.05 * w.diameter &&
           w.space.angle(quaternion_from_matrix(a.pose.rotation), quaternion_from_matrix(b.pose.rotation)) < 0.1;
  }

  static void keep_different(std::vector<Candidate>& candidates, std::size_t most) {
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.worth > b.worth; });
    std::vector<Candidate> kept;
    for (Candidate& candidate : candidates) {
      if (kept.size() == most) break;
      if (std::none_of(kept.begin(), kept.end(), [&](const Candidate& k) { return alike(k, candidate); })) {
        kept.push_back(std::move(candidate));
      }
    }
    candidates = std::move(kept);
  }

  void verify_and_polish(Candidate& candidate) const {
    const Wanted& wanted = *candidate.wanted;
    const auto render = [&] { return verify(scene_, {wanted.mesh.get(), candidate.pose}, wanted.tolerance); };
    candidate.verdict = render();
    if (candidate.verdict.purity() < 0.5) {  // too far from the truth to get there
      candidate.log_odds = -20;
      return;
    }
    constexpr std::size_t most_points = 1200;
    for (int turn = 0; turn < 2 && candidate.verdict.pixels > 0; ++turn) {
      const std::vector<Vec3> points = visible_points(scene_, candidate.verdict, candidate.pose, most_points);
      const double first = turn == 0 ? 3 * wanted.tolerance : wanted.tolerance;
      const Rigid3 before = candidate.pose;
      candidate.pose = refine(scene_, points, before, {first, wanted.tolerance, 10});
      Verdict after = render();
      if (after.explained - after.impossible < candidate.verdict.explained - candidate.verdict.impossible) {
        candidate.pose = before;
        break;
      }
      candidate.verdict = std::move(after);
    }
    candidate.evidence = part_evidence(scene_, background_, candidate.verdict, wanted.tolerance);
    candidate.log_odds = part_log_odds(candidate.evidence);
  }

  /// Takes the most likely ones that explain what nothing before them does.
  void accept(std::vector<Candidate> candidates) {
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.log_odds > b.log_odds; });
    const double least = std::log(options_.min_confidence / (1 - options_.min_confidence));
    for (Candidate& candidate : candidates) {
      if (2 * newly_explained(candidate) < candidate.verdict.explained) continue;
      if (candidate.log_odds >= least) {
        take(candidate);
        found_.push_back(std::move(candidate));
      } else {
        if (candidate.log_odds < -6) continue;
        const bool known =
            std::any_of(doubtful_.begin(), doubtful_.end(), [&](const Candidate& d) { return alike(d, candidate); });
        if (!known) doubtful_.push_back(std::move(candidate));
      }
    }
  }

  long newly_explained(const Candidate& candidate) const {
    long count = 0;
    each_explained(candidate, [&](std::size_t at) { count += !taken_[at]; });
    return count;
  }
  void take(const Candidate& candidate) {
    each_explained(candidate, [&](std::size_t at) { taken_[at] = 1; });
  }
  template <class Use>
  void each_explained(const Candidate& candidate, const Use& use) const {
    const PixelRegion& region = candidate.verdict.rendered.region;
    for (int y = region.top; y < region.bottom(); ++y) {
      for (int x = region.left; x < region.right(); ++x) {
        if (candidate.verdict.agrees[region.offset(x, y)]) use(scene_.at(x, y));
      }
    }
  }

  const FindParts& options_;
  const Work& work_;
  RangeScene scene_;
  std::vector<Wanted> wanted_;
  std::vector<std::uint8_t> taken_, background_;
  StartSettings settings_;
  static constexpr std::size_t places_together = 16;
  RoughSearch rough_search_;
  std::vector<SceneWindow> windows_;           // of the places that are looked at together, part by part
  std::vector<std::vector<RoughPose>> rough_;  // likewise
  std::vector<Candidate> found_, doubtful_;
  double smallest_diameter_ = 0, largest_diameter_ = 0;
};

FoundObject told(const Candidate& candidate) {
  FoundObject object;
  object.object = candidate.wanted->part->name;
  object.index = candidate.wanted->index;
  object.scene_from_object = candidate.pose;
  object.visible_ratio = candidate.verdict.visible();
  object.support = static_cast<double>(candidate.verdict.explained);
  object.rmse = candidate.verdict.rmse;
  object.inlier_distance = candidate.wanted->tolerance;
  object.inlier_ratio = candidate.verdict.visible();
  object.score = candidate.verdict.purity();
  object.log_odds = candidate.log_odds;
  object.confidence = 1 / (1 + std::exp(-candidate.log_odds));
  object.evidence = candidate.evidence.named();
  return object;
}

}  // namespace

Found find_parts(const RangeImage& image, const PoseDatabase& database, const FindParts& options, const Work& work) {
  validate(options);
  const DepthCamera& camera = image.camera;
  if (!(camera.fx > 0) || !(camera.fy > 0) || camera.width < 3 || camera.height < 3 ||
      image.depth.size() != static_cast<std::size_t>(camera.width) * static_cast<std::size_t>(camera.height)) {
    throw InvalidArgument("image: has no camera, or another size than its camera");
  }
  const auto began = std::chrono::steady_clock::now();
  const auto since = [&](auto then) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - then).count();
  };
  Found found;
  std::optional<Workspace> own;
  if (options.workspace == nullptr) own.emplace(options.machine, options.device, work.threads);
  const Workspace& workspace = options.workspace != nullptr ? *options.workspace : *own;
  found.machine = workspace.machine_name();
  found.build = build_info().compiler;
  found.version = build_info().version;
  Threads(work.threads).execute([&] {
    Search search(image, database, options, work, workspace.backend());
    found.time_ms.prepare = since(began);
    const auto searching = std::chrono::steady_clock::now();
    search.run();
    found.time_ms.search = since(searching);
    found.stopped = search.stopped();
    const auto by_odds = [](const Candidate& a, const Candidate& b) { return a.log_odds > b.log_odds; };
    std::stable_sort(search.found().begin(), search.found().end(), by_odds);
    std::stable_sort(search.doubtful().begin(), search.doubtful().end(), by_odds);
    for (const Candidate& candidate : search.found()) {
      if (options.best > 0 && found.objects.size() == static_cast<std::size_t>(options.best)) break;
      found.objects.push_back(told(candidate));
    }
    constexpr std::size_t most_doubtful = 3;
    for (const Candidate& candidate : search.doubtful()) {
      if (found.doubtful.size() == most_doubtful) break;
      found.doubtful.push_back(told(candidate));
    }
    for (const float depth : search.scene().depth) found.scene_points += depth > 0;
  });
  if (found.scene_points == 0) {
    found.warnings.push_back("the image has no depth anywhere");
  }
  found.message = found.objects.empty()
                      ? "nothing that is likely to be one of the parts was found"
                      : fmt::format("{} part{} found", found.objects.size(), found.objects.size() == 1 ? "" : "s");
  if (found.stopped) found.message += "; the search was stopped before its end";
  found.time_ms.total = since(began);
  return found;
}

}  // namespace dovetail
