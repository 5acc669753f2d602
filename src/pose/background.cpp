// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/background.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/eigen_symmetric.h"
#include "pose/scene_patches.h"

namespace dovetail::pose {
namespace {

constexpr double along_cosine = 0.97;  // 14 degrees: normals of one plane, pixel by pixel

/// Pixels side by side that lie in one plane.
struct Piece {
  Background::Plane plane;
  Vec3 middle{};
  int patch = -1;  // that it is part of
  std::vector<std::size_t> pixels;
};

/// From which column to which a convex outline takes up each row: first > second where it does not.
using Rows = std::vector<std::pair<int, int>>;

struct Corner {
  int x, y;
};

/// The smallest convex outline about what each row has of it.
Rows convex_rows(const Rows& rows) {
  std::array<std::vector<Corner>, 2> side;  // left and right
  const auto add = [](std::vector<Corner>& chain, Corner next, int sign) {
    const auto inside = [&](Corner a, Corner b) {
      return sign * static_cast<long>((b.x - a.x) * (next.y - a.y) - (b.y - a.y) * (next.x - a.x)) >= 0;
    };
    while (chain.size() > 1 && inside(chain[chain.size() - 2], chain.back())) chain.pop_back();
    chain.push_back(next);
  };
  for (std::size_t y = 0; y < rows.size(); ++y) {
    if (rows[y].first > rows[y].second) continue;
    add(side[0], {rows[y].first, static_cast<int>(y)}, 1);
    add(side[1], {rows[y].second, static_cast<int>(y)}, -1);
  }
  Rows filled(rows.size(), {1, 0});
  const auto fill = [&](const std::vector<Corner>& chain, int std::pair<int, int>::*end) {
    for (std::size_t i = 0; i < chain.size(); ++i) {
      const Corner a = chain[i], b = chain[std::min(i + 1, chain.size() - 1)];
      for (int y = a.y; y <= b.y; ++y) {
        filled[static_cast<std::size_t>(y)].*end = b.y > a.y ? a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y) : a.x;
      }
    }
  };
  fill(side[0], &std::pair<int, int>::first);
  fill(side[1], &std::pair<int, int>::second);
  return filled;
}

/// Finds the planes of one scene.
class Planes {
 public:
  Planes(const RangeScene& scene, const StartSettings& settings)
      : scene_(scene),
        part_(settings.largest),
        thick_(0.5 * settings.narrow),
        patch_of_(scene_patches(scene, std::vector<std::uint8_t>(scene.depth.size(), 0), patch_step(settings))) {}

  Background find() {
    Background found;
    found.seen.assign(scene_.depth.size(), 0);
    found.limit.assign(scene_.depth.size(), 0);
    look_for_pieces();
    for (const Piece& piece : pieces_) {
      if (found.planes.size() == most_planes) break;
      if (mostly_seen(piece, found.seen)) continue;
      const Background::Plane plane = fitted(piece.plane);
      if (std::any_of(found.planes.begin(), found.planes.end(), [&](const Background::Plane& known) {
            return lies_in(known, Piece{plane, piece.middle, piece.patch, {}});
          })) {
        continue;
      }
      const bool large = size(plane, support(plane, piece.patch)) > surely_large * part_;
      const Rows outline = convex_rows(support(plane, any_patch));
      if (!large && !(size(plane, outline) > part_)) continue;
      gather(plane);
      const bool ends = ends_sight(plane, outline);
      if (large || (ends && goes_under(plane))) {
        found.planes.push_back(plane);
        mark(plane, ends ? &outline : nullptr, large ? piece.patch : any_patch, found);
      }
    }
    return found;
  }

 private:
  static constexpr std::size_t most_planes = 32, most_pieces = 400;
  static constexpr double surely_large = 1.6;  // parts: one patch of that size is no part's
  static constexpr int any_patch = -1;
  static constexpr int step = 2;  // pixels: where every pixel is not needed

  /// The largest first; small ones are too uncertain a plane.
  void look_for_pieces() {
    constexpr std::size_t fewest = 40;
    std::vector<std::uint8_t> taken(patch_of_.size(), 0);
    for (std::size_t i = 0; i < patch_of_.size(); ++i) {
      if (taken[i] || patch_of_[i] < 0 || scene_.normal[i][2] == 0) continue;
      Piece piece = grown(i, taken);
      if (piece.pixels.size() >= fewest) pieces_.push_back(std::move(piece));
    }
    std::stable_sort(pieces_.begin(), pieces_.end(),
                     [](const Piece& a, const Piece& b) { return a.pixels.size() > b.pixels.size(); });
    if (pieces_.size() > most_pieces) pieces_.resize(most_pieces);
  }

