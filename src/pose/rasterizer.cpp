// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/rasterizer.h"

#include <algorithm>
#include <cmath>

namespace dovetail::pose {
namespace {

/// A corner in the image: where it is seen, and one over its depth, which is linear there.
struct Corner {
  double u = 0, v = 0, inverse = 0;  // inverse: 0 where it is not before the camera
};

struct Drawn {
  std::vector<Corner> corner;
  PixelRegion region;
};

/// The part of an image that places are in.
struct Bounds {
  double low_u = 1e300, low_v = 1e300, high_u = -1e300, high_v = -1e300;

  void add(const Corner& c) {
    low_u = std::min(low_u, c.u), high_u = std::max(high_u, c.u);
    low_v = std::min(low_v, c.v), high_v = std::max(high_v, c.v);
  }
  PixelRegion region(const Pinhole& camera) const {
    if (low_u > high_u) return {};
    const auto pixel = [](double place, int size) {
      return static_cast<int>(std::clamp(std::floor(place), -1.0, size + 1.0));
    };
    const int left = pixel(low_u, camera.width), top = pixel(low_v, camera.height);
    const int right = pixel(high_u, camera.width) + 1, bottom = pixel(high_v, camera.height) + 1;
    return common({left, top, right - left, bottom - top}, whole_image(camera));
  }
};

Corner seen_corner(const Vec3& p, const Pinhole& camera) {
  if (!(p[2] > 0)) return {};
  return {camera.fx * p[0] / p[2] + camera.cx, camera.fy * p[1] / p[2] + camera.cy, 1 / p[2]};
}

Drawn seen_corners(const RasterMesh& mesh, const Rigid3& camera_from_mesh, const Pinhole& camera) {
  Drawn drawn;
  drawn.corner.resize(mesh.points.size());
  Bounds bounds;
  for (std::size_t i = 0; i < mesh.points.size(); ++i) {
    drawn.corner[i] = seen_corner(camera_from_mesh * mesh.points[i], camera);
    if (drawn.corner[i].inverse > 0) bounds.add(drawn.corner[i]);
  }
  drawn.region = bounds.region(camera);
  return drawn;
}

/// The columns of a row in which a triangle may be.
struct Columns {
  int first, last;
};

/// Where one edge of a triangle crosses the rows: the pixels that it covers are on one side of it. What is nearly
/// parallel to the rows bounds none.
class Crossing {
 public:
  Crossing() = default;
  /// From p to q; `inwards`: how much more of the third corner there is from column to column.
  Crossing(const Corner& p, const Corner& q, double inwards)
      : u_(p.u - 0.5),
        v_(p.v - 0.5),
        side_(std::fabs(inwards) < 1e-12 ? 0
              : inwards > 0              ? 1
                                         : -1) {
    if (side_ != 0) slope_ = (q.u - p.u) / (q.v - p.v);
  }
  void keep(Columns& columns, int row) const {
    // One more at each end, so that rounding decides nothing.
    const double crossed = u_ + (row - v_) * slope_;
    if (side_ > 0 && crossed - 1 > columns.first) {
      columns.first = crossed - 1 > columns.last ? columns.last + 1 : static_cast<int>(crossed - 1);
    } else if (side_ < 0 && crossed + 1 < columns.last) {
      columns.last = crossed + 1 < columns.first ? columns.first - 1 : static_cast<int>(crossed + 1);
    }
  }

