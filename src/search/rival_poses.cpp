// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "search/rival_poses.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "search/rival_turns.h"

namespace dovetail {

namespace {

/// Points of either cloud that vote.
constexpr std::size_t source_voters = 48, target_voters = 128;
/// Normals of either cloud that tell of faces.
constexpr std::size_t face_voters = 200;
/// Normals closer than this cosine are like.
constexpr float like = 0.85f;
/// Shifts are told apart by a cell, in radii, and go so many cells to either side.
constexpr double cell = 0.25;
constexpr int cells = 12;
/// Of a shift without a turn: one by less leads to no other answer.
constexpr double least_shift = 0.3;
constexpr std::size_t shifts_unturned = 7, shifts_turned = 2;
/// Poses that most votes speak for, in all.
constexpr std::size_t most_poses = 96;

/// Points and unit normals (zero where unknown), in the target's frame.
struct Oriented {
  std::vector<Vec3> points, normals;
};

/// Some of `count` points with normals, evenly out of all.
template <class PointOf, class NormalOf>
Oriented some_of(std::size_t count, std::size_t most, const PointOf& point, const NormalOf& normal) {
  Oriented some;
  const std::size_t kept = std::min(count, most);
  for (std::size_t k = 0; k < kept; ++k) {
    const std::size_t i = k * count / kept;
    some.points.push_back(point(i));
    some.normals.push_back(normal(i));
  }
  return some;
}

/// Normals as a machine has them, in host memory.
struct HostNormals {
  std::vector<float> x, y, z;
  HostNormals(const NormalsView& view, std::size_t count, Memory& memory) {
    if (view.x == nullptr) return;
    x = memory.get(view.x, count), y = memory.get(view.y, count), z = memory.get(view.z, count);
  }
  Vec3 operator()(std::size_t i) const { return x.empty() ? Vec3{} : Vec3{double{x[i]}, double{y[i]}, double{z[i]}}; }
};

/// The source's, where an answer puts them.
Oriented source_voters_of(const CloudView& cloud, const Similarity3& answer, Memory& memory) {
  const std::vector<float> x = memory.get(cloud.x, cloud.count), y = memory.get(cloud.y, cloud.count),
                           z = memory.get(cloud.z, cloud.count);
  const HostNormals normals(cloud.normal, cloud.count, memory);
  return some_of(
      cloud.count, source_voters,
      [&](std::size_t i) {
        return answer * Vec3{double{x[i]}, double{y[i]}, double{z[i]}};
      },
      [&](std::size_t i) { return answer.rotation * normals(i); });
}

Oriented target_voters_of(const SurfacePair& level, Memory& memory) {
  const auto points = memory.get(level.target.points, level.target.count);
  const auto point = [&](std::size_t i) { return Vec3{double{points[i].x}, double{points[i].y}, double{points[i].z}}; };
  return some_of(points.size(), target_voters, point, HostNormals(level.target_normals, points.size(), memory));
}

/// Some normals of both clouds where a coarse level still shows faces, the source's as an answer turns them.
std::vector<Vec3> face_normals(const IcpContext& context, const Similarity3& answer) {
  const auto fine = static_cast<std::size_t>(std::min(1, context.plan.last_level()));
  const SurfacePair& level = context.levels[fine];
  Memory& memory = context.backend.memory();
  std::vector<Vec3> normals;
  const auto add = [&](const NormalsView& view, std::size_t count, const Mat3& turn) {
    const HostNormals all(view, count, memory);
    const std::size_t kept = std::min(count, face_voters);
    for (std::size_t k = 0; k < kept; ++k) {
      const Vec3 normal = turn * all(k * count / kept);
      if (squared_norm(normal) > 0.5) normals.push_back(normal);
    }
  };
  add(level.source.normal, level.source.count, answer.rotation);
  add(level.target_normals, level.target.count, Mat3::identity());
  return normals;
}

/// A shift and how many pairs of points agree on it.
struct Shift {
  Vec3 by;
  int votes;
};

/// Pairs of points with like normals, which vote for the shift that brings one onto the other.
class Ballot {
 public:
  Ballot(const Oriented& source, const Oriented& target, const Vec3& middle, double radius, const Vec3& across)
      : source_(source),
        middle_(middle),
        cell_(static_cast<float>(cell * radius)),
        per_cell_(1 / cell_),
        across_(across),
        flat_(squared_norm(across) > 0),
        cosine_(target.points.size()),
        counts_(size) {
    votes_.reserve(source.points.size() * target.points.size());
    for (std::size_t i = 0; i < target.points.size(); ++i) {
      const Vec3 q = target.points[i] - middle;
      for (int a = 0; a < 3; ++a) {
        to_[a].push_back(static_cast<float>(q[a]));
        normal_[a].push_back(static_cast<float>(target.normals[i][a]));
      }
    }
  }

  /// The shifts that most agree on after a turn about the middle, up to `most` of them.
  std::vector<Shift> shifts(const Mat3& turn, std::size_t most) {
    vote(turn);
    std::vector<Shift> found;
    while (found.size() < most) {
      const auto fullest = std::max_element(votes_.begin(), votes_.end(), [&](const Vote& a, const Vote& b) {
        return counts_[a.cell] < counts_[b.cell];
      });
      if (fullest == votes_.end() || counts_[fullest->cell] == 0) break;
      found.push_back(around(*fullest));
    }
    for (const Vote& v : votes_) counts_[v.cell] = 0;
    return found;
  }