  /// What lies in the plane of a pixel and is joined to it.
  Piece grown(std::size_t from, std::vector<std::uint8_t>& taken) const {
    const auto width = static_cast<std::size_t>(scene_.camera.width);
    const Vec3 normal = scene_.normal[from].cast<double>();
    const Background::Plane plane{normal, dot(normal, point(from))};
    Piece piece{{}, {}, patch_of_[from], {from}};
    taken[from] = 1;
    for (std::size_t next = 0; next < piece.pixels.size(); ++next) {
      const std::size_t i = piece.pixels[next], x = i % width;
      piece.plane.normal += scene_.normal[i].cast<double>();
      const auto go = [&](std::size_t j) {
        if (taken[j] || patch_of_[j] != piece.patch || !lies_in(plane, j)) return;
        taken[j] = 1;
        piece.pixels.push_back(j);
      };
      if (x > 0) go(i - 1);
      if (x + 1 < width) go(i + 1);
      if (i >= width) go(i - width);
      if (i + width < patch_of_.size()) go(i + width);
    }
    piece.plane.normal *= 1 / norm(piece.plane.normal);
    for (const std::size_t i : piece.pixels) piece.middle += point(i);
    piece.middle *= 1 / static_cast<double>(piece.pixels.size());
    piece.plane.height = dot(piece.plane.normal, piece.middle);
    return piece;
  }

  bool mostly_seen(const Piece& piece, const std::vector<std::uint8_t>& seen) const {
    const auto some = std::count_if(piece.pixels.begin(), piece.pixels.end(), [&](std::size_t i) { return seen[i]; });
    return 2 * static_cast<std::size_t>(some) > piece.pixels.size();
  }

  Vec3 point(std::size_t i) const {
    const auto width = static_cast<std::size_t>(scene_.camera.width);
    return scene_.point(static_cast<int>(i % width), static_cast<int>(i / width));
  }
  double height_of(const Background::Plane& plane, int x, int y) const {
    return dot(plane.normal, scene_.point(x, y)) - plane.height;
  }
  bool lies_in(const Background::Plane& plane, std::size_t i) const {
    return dot(plane.normal, scene_.normal[i].cast<double>()) > along_cosine &&
           std::fabs(dot(plane.normal, point(i)) - plane.height) < thick_;
  }
  /// Whole pieces: where two planes cross there is always a strip of pixels that lies in both.
  bool lies_in(const Background::Plane& plane, const Piece& piece) const {
    constexpr double near = 0.9962;  // 5 degrees
    return dot(plane.normal, piece.plane.normal) > near &&
           std::fabs(dot(plane.normal, piece.middle) - plane.height) < thick_;
  }

  /// The plane through all pieces that lie in it.
  Background::Plane fitted(Background::Plane plane) const {
    constexpr int turns = 3;
    for (int turn = 0; turn < turns; ++turn) {
      Vec3 mean{};
      double count = 0;
      Symmetric<double, 3> scatter{};
      const auto each = [&](const auto& add) {
        for (const Piece& piece : pieces_) {
          if (!lies_in(plane, piece)) continue;
          for (std::size_t k = 0; k < piece.pixels.size(); k += 4) add(point(piece.pixels[k]));
        }
      };
      each([&](const Vec3& p) { mean += p, ++count; });
      if (count < 8) break;
      mean *= 1 / count;
      each([&](const Vec3& p) { scatter.add_outer(1, p - mean); });
      const Vec3 normal = eigen_symmetric(scatter).vector(0);
      plane.normal = dot(normal, plane.normal) < 0 ? -normal : normal;
      plane.height = dot(plane.normal, mean);
    }
    return plane;
  }

  /// Marks the pixels of a plane's pieces.
  void gather(const Background::Plane& plane) {
    shows_.assign(patch_of_.size(), 0);
    for (const Piece& piece : pieces_) {
      if (!lies_in(plane, piece)) continue;
      for (const std::size_t i : piece.pixels) shows_[i] = 1;
    }
  }

