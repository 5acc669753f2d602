// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <Eigen/SVD>
#include <vector>

#include "core/moments.h"
#include "dovetail/eigen.h"
#include "support.h"

namespace dovetail::test {

struct Pairs {
  std::vector<Vec3> source, target;
  std::vector<double> weight;

  void add(const Vec3& p, const Vec3& q, double w = 1.0) {
    source.push_back(p), target.push_back(q), weight.push_back(w);
  }
  Moments moments() const {
    Moments m = Moments::zero();
    for (std::size_t i = 0; i < source.size(); ++i) m.add(weight[i], source[i], target[i]);
    return m;
  }
};

/// Points of a shape (1 line, 2 plane, 3 solid) and their images, with noise.
inline Pairs make_pairs(const Similarity3& t, int shape, double noise, RandomStream& random, bool weighted = false) {
  Pairs pairs;
  const Mat3 tilt = random.rotation();
  for (int i = 0; i < 200; ++i) {
    const Vec3 flat = {random.normal(), shape >= 2 ? random.normal() : 0.0, shape >= 3 ? random.normal() : 0.0};
    const Vec3 p = tilt * flat + Vec3{0.5, -1.0, 2.0};
    pairs.add(p, t * p + noise * random_vector<3>(random), weighted ? random.uniform(0.1, 3.0) : 1.0);
  }
  return pairs;
}

/// Kabsch and Umeyama by singular values, in two passes over the points.
inline Similarity3 svd_fit(const Pairs& pairs, bool with_scale) {
  Eigen::Vector3d p_mean = Eigen::Vector3d::Zero(), q_mean = p_mean;
  double total = 0, spread = 0;
  for (std::size_t i = 0; i < pairs.source.size(); ++i) {
    p_mean += pairs.weight[i] * to_eigen(pairs.source[i]);
    q_mean += pairs.weight[i] * to_eigen(pairs.target[i]);
    total += pairs.weight[i];
  }
  p_mean /= total, q_mean /= total;
  Eigen::Matrix3d c = Eigen::Matrix3d::Zero();
  for (std::size_t i = 0; i < pairs.source.size(); ++i) {
    const Eigen::Vector3d p = to_eigen(pairs.source[i]) - p_mean, q = to_eigen(pairs.target[i]) - q_mean;
    c += pairs.weight[i] * q * p.transpose();
    spread += pairs.weight[i] * p.squaredNorm();
  }
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(c, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Eigen::Vector3d s(1, 1, svd.matrixU().determinant() * svd.matrixV().determinant() < 0 ? -1 : 1);
  const Eigen::Matrix3d r = svd.matrixU() * s.asDiagonal() * svd.matrixV().transpose();
  const double scale = with_scale ? svd.singularValues().dot(s) / spread : 1.0;
  return {from_eigen(r), from_eigen(Eigen::Vector3d(q_mean - scale * r * p_mean)), scale};
}

// Sums of 200 points of size 2: rounding 1e-14 at most.
inline constexpr double exact_tolerance = 1e-13;

}  // namespace dovetail::test
