// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <vector>

#include "dovetail/matrix.h"
#include "spatial/bounds.h"

namespace dovetail {

/// A flat piece of a surface: a triangle; or a disc, for clouds; a ball, where the disc has no normal.
struct SurfacePiece {
  Vec3 a, b, c;  ///< corners; of a disc the centre, the unit normal (or zero), and the radius as c[0]
};

/// The place of a surface nearest to a point.
struct SurfacePlace {
  double squared_distance = 0;
  std::uint32_t piece = none;
  Vec3 position{};

  static constexpr std::uint32_t none = UINT32_MAX;
  bool found() const { return piece != none; }
};

/// Answers how far a point is from a surface: exactly, in double. Boxes in boxes over the pieces.
class SurfaceTree {
 public:
  enum class Kind { triangles, discs };

  SurfaceTree() = default;
  SurfaceTree(Kind kind, std::vector<SurfacePiece> pieces);

  /// The nearest place within a distance; of several equally near, one of them, always the same.
  SurfacePlace nearest(const Vec3& point, double max_squared_distance) const;
  /// Whether there is any place within a distance: much quicker.
  bool any_within(const Vec3& point, double max_squared_distance) const;
  /// Unit length, of either side; zero where the piece has none.
  Vec3 normal(std::uint32_t piece) const;

  const std::vector<SurfacePiece>& pieces() const { return pieces_; }

 private:
  struct Node {
    Vec3 low, high;
    std::uint32_t begin, end;  ///< of a leaf's pieces
    std::uint32_t right;       ///< the left child follows its parent; 0 at a leaf
  };

  Bounds box_of(const SurfacePiece& piece) const;
  void build(std::uint32_t begin, std::uint32_t end);
  Vec3 nearest_of(const SurfacePiece& piece, const Vec3& point) const;
  template <class Offer>
  void search(const Vec3& point, const double& worst, const Offer& offer) const;

  Kind kind_ = Kind::triangles;
  std::vector<SurfacePiece> pieces_;
  std::vector<Node> nodes_;
};

}  // namespace dovetail
