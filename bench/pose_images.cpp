// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose_images.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/random.h"
#include "dovetail/dovetail.h"
#include "dovetail/find_parts.h"
#include "dovetail/rotation.h"
#include "dovetail/scanner.h"
#include "pose/depth_renderer.h"
#include "pose/polished_pose.h"
#include "pose/rough_search.h"
#include "pose/scene_starts.h"

// `refine and verify`: the best 40 of 1,024 references at each of three places become verified poses with evidence.
// `image`: find_parts of a depth image of 640 x 480 with twenty T-pipes on a floor, the database and the machine kept
// from image to image, as a cell that empties a bin does it.

namespace dovetail::bench {
namespace {

/// Twenty T-pipes any way round, in rows, each a little in the way of the next; noise of half a millimetre.
RangeImage heap_image(const PoseReferences& part) {
  RangeImage image{{640, 480, 700, 700, 320, 240, 0, 0.5, {}}, std::vector<float>(640 * 480, 800.0f)};
  pose::RasterMesh mesh;
  for (const Vec3f& v : part.vertices) mesh.points.push_back(v.cast<double>());
  mesh.triangles.assign(part.triangles.begin(), part.triangles.end());
  RandomStream random(17, 0);
  for (int row = 0; row < 4; ++row) {
    for (int column = 0; column < 5; ++column) {
      const Vec3 at{135.0 * (column - 2) + random.uniform(-10, 10), 125.0 * (row - 1.5) + random.uniform(-10, 10),
                    720 + random.uniform(-20, 20)};
      const pose::RenderedDepth seen =
          pose::raster_surface(mesh, {random.rotation(), at}, pose::pinhole_of(image.camera)).image;
      for (int y = seen.region.top; y < seen.region.bottom(); ++y) {
        for (int x = seen.region.left; x < seen.region.right(); ++x) {
          float& depth = image.depth[static_cast<std::size_t>(y * 640 + x)];
          if (seen.depth_at(x, y) > 0) depth = std::min(depth, seen.depth_at(x, y));
        }
      }
    }
  }
  for (float& depth : image.depth) depth += static_cast<float>(0.5 * (random.uniform() + random.uniform() - 1));
  return image;
}

/// What PartSearch does with rough poses, for the first places.
class Verifying {
 public:
  Verifying(const RangeImage& image, const PoseDatabase& database, const Workspace& workspace, std::size_t places)
      : scene_(pose::prepare_scene(image, database.parts()[0].edge_step)), wanted_(pose::wanted_parts(database, 0.5)) {
    const PoseReferences& part = database.parts()[0];
    const double diameter = wanted_[0].diameter;
    const pose::StartSettings settings{0.35 * diameter, 0.07 * diameter, diameter};
    background_ = pose::background_of(scene_, settings);
    Backend& backend = workspace.backend();
    fine_.emplace(backend, scene_, background_, database.cache().shapes_in(backend.memory(), database.parts()));
    std::vector<pose::SceneStart> starts =
        pose::scene_starts(scene_, std::vector<std::uint8_t>(scene_.depth.size(), 0), background_, settings);
    starts.resize(std::min(starts.size(), places));
    std::vector<pose::SceneWindow> windows;
    for (const pose::SceneStart& start : starts) {
      windows.push_back(
          pose::window_about(scene_, start, 2 * part.image_size, part.pixel, part.edge_step, part.distance_limit));
    }
    std::vector<pose::RoughSearch::Job> jobs;
    for (const pose::SceneWindow& window : windows) jobs.push_back({0, &window});
    const auto rough = pose::RoughSearch(backend, database, RoughErrors::robust).run(jobs, {});
    constexpr std::size_t refined = 40;
    for (std::size_t j = 0; j < rough.size(); ++j) {
      for (std::size_t i = 0; i < std::min(refined, rough[j].size()); ++i) {
        poses_.push_back({&wanted_[0],
                          rough[j][i].reference,
                          pose::pose_of(rough[j][i], windows[j], part),
                          {0.06 * diameter, 0.02 * diameter, 15, 0.03 * diameter}});
        place_.push_back(j);
      }
    }
  }