 private:
  double u_ = 0, v_ = 0, slope_ = 0;
  int side_ = 0;
};

/// Calls covered(offset in the region, depth, twice the triangle's area in the image) for each pixel of the region
/// whose centre the triangle covers, its border included.
template <class Covered>
void draw(const Corner& a, const Corner& b, const Corner& c, const PixelRegion& region, const Covered& covered) {
  if (a.inverse == 0 || b.inverse == 0 || c.inverse == 0) return;
  const int left = std::max(region.left, static_cast<int>(std::ceil(std::min({a.u, b.u, c.u}) - 0.5)));
  const int right = std::min(region.right() - 1, static_cast<int>(std::floor(std::max({a.u, b.u, c.u}) - 0.5)));
  if (left > right) return;
  const int top = std::max(region.top, static_cast<int>(std::ceil(std::min({a.v, b.v, c.v}) - 0.5)));
  const int bottom = std::min(region.bottom() - 1, static_cast<int>(std::floor(std::max({a.v, b.v, c.v}) - 0.5)));
  if (top > bottom) return;
  const double area = (b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u);
  if (!(std::fabs(area) > 1e-12)) return;
  const double scale = 1 / area;
  const double b_per_column = (c.v - a.v) * scale, c_per_column = -(b.v - a.v) * scale;
  constexpr int narrow = 4;  // columns: fewer are as well looked at one by one
  Crossing crossing[3];
  if (right - left > narrow) {
    // Of long and thin triangles most of the box is empty.
    crossing[0] = Crossing(a, c, b_per_column);
    crossing[1] = Crossing(a, b, c_per_column);
    crossing[2] = Crossing(b, c, -b_per_column - c_per_column);
  }
  for (int y = top; y <= bottom; ++y) {
    const double dv = y + 0.5 - a.v;
    Columns columns{left, right};
    for (const Crossing& edge : crossing) edge.keep(columns, y);
    for (int x = columns.first; x <= columns.last; ++x) {
      const double du = x + 0.5 - a.u;
      const double of_b = (du * (c.v - a.v) - dv * (c.u - a.u)) * scale;
      const double of_c = ((b.u - a.u) * dv - (b.v - a.v) * du) * scale;
      constexpr double border = -1e-9;  // what two triangles share belongs to both, whatever rounding did
      if (of_b < border || of_c < border || of_b + of_c > 1 - border) continue;
      const double inverse = a.inverse + of_b * (b.inverse - a.inverse) + of_c * (c.inverse - a.inverse);
      covered(region.offset(x, y), 1 / inverse, area);
    }
  }
}

struct Wall {
  std::uint32_t pixel;
  float depth;
  std::int8_t side;  // 1 and -1: the two ways that a face may look
};

/// Those of a pixel together, the nearest first.
std::vector<Wall> pixel_by_pixel(std::vector<Wall> walls, std::size_t pixels) {
  std::vector<std::uint32_t> end(pixels + 1, 0);  // at first where the walls of each pixel begin
  for (const Wall& c : walls) ++end[c.pixel + 1];
  for (std::size_t p = 0; p < pixels; ++p) end[p + 1] += end[p];
  std::vector<Wall> ordered(walls.size());
  for (const Wall& c : walls) ordered[end[c.pixel]++] = c;
  std::size_t begin = 0;
  for (std::size_t p = 0; p < pixels; ++p) {
    const auto at = [&](std::size_t i) { return ordered.begin() + static_cast<std::ptrdiff_t>(i); };
    std::sort(at(begin), at(end[p]),
              [](const Wall& a, const Wall& b) { return a.depth != b.depth ? a.depth < b.depth : a.side < b.side; });
    begin = end[p];
  }
  return ordered;
}

}  // namespace

PixelRegion seen_region(const RasterMesh& mesh, const Rigid3& camera_from_mesh, const Pinhole& camera) {
  Bounds bounds;
  for (const Vec3& p : mesh.points) {
    const Corner c = seen_corner(camera_from_mesh * p, camera);
    if (c.inverse > 0) bounds.add(c);
  }
  return bounds.region(camera);
}

RenderedSurface raster_surface(const RasterMesh& mesh, const Rigid3& camera_from_mesh, const Pinhole& camera) {
  const Drawn drawn = seen_corners(mesh, camera_from_mesh, camera);
  RenderedSurface surface;
  surface.image.region = drawn.region;
  const std::size_t pixels = drawn.region.pixels();
  std::vector<double> nearest(pixels, 1e300);
  surface.image.part.assign(pixels, -1);  // for now the triangle
  for (std::size_t t = 0; t < mesh.triangles.size() && pixels > 0; ++t) {
    const auto& [a, b, c] = mesh.triangles[t];
    draw(drawn.corner[a], drawn.corner[b], drawn.corner[c], drawn.region, [&](std::size_t at, double depth, double) {
      if (depth >= nearest[at]) return;
      nearest[at] = depth;
      surface.image.part[at] = static_cast<std::int32_t>(t);
    });
  }
  surface.image.depth.assign(pixels, 0.0f);
  surface.normal.assign(pixels, Vec3f{});
  surface.cosine.assign(pixels, 0.0f);
  std::size_t at = 0;
  for (int y = drawn.region.top; y < drawn.region.bottom(); ++y) {
    for (int x = drawn.region.left; x < drawn.region.right(); ++x, ++at) {
      std::int32_t& part = surface.image.part[at];
      if (part < 0) continue;
      surface.image.depth[at] = static_cast<float>(nearest[at]);
      const auto& [a, b, c] = mesh.triangles[static_cast<std::size_t>(part)];
      part = 0;
      const Vec3 normal =
          camera_from_mesh.rotation * cross(mesh.points[b] - mesh.points[a], mesh.points[c] - mesh.points[a]);
      const double size = norm(normal);
      if (!(size > 0)) continue;
      const Vec3 direction = camera.direction(x + 0.5, y + 0.5);
      const double slope = dot(normal, direction);
      surface.normal[at] = ((slope > 0 ? -1 : 1) / size * normal).cast<float>();
      surface.cosine[at] = static_cast<float>(std::fabs(slope) / (size * norm(direction)));
    }
  }
  return surface;
}

SolidImage raster_solid(const RasterMesh& mesh, const Rigid3& camera_from_mesh, const Pinhole& camera) {
  const Drawn drawn = seen_corners(mesh, camera_from_mesh, camera);
  SolidImage solid;
  solid.region = drawn.region;
  std::vector<Wall> walls;
  for (const auto& [a, b, c] : mesh.triangles) {
    draw(drawn.corner[a], drawn.corner[b], drawn.corner[c], drawn.region,
         [&](std::size_t at, double depth, double area) {
           walls.push_back({static_cast<std::uint32_t>(at), static_cast<float>(depth),
                            static_cast<std::int8_t>(area > 0 ? 1 : -1)});
         });
  }
  walls = pixel_by_pixel(std::move(walls), drawn.region.pixels());
  std::size_t i = 0;
  for (std::uint32_t pixel = 0; pixel < drawn.region.pixels(); ++pixel) {
    solid.begin.push_back(static_cast<std::uint32_t>(solid.stretches.size()));
    const std::size_t first = solid.stretches.size();
    int inside = 0;
    float from = 0;
    std::size_t last = walls.size();  // the one that was counted last
    for (; i < walls.size() && walls[i].pixel == pixel; ++i) {
      const Wall& at = walls[i];
      // An edge that two faces share is one crossing.
      if (last < i && walls[last].side == at.side && at.depth - walls[last].depth < 1e-6f * at.depth) continue;
      last = i;
      if (inside == 0) from = at.depth;
      inside += at.side;
      if (inside == 0) solid.stretches.push_back({from, at.depth});
    }
    if (inside != 0) solid.stretches.resize(first);
  }
  solid.begin.push_back(static_cast<std::uint32_t>(solid.stretches.size()));
  return solid;
}

}  // namespace dovetail::pose