 private:
  static constexpr int side = 2 * cells + 1;
  static constexpr std::size_t size = std::size_t{side} * side * side;
  struct Vote {
    std::uint32_t cell;
    float by[3];
  };

  void vote(const Mat3& turn) {
    votes_.clear();
    for (std::size_t i = 0; i < source_.points.size(); ++i) {
      const Vec3 p = turn * (source_.points[i] - middle_), n = turn * source_.normals[i];
      const bool known = squared_norm(n) > 0.5;
      const float px = static_cast<float>(p[0]), py = static_cast<float>(p[1]), pz = static_cast<float>(p[2]);
      const float nx = static_cast<float>(n[0]), ny = static_cast<float>(n[1]), nz = static_cast<float>(n[2]);
      const std::size_t count = to_[0].size();
      for (std::size_t j = 0; j < count; ++j) {
        cosine_[j] = std::fabs(nx * normal_[0][j] + ny * normal_[1][j] + nz * normal_[2][j]);
      }
      for (std::size_t j = 0; j < count; ++j) {
        if (cosine_[j] < like && known) continue;
        add({to_[0][j] - px, to_[1][j] - py, to_[2][j] - pz});
      }
    }
  }

  void add(const std::array<float, 3>& by) {
    std::uint32_t at = 0;
    for (const float b : by) {
      const float k = b * per_cell_ + (cells + 0.5f);
      if (!(k >= 0 && k < side)) return;
      at = at * side + static_cast<std::uint32_t>(k);
    }
    if (flat_ && std::fabs(dot(across_, Vec3{double{by[0]}, double{by[1]}, double{by[2]}})) > double{cell_}) return;
    ++counts_[at];
    votes_.push_back({at, {by[0], by[1], by[2]}});
  }

  /// The mean of what is voted within a cell's length of a vote; those have no say in the next.
  Shift around(const Vote& fullest) {
    const int votes = counts_[fullest.cell];
    double sum[3]{}, count = 0;
    const Vote center = fullest;
    for (const Vote& v : votes_) {
      bool near = true;
      for (int a = 0; a < 3; ++a) near = near && std::fabs(v.by[a] - center.by[a]) < cell_;
      if (!near) continue;
      for (int a = 0; a < 3; ++a) sum[a] += double{v.by[a]};
      count += 1;
      counts_[v.cell] = 0;
    }
    Vec3 by{sum[0] / count, sum[1] / count, sum[2] / count};
    by -= dot(across_, by) * across_;
    return {by, votes};
  }

  const Oriented& source_;
  Vec3 middle_;
  float cell_, per_cell_;
  Vec3 across_;  ///< a slice's, else zero
  bool flat_;
  std::vector<float> to_[3], normal_[3];  ///< of the target, about the middle
  std::vector<float> cosine_;
  std::vector<int> counts_;
  std::vector<Vote> votes_;
};

/// A shift along what is free.
Vec3 along_free(Vec3 shift, unsigned free) {
  for (int a = 0; a < 3; ++a) shift[a] *= (free >> (3 + a) & 1u) != 0 ? 1 : 0;
  return shift;
}

}  // namespace

std::vector<Similarity3> poses_of_rivals(const IcpContext& context, const Similarity3& answer) {
  const PreparedCloud& cloud = *context.prepared.source;
  const unsigned free = context.plan.params.free;
  Memory& memory = context.backend.memory();
  const Oriented source = source_voters_of(context.levels[0].source, answer, memory);
  const Oriented target = target_voters_of(context.levels[0], memory);
  const std::vector<Vec3> normals = face_normals(context, answer);
  const Vec3 middle = answer * cloud.centroid;
  const Vec3 across = cloud.tells_surface ? Vec3{} : answer.rotation * cloud.across;
  Ballot ballot(source, target, middle, cloud.radius, across);
  struct Elected {
    Similarity3 pose;
    int votes;
  };
  std::vector<Elected> elected;
  for (const Mat3& turn : rival_turns(context, answer, {source.points, target.points, normals})) {
    const bool turned = rotation_angle(turn) > 0;
    for (const Shift& shift : ballot.shifts(turn, turned ? shifts_turned : shifts_unturned)) {
      const Vec3 by = along_free(shift.by, free);
      if (!turned && norm(by) < least_shift * cloud.radius) continue;
      Similarity3 pose = answer;
      pose.rotation = turn * answer.rotation;
      pose.translation = middle + turn * (answer.translation - middle) + by;
      elected.push_back({pose, shift.votes});
    }
  }
  std::stable_sort(elected.begin(), elected.end(),
                   [](const Elected& a, const Elected& b) { return a.votes > b.votes; });
  std::vector<Similarity3> poses;
  for (const Elected& e : elected) {
    if (poses.size() < most_poses) poses.push_back(e.pose);
  }
  return poses;
}

}  // namespace dovetail
