// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/scene_window.h"

#include <algorithm>
#include <cmath>

#include "core/rotation_group.h"
#include "pose/edge_image.h"

namespace dovetail::pose {
namespace {

/// The pixels of a row or column whose centres are between two places; none where first > last.
struct Centres {
  int first, last;
};
Centres centres_between(double low, double high, int size) {
  const double begin = std::max(0.0, low - 0.5), end = std::min(size - 1.0, high - 0.5);
  if (!(begin <= end)) return {0, -1};
  const int down = static_cast<int>(begin);
  return {down + (down < begin), static_cast<int>(end)};
}

/// Draws a triangle of measured points: at each pixel whose centre it covers, the nearest depth stays. Most are smaller
/// than a pixel, or outside of the window.
void draw(SceneWindow& window, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Centres columns =
      centres_between(std::min(std::min(a[0], b[0]), c[0]), std::max(std::max(a[0], b[0]), c[0]), window.size);
  if (columns.first > columns.last) return;
  const Centres rows =
      centres_between(std::min(std::min(a[1], b[1]), c[1]), std::max(std::max(a[1], b[1]), c[1]), window.size);
  if (rows.first > rows.last) return;
  const double area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  if (!(std::fabs(area) > 1e-12)) return;
  for (int y = rows.first; y <= rows.last; ++y) {
    float* const row = window.depth.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(window.size);
    for (int x = columns.first; x <= columns.last; ++x) {
      const double px = x + 0.5, py = y + 0.5;
      const double of_b = ((px - a[0]) * (c[1] - a[1]) - (py - a[1]) * (c[0] - a[0])) / area;
      const double of_c = ((b[0] - a[0]) * (py - a[1]) - (b[1] - a[1]) * (px - a[0])) / area;
      if (of_b < -1e-9 || of_c < -1e-9 || of_b + of_c > 1 + 1e-9) continue;
      const auto depth = static_cast<float>(a[2] + of_b * (b[2] - a[2]) + of_c * (c[2] - a[2]));
      row[x] = std::min(row[x], depth);
    }
  }
}

}  // namespace

SceneWindow window_about(const RangeScene& scene, const SceneStart& start, int size, double pixel, double edge_step,
                         double distance_limit) {
  SceneWindow window;
  window.size = size, window.pixel = pixel;
  window.origin = start.depth * scene.camera.direction(start.x, start.y);
  // z along the line of sight, x as near to the image's as may be.
  window.camera_from_window = frame_along((1 / norm(window.origin)) * window.origin, {1, 0, 0});
  const auto pixels = static_cast<std::size_t>(size) * static_cast<std::size_t>(size);
  window.depth.assign(pixels, SceneWindow::nothing);

  // Pixels that may fall into it: nearer surfaces take up more of the image.
  const double half = 0.5 * size * pixel, nearest = std::max(0.25 * start.depth, start.depth - 2 * half);
  const int reach = static_cast<int>(std::ceil(1.5 * half * scene.camera.fx / nearest));
  const int left = std::max(0, start.x - reach), right = std::min(scene.camera.width - 1, start.x + reach);
  const int top = std::max(0, start.y - reach), bottom = std::min(scene.camera.height - 1, start.y + reach);
  if (right <= left || bottom <= top) return window;
  const Mat3 turn = transpose(window.camera_from_window);
  const auto columns = static_cast<std::size_t>(right - left + 1);
  const auto row_of = [&](int y) {
    std::vector<Vec3> row(columns);
    for (std::size_t i = 0; i < columns; ++i) {
      const int x = left + static_cast<int>(i);
      if (scene.depth[scene.at(x, y)] == 0) {
        row[i] = {0, 0, std::nan("")};
        continue;
      }
      const Vec3 local = turn * (scene.point(x, y) - window.origin);
      row[i] = {local[0] / pixel + 0.5 * size, local[1] / pixel + 0.5 * size, local[2]};
    }
    return row;
  };
  std::vector<Vec3> above = row_of(top);
  for (int y = top + 1; y <= bottom; ++y) {
    std::vector<Vec3> row = row_of(y);
    for (std::size_t i = 0; i + 1 < columns; ++i) {
      const Vec3 corners[] = {above[i], above[i + 1], row[i], row[i + 1]};
      // Not across an edge.
      const auto joined = [&](int a, int b, int c) {
        const double low = std::min({corners[a][2], corners[b][2], corners[c][2]});
        const double high = std::max({corners[a][2], corners[b][2], corners[c][2]});
        if (high - low <= edge_step) draw(window, corners[a], corners[b], corners[c]);
      };
      if (std::isnan(corners[1][2]) || std::isnan(corners[2][2])) continue;
      if (!std::isnan(corners[0][2])) joined(0, 1, 2);
      if (!std::isnan(corners[3][2])) joined(1, 3, 2);
    }
    above = std::move(row);
  }
  std::vector<float> filled(pixels);
  const auto far = static_cast<float>(2 * half + start.depth);  // makes every depth positive
  for (std::size_t i = 0; i < pixels; ++i) {
    filled[i] = window.depth[i] == SceneWindow::nothing ? 0.0f : std::max(1e-3f, window.depth[i] + far);
  }
  window.distance = edge_distance(filled, depth_edges(filled, size, size, edge_step), size, size, distance_limit);
  return window;
}

}  // namespace dovetail::pose
