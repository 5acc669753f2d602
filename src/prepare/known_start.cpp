// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "prepare/known_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/eigen_symmetric.h"
#include "dovetail/error.h"

namespace dovetail {

namespace {

using Matrix6 = Matrix<double, 6, 6>;

/// Where the numbers of a covariance belong among rotations about x, y, z and shifts along them.
constexpr std::array<int, 3> in_plane{2, 3, 4};
constexpr std::array<int, 6> in_space{0, 1, 2, 3, 4, 5};
std::span<const int> motions_of(int dimension) {
  return dimension == 2 ? std::span<const int>(in_plane) : std::span<const int>(in_space);
}

/// Of the radius: nothing is known better than this, which is about what coordinates in float resolve.
constexpr double least_sigma = 1e-6;

/// What rounding to a few digits may do to a matrix that was symmetric and positive, beside its diagonal.
constexpr double rounding = 1e-6;

/// The field that says how well the start is known; empty: none does.
std::string field_of(const Run& run) {
  if (!run.start_covariance.empty()) return "start_covariance";
  if (run.start_rotation_sigma > 0) return "start_rotation_sigma";
  if (run.start_shift_sigma > 0) return "start_shift_sigma";
  return {};
}

Matrix6 covariance_of(const Run& run, int dimension) {
  const std::span<const int> motions = motions_of(dimension);
  Matrix6 covariance{};
  for (std::size_t i = 0; i < motions.size(); ++i) {
    for (std::size_t j = 0; j < motions.size(); ++j) {
      covariance(motions[i], motions[j]) = run.start_covariance[i * motions.size() + j];
    }
  }
  return covariance;
}

void check_covariance(const Run& run, int dimension) {
  const std::size_t size = motions_of(dimension).size(), count = run.start_covariance.size();
  if (count != size * size) {
    throw InvalidArgument(
        fmt::format("start_covariance: {} numbers; points in {} dimensions need {}×{}", count, dimension, size, size));
  }
  for (const double v : run.start_covariance) {
    if (!std::isfinite(v)) throw InvalidArgument(fmt::format("start_covariance: {} is not a finite number", v));
  }
  const Matrix6 covariance = covariance_of(run, dimension);
  Symmetric<double, 6> correlation{};
  for (int i = 0; i < 6; ++i) {
    if (covariance(i, i) < 0) {
      throw InvalidArgument(fmt::format("start_covariance: a variance is {}; it cannot be negative", covariance(i, i)));
    }
    for (int j = i; j < 6; ++j) {
      const double both = std::sqrt(covariance(i, i)) * std::sqrt(covariance(j, j));
      if (std::fabs(covariance(i, j) - covariance(j, i)) > rounding * both) {
        throw InvalidArgument(fmt::format("start_covariance: the matrix is not symmetric: {} and {} face each other",
                                          covariance(i, j), covariance(j, i)));
      }
      if (both > 0) correlation(i, j) = covariance(i, j) / both;
    }
  }
  if (eigen_symmetric(correlation).values[0] < -rounding) {
    throw InvalidArgument("start_covariance: the matrix is not positive semidefinite, so that it is no covariance");
  }
}

/// A motion about `from` as one about `to`: the rotation is the same, and takes `to` along.
Matrix6 moved_center(const Vec3& from, const Vec3& to) {
  Matrix6 m = Matrix6::identity();
  const Mat3 arm = skew(to - from);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) m(3 + i, j) = -arm(i, j);
  }
  return m;
}

/// The inverse of a covariance, with a radius that makes lengths of its rotations.
Symmetric<double, 6> information_of(const Matrix6& covariance, int dimension, double radius) {
  const double floor = least_sigma * radius * least_sigma * radius;
  const auto lengths = [&](int i) { return i < 3 ? radius : 1.0; };
  Symmetric<double, 6> scaled{};
  for (const int i : motions_of(dimension)) {
    for (const int j : motions_of(dimension)) scaled(i, j) = lengths(i) * lengths(j) * covariance(i, j);
  }
  const auto parts = eigen_symmetric(scaled);
  Symmetric<double, 6> information{};
  for (int k = 0; k < 6; ++k) {
    Vector<double, 6> way{};
    for (const int i : motions_of(dimension)) way[i] = lengths(i) * parts.vectors(i, k);
    information.add_outer(1 / std::max(parts.values[k], floor), way);
  }
  return information;
}

Symmetric<double, 6> information_of_sigmas(const Run& run, const Prepared& prepared) {
  const double radius = prepared.source->radius;
  const double turn = run.start_rotation_sigma * std::numbers::pi / 180,
               shift = prepared.to_local(run.start_shift_sigma);
  Symmetric<double, 6> information{};
  for (const int i : motions_of(prepared.dimension)) {
    const double sigma = i < 3 ? turn : shift, least = i < 3 ? least_sigma : least_sigma * radius;
    if (sigma > 0) information(i, i) = std::pow(std::max(sigma, least), -2);
  }
  return information;
}

}  // namespace

void check_known_start(const Run& run, int dimension, bool estimate_scale) {
  const std::string field = field_of(run);
  if (run.start_covariance_center) {
    for (int a = 0; a < 3; ++a) {
      const double at = (*run.start_covariance_center)[a];
      if (!std::isfinite(at)) throw InvalidArgument(fmt::format("start_covariance_center: {} is not finite", at));
    }
    if (field.empty()) {
      throw InvalidArgument(
          "start_covariance_center: nothing says how well the start is known; set start_covariance or a sigma too");
    }
  }
  if (field.empty()) return;
  if (estimate_scale) {
    throw InvalidArgument(field + ": cannot be counted where a scale is estimated; leave out one of the two");
  }
  if (!run.starts.empty()) {
    throw InvalidArgument(
        fmt::format("{}: belongs to one start, and there are {} more; leave them out", field, run.starts.size()));
  }
  if (run.start_covariance.empty()) return;
  if (run.start_rotation_sigma > 0 || run.start_shift_sigma > 0) {
    throw InvalidArgument("start_covariance: the sigmas say the same in another way; set one of the two");
  }
  check_covariance(run, dimension);
}

void refuse_known_start(const Run& run, const std::string& who, const std::string& instead) {
  std::string field = field_of(run);
  if (field.empty() && run.start_covariance_center) field = "start_covariance_center";
  if (!field.empty()) throw InvalidArgument(fmt::format("{}: {} does not count it; {}", field, who, instead));
}

FirstStart first_start(const Run& run, const Prepared& prepared, const Similarity3& pose) {
  FirstStart start{pose, std::nullopt};
  if (field_of(run).empty() || !(prepared.source->radius > 0)) return start;
  ObservedPose known{pose, pose * prepared.source->centroid, {}};
  const Vec3 given = run.start_covariance_center
                         ? prepared.scale * (*run.start_covariance_center - prepared.target->origin)
                         : known.center;
  if (run.start_covariance.empty()) {
    known.information = congruence(transpose(moved_center(known.center, given)), information_of_sigmas(run, prepared));
  } else {
    Matrix6 covariance = covariance_of(run, prepared.dimension);
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j) covariance(i, j) *= (i < 3 ? 1 : prepared.scale) * (j < 3 ? 1 : prepared.scale);
    }
    const Matrix6 moved = moved_center(given, known.center);
    known.information =
        information_of(moved * covariance * transpose(moved), prepared.dimension, prepared.source->radius);
  }
  start.known = known;
  return start;
}

}  // namespace dovetail
