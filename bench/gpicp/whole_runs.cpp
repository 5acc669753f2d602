// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "gpicp/whole_runs.h"

#include "dovetail/registration.h"
#include "stopwatch.h"

namespace dovetail::bench::gpicp_studies {
namespace {

Similarity3 local_from(const Mat4& m, const Vec3& middle) {
  Similarity3 pose = Similarity3::identity();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) pose.rotation(i, j) = m(i, j);
    pose.translation[i] = m(i, 3) - middle[i];
  }
  return pose;
}

std::vector<float> interleaved_points(const LocalCloud& cloud) {
  std::vector<float> xyz;
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    xyz.push_back(cloud.x[i]), xyz.push_back(cloud.y[i]), xyz.push_back(cloud.z[i]);
  }
  return xyz;
}

}  // namespace

PointCloud points_of(const StudiedObject& object) {
  PointCloud cloud;
  for (std::uint32_t i = 0; i < object.size(); ++i) {
    cloud.positions.push_back({double{object.cloud.x[i]}, double{object.cloud.y[i]}, double{object.cloud.z[i]}});
  }
  return cloud;
}

WholeRun run_default(const Scene& scene, const PointCloud& cloud, const std::vector<Similarity3>& starts,
                     Workspace& workspace) {
  Gpicp options;
  options.starts_from = StartsFrom::random, options.starts = 1;  // the given starts as they are
  Run run;
  run.workspace = &workspace;
  run.trace = false;
  run.start = scene.scene_from_object(starts.front());
  for (std::size_t i = 1; i < starts.size(); ++i) run.starts.push_back(scene.scene_from_object(starts[i]));
  const double before = processor_ms();
  const Stopwatch watch;
  const Registration result = register_points(cloud, scene.laid.scene, options, run);
  const double milliseconds = watch.milliseconds();
  return {local_from(result.target_from_source.matrix, scene.middle), milliseconds, processor_ms() - before};
}

WholeRun run_peer(Peer& peer, const Scene& scene, const StudiedObject& object, const std::vector<Similarity3>& starts,
                  int threads) {
  const std::vector<float> source = interleaved_points(object.cloud), target = interleaved_points(scene.cloud);
  PeerSettings settings;
  settings.threads = threads;
  settings.max_distance = Scene::widest_reach(object.radius);
  settings.tolerance = 1e-5;
  std::vector<std::array<double, 16>> matrices;
  for (const Similarity3& start : starts) {
    std::array<double, 16> m{};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) m[4 * i + j] = start.rotation(static_cast<int>(i), static_cast<int>(j));
      m[4 * i + 3] = start.translation[static_cast<int>(i)];
    }
    m[15] = 1;
    matrices.push_back(m);
  }
  std::vector<PeerRegistration> results;
  WholeRun run;
  const double before = processor_ms();
  run.milliseconds = peer.register_from_starts({source.data(), source.size() / 3}, {target.data(), target.size() / 3},
                                               settings, matrices, results);
  run.processor_ms = processor_ms() - before;
  double least = 1e300;
  for (const PeerRegistration& result : results) {
    Mat4 m{};
    for (int i = 0; i < 16; ++i) m[i] = result.target_from_source[i];
    const Similarity3 pose = local_from(m, {});
    const double error = exact_error(scene, object, pose);
    if (error < least) least = error, run.pose = pose;
  }
  return run;
}

}  // namespace dovetail::bench::gpicp_studies