  /// What each row shows of a plane's pieces, of those of one patch or of any. A piece lies in one patch.
  Rows support(const Background::Plane& plane, int patch) const {
    const auto width = static_cast<std::size_t>(scene_.camera.width);
    Rows rows(static_cast<std::size_t>(scene_.camera.height), {1 << 30, -1});
    for (const Piece& piece : pieces_) {
      if ((patch != any_patch && piece.patch != patch) || !lies_in(plane, piece)) continue;
      for (const std::size_t i : piece.pixels) {
        const int x = static_cast<int>(i % width);
        auto& [first, last] = rows[i / width];
        first = std::min(first, x), last = std::max(last, x);
      }
    }
    return rows;
  }

  /// Across the box about rows, mm.
  double size(const Background::Plane& plane, const Rows& rows) const {
    int left = 1 << 30, right = -1, top = -1, bottom = -1;
    for (std::size_t y = 0; y < rows.size(); ++y) {
      if (rows[y].first > rows[y].second) continue;
      left = std::min(left, rows[y].first), right = std::max(right, rows[y].second);
      top = top < 0 ? static_cast<int>(y) : top, bottom = static_cast<int>(y);
    }
    if (top < 0) return 0;
    const double depth =
        plane.height / dot(plane.normal, scene_.camera.direction((left + right) / 2, (top + bottom) / 2));
    return std::hypot(right - left, bottom - top) * depth / scene_.camera.fx;
  }

  /// Whether next to nothing within the outline was seen beyond the plane.
  bool ends_sight(const Background::Plane& plane, const Rows& outline) const {
    long beyond = 0, all = 0;
    for (int y = 0; y < scene_.camera.height; y += step) {
      for (int x = outline[static_cast<std::size_t>(y)].first; x <= outline[static_cast<std::size_t>(y)].second;
           x += step) {
        if (scene_.depth[scene_.at(x, y)] == 0) continue;
        ++all;
        beyond += height_of(plane, x, y) < -thick_;
      }
    }
    return all > 0 && 100 * beyond <= all;
  }

  /// Whether what is seen of it mostly ends where something nearer begins, next to it or beyond what was not measured:
  /// else these may be the tops of parts that lie beside each other.
  bool goes_under(const Background::Plane& plane) const {
    long nearer = 0, all = 0;
    for (int y = 0; y < scene_.camera.height; y += step) {
      for (int x = 0; x < scene_.camera.width; x += step) {
        if (!shows_[scene_.at(x, y)]) continue;
        for (const auto& [right, down] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
          constexpr int reach = 3;  // pixels: the nearest may belong to either side
          int u = x + reach * right, v = y + reach * down;
          if (scene_.contains(u, v) && shows_[scene_.at(u, v)]) continue;
          while (scene_.contains(u, v) && scene_.depth[scene_.at(u, v)] == 0) u += right, v += down;
          if (!scene_.contains(u, v)) {
            ++all;
            continue;
          }
          const double height = height_of(plane, u, v);
          const bool in_it = std::fabs(height) < thick_;
          if (in_it && std::abs(u - x) + std::abs(v - y) == reach) continue;
          ++all;
          nearer += height > 0 && !in_it;
        }
      }
    }
    return 2 * nearer > all;
  }

  /// `patch`: only its own pixels are seen of it where the plane is not known to go on.
  void mark(const Background::Plane& plane, const Rows* outline, int patch, Background& found) const {
    const auto number = static_cast<std::uint8_t>(found.planes.size());
    for (int y = 0; y < scene_.camera.height; ++y) {
      for (int x = 0; x < scene_.camera.width; ++x) {
        const std::size_t i = scene_.at(x, y);
        const bool within = outline && x >= (*outline)[static_cast<std::size_t>(y)].first &&
                            x <= (*outline)[static_cast<std::size_t>(y)].second;
        if (shows_[i] && (within || patch_of_[i] == patch)) {
          found.seen[i] = 1;
          found.limit[i] = number;
        } else if (within && found.limit[i] == 0 && (scene_.depth[i] == 0 || height_of(plane, x, y) > -thick_)) {
          found.limit[i] = number;
        }
      }
    }
  }

  const RangeScene& scene_;
  double part_, thick_;
  std::vector<int> patch_of_;
  std::vector<Piece> pieces_;
  std::vector<std::uint8_t> shows_;  // of the plane that is looked at: 1 for the pixels of its pieces
};

}  // namespace

Background background_of(const RangeScene& scene, const StartSettings& settings) {
  return Planes(scene, settings).find();
}

}  // namespace dovetail::pose
