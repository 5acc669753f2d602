// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <omp.h>
#include <pcl/common/centroid.h>
#include <pcl/console/print.h>
#include <pcl/features/normal_3d_omp.h>
#include <pcl/pcl_config.h>
#include <pcl/point_types.h>
#include <pcl/registration/gicp.h>
#include <pcl/registration/icp.h>

#include <cmath>

#include "peers/peer.h"
#include "stopwatch.h"

namespace dovetail::bench {
namespace {

using Points = pcl::PointCloud<pcl::PointXYZ>;
using Oriented = pcl::PointCloud<pcl::PointNormal>;

template <class Cloud>
typename Cloud::Ptr to_pcl(const PeerCloud& cloud) {
  typename Cloud::Ptr points(new Cloud);
  points->resize(cloud.count);
  for (std::size_t i = 0; i < cloud.count; ++i) {
    (*points)[i].x = cloud.xyz[3 * i];
    (*points)[i].y = cloud.xyz[3 * i + 1];
    (*points)[i].z = cloud.xyz[3 * i + 2];
  }
  return points;
}

template <class Point, class Out>
void add_normals(const typename pcl::PointCloud<Point>::Ptr& cloud, const PeerSettings& settings,
                 pcl::PointCloud<Out>& out) {
  pcl::NormalEstimationOMP<Point, Out> estimation(static_cast<unsigned>(settings.threads));
  estimation.setInputCloud(cloud);
  estimation.setKSearch(settings.neighbours);
  estimation.compute(out);
}

/// PCL stops on the squared length of a step's shift and on its angle.
template <class Registration>
void stop_like(Registration& registration, const PeerSettings& settings, const Eigen::Vector4f& lowest,
               const Eigen::Vector4f& highest) {
  const double radius = 0.5 * (highest - lowest).head<3>().norm();
  registration.setMaximumIterations(settings.max_iterations);
  registration.setMaxCorrespondenceDistance(settings.max_distance);
  registration.setTransformationEpsilon(std::pow(settings.tolerance * radius, 2));
  registration.setTransformationRotationEpsilon(std::cos(settings.tolerance));
  registration.setEuclideanFitnessEpsilon(0);
}

void store(const Eigen::Matrix4f& pose, PeerRegistration& result) {
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) result.target_from_source[4 * i + j] = static_cast<double>(pose(i, j));
  }
}

class PclPeer final : public Peer {
 public:
  PclPeer() { pcl::console::setVerbosityLevel(pcl::console::L_ALWAYS); }
  std::string name() const override { return std::string("PCL ") + PCL_VERSION_PRETTY; }
  std::vector<std::string> methods() const override { return {"point_to_plane", "gicp"}; }

  bool register_clouds(const std::string& method, const PeerCloud& source, const PeerCloud& target,
                       const PeerSettings& settings, PeerRegistration& result) override {
    omp_set_num_threads(settings.threads);
    if (method == "point_to_plane") return point_to_plane(source, target, settings, result);
    if (method == "gicp") return gicp(source, target, settings, result);
    return false;
  }

  bool estimate_normals(const PeerCloud& cloud, const PeerSettings& settings, float* normals) override {
    pcl::PointCloud<pcl::Normal> out;
    add_normals<pcl::PointXYZ>(to_pcl<Points>(cloud), settings, out);
    for (std::size_t i = 0; i < out.size(); ++i) {
      for (std::size_t axis = 0; axis < 3; ++axis) normals[3 * i + axis] = out[i].normal[axis];
    }
    return true;
  }

 private:
  bool point_to_plane(const PeerCloud& source, const PeerCloud& target, const PeerSettings& settings,
                      PeerRegistration& result) {
    const auto from = to_pcl<Oriented>(source), to = to_pcl<Oriented>(target);
    Stopwatch watch;
    add_normals<pcl::PointNormal>(from, settings, *from);
    add_normals<pcl::PointNormal>(to, settings, *to);
    result.prepare_ms = watch.milliseconds();
    Eigen::Vector4f lowest, highest;
    pcl::getMinMax3D(*from, lowest, highest);

    watch = Stopwatch();
    pcl::IterativeClosestPointWithNormals<pcl::PointNormal, pcl::PointNormal> icp;
    icp.setInputSource(from);
    icp.setInputTarget(to);
    stop_like(icp, settings, lowest, highest);
    Oriented aligned;
    icp.align(aligned);  // builds the target's tree too
    result.loop_ms = watch.milliseconds();
    store(icp.getFinalTransformation(), result);
    return true;
  }

  bool gicp(const PeerCloud& source, const PeerCloud& target, const PeerSettings& settings, PeerRegistration& result) {
    const auto from = to_pcl<Points>(source), to = to_pcl<Points>(target);
    Eigen::Vector4f lowest, highest;
    pcl::getMinMax3D(*from, lowest, highest);
    const Stopwatch watch;
    pcl::GeneralizedIterativeClosestPoint<pcl::PointXYZ, pcl::PointXYZ> icp;
    icp.setInputSource(from);
    icp.setInputTarget(to);
    icp.setCorrespondenceRandomness(settings.neighbours);
    stop_like(icp, settings, lowest, highest);
    Points aligned;
    icp.align(aligned);
    result.prepare_ms = 0;  // covariances are made inside align()
    result.loop_ms = watch.milliseconds();
    store(icp.getFinalTransformation(), result);
    return true;
  }
};

}  // namespace
}  // namespace dovetail::bench

extern "C" dovetail::bench::Peer* dovetail_make_peer() { return new dovetail::bench::PclPeer; }