  /// Number of poses that were verified, and of those that are likely.
  std::pair<std::size_t, std::size_t> run() const {
    const std::vector<pose::FinePose> refined = pose::refine_references(*fine_, poses_, {});
    std::vector<pose::PartCandidate> verified;
    for (std::size_t first = 0; first < poses_.size();) {
      std::vector<pose::PartCandidate> own;
      std::size_t i = first;
      for (; i < poses_.size() && place_[i] == place_[first]; ++i) {
        if (refined[i].verdict.worth() < 0.3) continue;
        pose::PartCandidate& candidate = own.emplace_back();
        candidate.wanted = poses_[i].wanted, candidate.pose = refined[i].pose;
        candidate.worth = refined[i].verdict.worth();
      }
      pose::keep_different(own, 6);
      std::move(own.begin(), own.end(), std::back_inserter(verified));
      first = i;
    }
    pose::verify_and_polish(*fine_, verified, {});
    const auto likely = std::count_if(verified.begin(), verified.end(), [](const auto& c) { return c.log_odds > 0; });
    return {verified.size(), static_cast<std::size_t>(likely)};
  }

 private:
  pose::RangeScene scene_;
  pose::Background background_;
  std::vector<pose::WantedPart> wanted_;
  std::optional<pose::FineScene> fine_;
  std::vector<pose::ReferencePose> poses_;
  std::vector<std::size_t> place_;
};

}  // namespace

void measure_images(const Arguments& arguments) {
  if (!pose::depth_renderer_available()) {
    std::fputs("without Embree: no references, refining and whole images are left out\n", stderr);
    return;
  }
  const PointCloud tee = built_in_part(BuiltInPart::t_pipe);
  PoseDatabaseOptions options;
  options.references = arguments.quick ? 256 : 1024;
  options.image_size = arguments.quick ? 32 : 64;
  options.sampling = OrientationSampling::uniform;
  const PosePart parts[] = {{"tee", &tee, {}, {}}};
  const PoseDatabase database = build_pose_database(parts, options);
  const RangeImage image = heap_image(database.parts()[0]);
  struct Place {
    Machine machine;
    int threads;
  };
  std::vector<Place> places;
  if (!cuda_machines().empty()) places.push_back({Machine::cuda, 0});
  if (!arguments.gpu_only) {
    for (const int threads : thread_counts()) places.push_back({Machine::cpu, threads});
  }
  for (const Place& place : places) {
    const ThreadLimit limit(place.threads > 0 ? place.threads : all_threads());
    Workspace workspace(place.machine, 0, place.threads);
    for (const std::size_t starts : {std::size_t{3}, std::size_t{16}}) {
      const Verifying verifying(image, database, workspace, starts);
      std::pair<std::size_t, std::size_t> counts;
      const Timing timing = measure(arguments, [&] { counts = verifying.run(); });
      Line("fine_pose", "refine and verify")
          .number("references", options.references)
          .number("starts", static_cast<double>(starts))
          .number("verified", static_cast<double>(counts.first))
          .number("likely", static_cast<double>(counts.second))
          .machine(workspace.machine_name(), place.threads)
          .value(timing);
      if (arguments.quick) break;
    }
    FindParts find;
    find.workspace = &workspace;
    if (arguments.quick) find.starts = 3, find.rounds = 1;
    Work work;
    work.threads = place.threads;
    Found found;
    const Timing timing = measure(arguments, [&] { found = find_parts(image, database, find, work); });
    Line("find_parts", "image")
        .number("references", options.references)
        .number("found", static_cast<double>(found.objects.size()))
        .number("prepare_ms", found.time_ms.prepare)
        .machine(workspace.machine_name(), place.threads)
        .value(timing);
  }
}

}  // namespace dovetail::bench
