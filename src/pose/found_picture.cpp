// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <algorithm>
#include <array>
#include <cmath>

#include "dovetail/error.h"
#include "dovetail/find_parts.h"
#include "io/png_output.h"
#include "pose/range_scene.h"
#include "pose/rasterizer.h"
#include "pose/verified_pose.h"
#include "pose/wanted_part.h"

namespace dovetail {
namespace {

using namespace pose;
using Color = std::array<std::uint8_t, 3>;

constexpr std::array<Color, 10> colors{{{255, 95, 60},
                                        {60, 160, 255},
                                        {90, 215, 90},
                                        {255, 200, 40},
                                        {200, 110, 255},
                                        {60, 220, 220},
                                        {255, 120, 180},
                                        {170, 220, 60},
                                        {255, 150, 40},
                                        {120, 130, 255}}};

/// Three columns and five rows of each digit, the topmost row first.
constexpr std::array<std::array<std::uint8_t, 5>, 10> digits{{{7, 5, 5, 5, 7},
                                                              {2, 6, 2, 2, 7},
                                                              {7, 1, 7, 4, 7},
                                                              {7, 1, 7, 1, 7},
                                                              {5, 5, 7, 1, 1},
                                                              {7, 4, 7, 1, 7},
                                                              {7, 4, 7, 5, 7},
                                                              {7, 1, 1, 1, 1},
                                                              {7, 5, 7, 5, 7},
                                                              {7, 5, 7, 1, 7}}};

class Picture {
 public:
  Picture(int width, int height)
      : width_(width),
        height_(height),
        samples_(3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {}

  void set(int x, int y, const Color& color) {
    if (x < 0 || y < 0 || x >= width_ || y >= height_) return;
    const std::size_t at =
        3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x));
    std::copy(color.begin(), color.end(), samples_.begin() + static_cast<std::ptrdiff_t>(at));
  }

  /// A square of `size` pixels.
  void dot(int x, int y, int size, const Color& color) {
    for (int v = 0; v < size; ++v) {
      for (int u = 0; u < size; ++u) set(x + u, y + v, color);
    }
  }

  /// About a place, on black that is a little larger.
  void number(int x, int y, const std::string& text, int size, const Color& color) {
    const int width = (4 * static_cast<int>(text.size()) - 1) * size, height = 5 * size;
    const int left = x - width / 2, top = y - height / 2;
    for (int v = -size; v < height + size; ++v) {
      for (int u = -size; u < width + size; ++u) set(left + u, top + v, {0, 0, 0});
    }
    for (std::size_t i = 0; i < text.size(); ++i) {
      const auto& digit = digits[static_cast<std::size_t>(text[i] - '0')];
      for (int row = 0; row < 5; ++row) {
        for (int column = 0; column < 3; ++column) {
          if (!(digit[static_cast<std::size_t>(row)] >> (2 - column) & 1)) continue;
          dot(left + (4 * static_cast<int>(i) + column) * size, top + row * size, size, color);
        }
      }
    }
  }

  std::vector<std::uint8_t>& samples() { return samples_; }

 private:
  int width_, height_;
  std::vector<std::uint8_t> samples_;
};

/// The nearest depth and the farthest, but for a few outliers.
std::pair<float, float> reach_of(std::vector<float> depths) {
  std::erase_if(depths, [](float d) { return !(d > 0); });
  if (depths.empty()) return {0.0f, 1.0f};
  std::sort(depths.begin(), depths.end());
  const std::size_t last = depths.size() - 1;
  return {depths[last / 50], std::max(depths[last - last / 50], depths[last / 50] + 1e-3f)};
}

void draw_scene(const RangeScene& scene, Picture& picture) {
  const auto [near, far] = reach_of(scene.depth);
  for (int y = 0; y < scene.camera.height; ++y) {
    for (int x = 0; x < scene.camera.width; ++x) {
      const float depth = scene.depth[scene.at(x, y)];
      if (depth == 0) continue;
      const float nearness = 1 - std::clamp((depth - near) / (far - near), 0.0f, 1.0f);
      const Vec3f& normal = scene.normal[scene.at(x, y)];
      const float facing = normal[2] == 0 ? 0.5f : std::fabs(normal[2]);
      const auto grey = static_cast<std::uint8_t>((50 + 150 * nearness) * (0.35f + 0.65f * facing));
      picture.set(x, y, {grey, grey, grey});
    }
  }
}

void draw_part(const RangeScene& scene, const WantedPart& part, const FoundObject& object, std::size_t index, int width,
               Picture& picture) {
  const RenderedDepth drawn =
      raster_surface(part.shape->mesh, object.scene_from_object.as<Rigid3>(), pinhole_of(scene.camera)).image;
  const auto seen = [&](int x, int y) {
    const float depth = drawn.depth_at(x, y);
    if (depth == 0) return false;
    const float there = scene.depth[scene.at(x, y)];
    return there == 0 || depth <= there + static_cast<float>(4 * part.tolerance);
  };
  const Color& color = colors[index % colors.size()];
  double sum_x = 0, sum_y = 0;
  long count = 0;
  for (int y = drawn.region.top; y < drawn.region.bottom(); ++y) {
    for (int x = drawn.region.left; x < drawn.region.right(); ++x) {
      if (!seen(x, y)) continue;
      sum_x += x, sum_y += y, ++count;
      if (!seen(x - 1, y) || !seen(x + 1, y) || !seen(x, y - 1) || !seen(x, y + 1)) picture.dot(x, y, width, color);
    }
  }
  if (count == 0) return;
  const double n = static_cast<double>(count);
  picture.number(static_cast<int>(sum_x / n), static_cast<int>(sum_y / n), std::to_string(index + 1), width, color);
}

}  // namespace

void write_found_picture(const std::filesystem::path& file, const RangeImage& image, const PoseDatabase& database,
                         const Found& found) {
  double edge_step = 1e300;
  for (const PoseReferences& part : database.parts()) edge_step = std::min(edge_step, part.edge_step);
  const RangeScene scene = prepare_scene(image, edge_step);
  const std::vector<WantedPart> parts = wanted_parts(database, 0);
  Picture picture(scene.camera.width, scene.camera.height);
  draw_scene(scene, picture);
  const int width = scene.camera.width >= 500 ? 2 : 1;
  for (std::size_t i = found.objects.size(); i-- > 0;) {
    draw_part(scene, parts.at(found.objects[i].index), found.objects[i], i, width, picture);
  }
  io::write_png(file, io::PngKind::rgb8, static_cast<std::uint32_t>(scene.camera.width),
                static_cast<std::uint32_t>(scene.camera.height), picture.samples());
}

}  // namespace dovetail
