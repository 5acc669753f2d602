// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <omp.h>
#include <open3d/geometry/KDTreeSearchParam.h>
#include <open3d/geometry/PointCloud.h>
#include <open3d/io/PointCloudIO.h>
#include <open3d/pipelines/registration/GeneralizedICP.h>
#include <open3d/pipelines/registration/Registration.h>
#include <open3d/pipelines/registration/TransformationEstimation.h>
#include <open3d/utility/Logging.h>

#include "peers/peer.h"
#include "stopwatch.h"

namespace dovetail::bench {
namespace {

namespace registration = open3d::pipelines::registration;
using open3d::geometry::PointCloud;

PointCloud to_open3d(const PeerCloud& cloud) {
  PointCloud points;
  points.points_.reserve(cloud.count);
  for (std::size_t i = 0; i < cloud.count; ++i) {
    points.points_.emplace_back(cloud.xyz[3 * i], cloud.xyz[3 * i + 1], cloud.xyz[3 * i + 2]);
  }
  return points;
}

void add_normals(PointCloud& cloud, int neighbours) {
  cloud.EstimateNormals(open3d::geometry::KDTreeSearchParamKNN(neighbours), /*fast_normal_computation=*/true);
}

class Open3dPeer final : public Peer {
 public:
  Open3dPeer() { open3d::utility::SetVerbosityLevel(open3d::utility::VerbosityLevel::Error); }
  std::string name() const override { return "Open3D 0.16"; }
  std::vector<std::string> methods() const override { return {"point_to_plane", "gicp"}; }

  bool register_clouds(const std::string& method, const PeerCloud& source, const PeerCloud& target,
                       const PeerSettings& settings, PeerRegistration& result) override {
    omp_set_num_threads(settings.threads);
    PointCloud from = to_open3d(source), to = to_open3d(target);
    // Open3D stops when fitness and inlier RMSE change by less than these parts of themselves, not on the motion.
    const registration::ICPConvergenceCriteria criteria(settings.tolerance, settings.tolerance,
                                                        settings.max_iterations);
    const Eigen::Matrix4d start = Eigen::Matrix4d::Identity();
    registration::RegistrationResult found;
    Stopwatch watch;
    if (method == "point_to_plane") {
      add_normals(to, settings.neighbours);
      result.prepare_ms = watch.milliseconds();
      watch = Stopwatch();
      found = registration::RegistrationICP(from, to, settings.max_distance, start,
                                            registration::TransformationEstimationPointToPlane(), criteria);
    } else if (method == "gicp") {
      add_normals(from, settings.neighbours);
      add_normals(to, settings.neighbours);
      result.prepare_ms = watch.milliseconds();
      watch = Stopwatch();
      found = registration::RegistrationGeneralizedICP(
          from, to, settings.max_distance, start, registration::TransformationEstimationForGeneralizedICP(), criteria);
    } else {
      return false;
    }
    result.loop_ms = watch.milliseconds();
    for (int i = 0; i < 16; ++i) result.target_from_source[i] = found.transformation_(i / 4, i % 4);
    return true;
  }

  double estimate_normals(const PeerCloud& cloud, const PeerSettings& settings, float* normals) override {
    omp_set_num_threads(settings.threads);
    PointCloud points = to_open3d(cloud);
    const Stopwatch watch;
    add_normals(points, settings.neighbours);
    const double milliseconds = watch.milliseconds();
    for (std::size_t i = 0; i < cloud.count; ++i) {
      for (int axis = 0; axis < 3; ++axis) normals[3 * i + axis] = static_cast<float>(points.normals_[i][axis]);
    }
    return milliseconds;
  }

  std::size_t read(const std::string& file) override {
    PointCloud cloud;
    return open3d::io::ReadPointCloud(file, cloud) ? cloud.points_.size() : 0;
  }
};

}  // namespace
}  // namespace dovetail::bench

extern "C" dovetail::bench::Peer* dovetail_make_peer() { return new dovetail::bench::Open3dPeer; }
