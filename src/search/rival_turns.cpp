// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "search/rival_turns.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/eigen_symmetric.h"

namespace dovetail {

namespace {

constexpr int spread_turns = 50, slice_turns = 24;
/// Turns by less lead to no other answer, and such as differ by less lead to the same.
constexpr double least_turn = 0.5, one_turn = 0.2;
/// Axes closer than this cosine are one; as close are the normals of one face.
constexpr double one_axis = 0.985;
/// Directions that faces have, at most, and the share of all normals that makes one.
constexpr std::size_t most_faces = 4;
constexpr double face_share = 0.08;
/// Angles between faces are equal when their cosines differ by less.
constexpr double equal_cosines = 0.08;

Vec3 column(const Mat3& m, int k) { return {m(0, k), m(1, k), m(2, k)}; }

bool one_line(const Vec3& a, const Vec3& b) { return std::fabs(dot(a, b)) > one_axis; }

/// The directions that most normals have, up to their sign.
std::vector<Vec3> faces_of(std::vector<Vec3> normals) {
  const double least = face_share * static_cast<double>(normals.size());
  std::vector<Vec3> faces;
  while (faces.size() < most_faces && !normals.empty()) {
    Vec3 best{};
    std::ptrdiff_t most = 0;
    for (const Vec3& axis : normals) {
      const auto count =
          std::count_if(normals.begin(), normals.end(), [&](const Vec3& normal) { return one_line(normal, axis); });
      if (count > most) most = count, best = axis;
    }
    if (static_cast<double>(most) < least) break;
    faces.push_back(best);
    std::erase_if(normals, [&](const Vec3& normal) { return one_line(normal, best); });
  }
  return faces;
}

/// The frame of two directions: the first, and the second as far as it is across.
Mat3 frame_of(const Vec3& a, const Vec3& b) {
  const Vec3 across = b - dot(a, b) * a, second = (1 / norm(across)) * across, third = cross(a, second);
  Mat3 frame;
  for (int i = 0; i < 3; ++i) frame(i, 0) = a[i], frame(i, 1) = second[i], frame(i, 2) = third[i];
  return frame;
}

/// Turns, none of them twice.
class Turns {
 public:
  std::vector<Mat3> all{Mat3::identity()};

  void add(const Mat3& turn) {
    if (rotation_angle(turn) < least_turn) return;
    const auto same = [&](const Mat3& known) { return rotation_angle(transpose(known) * turn) < one_turn; };
    if (std::none_of(all.begin(), all.end(), same)) all.push_back(turn);
  }

  void add_folds(const Vec3& axis) {
    for (const double degrees : {180, 90, 270, 120, 240, 60, 300}) {
      add(exp_so3((degrees * std::numbers::pi / 180) * axis));
    }
  }

  /// Those that map a pair of faces onto a pair that has the same angle between them.
  void add_between(const std::vector<Vec3>& faces) {
    for (std::size_t i = 0; i < faces.size(); ++i) {
      for (std::size_t j = i + 1; j < faces.size(); ++j) add_onto(faces[i], faces[j], faces);
    }
  }

 private:
  void add_onto(const Vec3& a, const Vec3& b, const std::vector<Vec3>& faces) {
    const Mat3 from = transpose(frame_of(a, b));
    for (const Vec3& k : faces) {
      for (const Vec3& l : faces) {
        if (&k == &l) continue;
        for (const double sign : {1.0, -1.0}) {
          for (const double other : {1.0, -1.0}) {
            const Vec3 c = sign * k, d = other * l;
            if (std::fabs(dot(a, b) - dot(c, d)) < equal_cosines) add(frame_of(c, d) * from);
          }
        }
      }
    }
  }
};

/// The axes along which points spread, the thinnest first.
Mat3 axes_of(std::span<const Vec3> points) {
  Vec3 sum{};
  for (const Vec3& p : points) sum += p;
  const Vec3 middle = (1.0 / static_cast<double>(std::max<std::size_t>(1, points.size()))) * sum;
  Symmetric<double, 3> scatter{};
  for (const Vec3& p : points) scatter.add_outer(1, p - middle);
  return eigen_symmetric(scatter).vectors;
}

}  // namespace

std::vector<Mat3> rival_turns(const IcpContext& context, const Similarity3& answer, const TurnClues& clues) {
  const unsigned free = context.plan.params.free;
  Turns turns;
  if (const PreparedCloud& cloud = *context.prepared.source; !cloud.tells_surface) {
    const Vec3 axis = answer.rotation * cloud.across;
    for (int i = 1; i < slice_turns; ++i) turns.add(exp_so3((2 * std::numbers::pi * i / slice_turns) * axis));
    return turns.all;
  }
  if ((free & 0b111u) == 0b111u) {
    const std::vector<Vec3> faces = faces_of({clues.normals.begin(), clues.normals.end()});
    turns.add_between(faces);
    for (const Vec3& face : faces) turns.add_folds(face);
    Symmetric<double, 3> scatter{};
    for (const Vec3& normal : clues.normals) scatter.add_outer(1, normal);
    turns.add_folds(eigen_symmetric(scatter).vector(0));  // across all normals: what is drawn out, or turned on a lathe
    for (const std::span<const Vec3> points : {clues.target, clues.source}) {
      const Mat3 axes = axes_of(points);
      for (int k = 0; k < 3; ++k) turns.add_folds(column(axes, k));
    }
  }
  for (const Mat3& turn : spread_rotations(free, spread_turns)) turns.add(turn);
  return turns.all;
}

}  // namespace dovetail
