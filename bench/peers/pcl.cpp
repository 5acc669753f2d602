// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <omp.h>
#include <pcl/common/common.h>
#include <pcl/console/print.h>
#include <pcl/features/normal_3d_omp.h>
#include <pcl/pcl_config.h>
#include <pcl/point_types.h>
#include <pcl/registration/gicp.h>
#include <pcl/registration/icp.h>
#include <pcl/search/kdtree.h>

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

template <class Cloud>
double radius_of(const Cloud& cloud) {
  Eigen::Vector4f lowest, highest;
  pcl::getMinMax3D(cloud, lowest, highest);
  return 0.5 * static_cast<double>((highest - lowest).head<3>().norm());
}

/// Lets the number of iterations be seen.
struct PlaneIcp : pcl::IterativeClosestPointWithNormals<pcl::PointNormal, pcl::PointNormal> {
  int iterations() const { return nr_iterations_; }
};
struct PointIcp : pcl::IterativeClosestPoint<pcl::PointXYZ, pcl::PointXYZ> {
  int iterations() const { return nr_iterations_; }
};
struct Gicp : pcl::GeneralizedIterativeClosestPoint<pcl::PointXYZ, pcl::PointXYZ> {
  int iterations() const { return nr_iterations_; }
};

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

  double register_from_starts(const PeerCloud& source, const PeerCloud& target, const PeerSettings& settings,
                              const std::vector<std::array<double, 16>>& starts,
                              std::vector<PeerRegistration>& results) override {
    const auto from = to_pcl<Points>(source), to = to_pcl<Points>(target);
    const double shortest = std::pow(settings.tolerance * radius_of(*from), 2);
    results.assign(starts.size(), {});
    const Stopwatch watch;
    pcl::search::KdTree<pcl::PointXYZ>::Ptr tree(new pcl::search::KdTree<pcl::PointXYZ>);
    tree->setInputCloud(to);
#pragma omp parallel for schedule(dynamic, 1) num_threads(settings.threads)
    for (int k = 0; k < static_cast<int>(starts.size()); ++k) {
      Eigen::Matrix4f start;
      for (int i = 0; i < 16; ++i) start(i / 4, i % 4) = static_cast<float>(starts[static_cast<std::size_t>(k)][i]);
      PointIcp icp;
      icp.setSearchMethodTarget(tree, true);
      icp.setInputSource(from);
      icp.setInputTarget(to);
      icp.setMaximumIterations(settings.max_iterations);
      icp.setMaxCorrespondenceDistance(settings.max_distance);
      icp.setTransformationEpsilon(shortest);
      icp.setTransformationRotationEpsilon(1 - 1e-6);
      Points aligned;
      icp.align(aligned, start);
      results[static_cast<std::size_t>(k)].iterations = icp.iterations();
      store(icp.getFinalTransformation(), results[static_cast<std::size_t>(k)]);
    }
    return watch.milliseconds();
  }

  double estimate_normals(const PeerCloud& cloud, const PeerSettings& settings, float* normals) override {
    const auto points = to_pcl<Points>(cloud);
    pcl::PointCloud<pcl::Normal> out;
    const Stopwatch watch;
    add_normals<pcl::PointXYZ>(points, settings, out);
    const double milliseconds = watch.milliseconds();
    for (std::size_t i = 0; i < out.size(); ++i) {
      for (std::size_t axis = 0; axis < 3; ++axis) normals[3 * i + axis] = out[i].normal[axis];
    }
    return milliseconds;
  }

 private:
  bool point_to_plane(const PeerCloud& source, const PeerCloud& target, const PeerSettings& settings,
                      PeerRegistration& result) {
    const auto from = to_pcl<Oriented>(source), to = to_pcl<Oriented>(target);
    Stopwatch watch;
    add_normals<pcl::PointNormal>(to, settings, *to);  // its linear least squares needs no others
    result.prepare_ms = watch.milliseconds();

    watch = Stopwatch();
    PlaneIcp icp;
    icp.setInputSource(from);
    icp.setInputTarget(to);
    icp.setMaximumIterations(settings.max_iterations);
    icp.setMaxCorrespondenceDistance(settings.max_distance);
    // PCL compares the squared shift of a step, and the cosine of its turn, which in float cannot tell less than this.
    icp.setTransformationEpsilon(std::pow(settings.tolerance * radius_of(*from), 2));
    icp.setTransformationRotationEpsilon(1 - 1e-6);
    Oriented aligned;
    icp.align(aligned);  // builds the target's tree too
    result.loop_ms = watch.milliseconds();
    result.iterations = icp.iterations();
    store(icp.getFinalTransformation(), result);
    return true;
  }

  bool gicp(const PeerCloud& source, const PeerCloud& target, const PeerSettings& settings, PeerRegistration& result) {
    const auto from = to_pcl<Points>(source), to = to_pcl<Points>(target);
    const Stopwatch watch;
    Gicp icp;
    icp.setInputSource(from);
    icp.setInputTarget(to);
    icp.setCorrespondenceRandomness(settings.neighbours);
    icp.setMaximumIterations(settings.max_iterations);
    icp.setMaxCorrespondenceDistance(settings.max_distance);
    icp.setTransformationEpsilon(settings.tolerance * radius_of(*from));
    icp.setRotationEpsilon(settings.tolerance);
    Points aligned;
    icp.align(aligned);
    result.prepare_ms = 0;  // covariances are made inside align()
    result.loop_ms = watch.milliseconds();
    result.iterations = icp.iterations();
    store(icp.getFinalTransformation(), result);
    return true;
  }
};

}  // namespace
}  // namespace dovetail::bench

extern "C" dovetail::bench::Peer* dovetail_make_peer() { return new dovetail::bench::PclPeer; }
