// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/verified_pose.h"

#include <algorithm>
#include <cmath>

#include "pose/edge_image.h"

namespace dovetail::pose {

Pinhole pinhole_of(const DepthCamera& camera) {
  const double shift = 0.5 - camera.pixel_center;
  return {camera.fx, camera.fy, camera.cx + shift, camera.cy + shift, camera.width, camera.height};
}

Verdict verify(const RangeScene& scene, const RasterMesh& mesh, const Rigid3& camera_from_part, double tolerance) {
  Verdict verdict;
  RenderedSurface surface = raster_surface(mesh, camera_from_part, pinhole_of(scene.camera));
  verdict.rendered = std::move(surface.image);
  verdict.normal = std::move(surface.normal);
  const PixelRegion& region = verdict.rendered.region;
  const std::vector<float>& depth = verdict.rendered.depth;
  verdict.agrees.assign(depth.size(), 0);
  const std::vector<std::uint8_t> edges = depth_edges(depth, region.width, region.height, 2 * tolerance);
  double squares = 0;
  std::size_t at = 0;
  for (int y = region.top; y < region.bottom(); ++y) {
    for (int x = region.left; x < region.right(); ++x, ++at) {
      if (depth[at] == 0) continue;
      ++verdict.pixels;
      const double there = static_cast<double>(scene.depth[scene.at(x, y)]);
      if (there == 0) {
        ++verdict.unknown;
        continue;
      }
      const double behind = there - static_cast<double>(depth[at]);
      const double off = std::fabs(behind) * static_cast<double>(surface.cosine[at]);
      // Where the surface is slanted, a shift of a pixel changes the depth by much.
      if (off <= tolerance && std::fabs(behind) <= 4 * tolerance) {
        ++verdict.explained;
        verdict.agrees[at] = 1;
        squares += off * off;
      } else if (behind < 0) {
        ++verdict.hidden;
      } else if (edges[at]) {
        ++verdict.unknown;  // the outermost pixel may as well be what is behind
      } else {
        ++verdict.impossible;
      }
    }
  }
  verdict.rmse = verdict.explained > 0 ? std::sqrt(squares / static_cast<double>(verdict.explained)) : 0;
  return verdict;
}

namespace {

/// What a pixel costs where a part is drawn and something was measured: half the squared distance along the normal in
/// deviations, no more than where the part is hidden or cannot be.
double cost(const RangeScene& scene, const Verdict& verdict, int x, int y, double there, double tolerance) {
  const std::size_t at = verdict.rendered.region.offset(x, y);
  const Vec3 ray = scene.camera.direction(x, y);
  const double cosine = std::fabs(dot(verdict.normal[at].cast<double>(), ray)) / norm(ray);
  const double behind = there - static_cast<double>(verdict.rendered.depth[at]);
  const double off = behind * cosine * (4 / tolerance);  // the tolerance is four deviations
  constexpr double hidden = 4, most = 8;
  return std::min(0.5 * off * off, behind < 0 ? hidden : most);
}

}  // namespace

double fits_worse(const RangeScene& scene, const Verdict& own, const Verdict& other, double tolerance) {
  double more = 0;
  long pixels = 0;
  const PixelRegion region = common(own.rendered.region, other.rendered.region);
  for (int y = region.top; y < region.bottom(); ++y) {
    for (int x = region.left; x < region.right(); ++x) {
      const double there = static_cast<double>(scene.depth[scene.at(x, y)]);
      if (there == 0 || own.rendered.depth_at(x, y) == 0 || other.rendered.depth_at(x, y) == 0) continue;
      more += cost(scene, other, x, y, there, tolerance) - cost(scene, own, x, y, there, tolerance);
      ++pixels;
    }
  }
  if (pixels == 0) return 0;
  return std::copysign(std::log1p(2 * std::fabs(more) / std::sqrt(static_cast<double>(pixels))), more);
}

std::vector<Vec3> visible_points(const RangeScene& scene, const Verdict& verdict, const Rigid3& camera_from_part,
                                 std::size_t most) {
  const Rigid3 part_from_camera = camera_from_part.inverse();
  const PixelRegion& region = verdict.rendered.region;
  int step = 1;
  while (static_cast<std::size_t>(verdict.pixels) / static_cast<std::size_t>(step * step) > most) ++step;
  std::vector<Vec3> points;
  for (int y = region.top + step / 2; y < region.bottom(); y += step) {
    for (int x = region.left + step / 2; x < region.right(); x += step) {
      const float depth = verdict.rendered.depth_at(x, y);
      if (depth > 0) points.push_back(part_from_camera * (static_cast<double>(depth) * scene.camera.direction(x, y)));
    }
  }
  return points;
}

}  // namespace dovetail::pose
