// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <algorithm>
#include <cmath>

#include "dovetail/pose_density.h"
#include "io/depth_png.h"
#include "pose/depth_renderer.h"

namespace dovetail {
namespace {

/// A grey picture, 0 black to 1 white.
class Picture {
 public:
  Picture(int width, int height, double grey)
      : width_(width), height_(height), grey_(static_cast<std::size_t>(width * height), grey) {}

  void set(int x, int y, double grey) { grey_[static_cast<std::size_t>(y * width_ + x)] = grey; }

  void write(const std::filesystem::path& file) const {
    io::DepthPng png{static_cast<std::uint32_t>(width_), static_cast<std::uint32_t>(height_), {}};
    for (const double grey : grey_) {
      png.steps.push_back(static_cast<std::uint16_t>(std::lround(65535 * std::clamp(grey, 0.0, 1.0))));
    }
    io::write_depth_png(file, png);
  }

 private:
  int width_, height_;
  std::vector<double> grey_;
};

constexpr double paper = 1;

/// The density where a direction is: the mean of the nearest ones, weighted.
double density_at(const PoseDensity& density, const Vec3& direction) {
  double sum = 0, weights = 0;
  for (std::size_t i = 0; i < density.directions.size(); ++i) {
    const double cosine = dot(density.directions[i], direction);
    if (cosine < 0.9976) continue;  // 4 degrees
    const double weight = cosine - 0.9976;
    sum += weight * density.density[i], weights += weight;
  }
  return weights > 0 ? sum / weights : 0;
}

void write_sphere(const std::filesystem::path& file, const PoseDensity& density) {
  constexpr int side = 240, radius = 112, samples = 2;
  Picture picture(2 * side, side, paper);
  const double most = *std::max_element(density.density.begin(), density.density.end());
  for (int half = 0; half < 2; ++half) {
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        double grey = 0;
        for (int k = 0; k < samples * samples; ++k) {
          const double u = (x + (k % samples + 0.5) / samples - 0.5 * side) / radius,
                       v = (0.5 * side - y - (k / samples + 0.5) / samples) / radius, z = 1 - u * u - v * v;
          // Seen along -z with x to the right, or along +z with x to the left; y up.
          const Vec3 direction =
              half == 0 ? Vec3{u, v, std::sqrt(std::max(0.0, z))} : Vec3{-u, v, -std::sqrt(std::max(0.0, z))};
          // The square root shows what is rare as well.
          grey += z < 0 ? paper : std::sqrt(density_at(density, direction) / most);
        }
        picture.set(half * side + x, y, grey / (samples * samples));
      }
    }
  }
  picture.write(file);
}

void write_euler(const std::filesystem::path& file, const PoseDensity& density) {
  constexpr int bar = 6, chart = PoseDensity::euler_steps * bar, gap = 20, height = 140, frame = 10;
  Picture picture(3 * chart + 4 * gap, height + 2 * frame, paper);
  for (std::size_t k = 0; k < 3; ++k) {
    const double most = *std::max_element(density.euler[k].begin(), density.euler[k].end());
    const int left = gap + static_cast<int>(k) * (chart + gap);
    for (int x = 0; x < chart; ++x) {
      picture.set(left + x, frame + height, 0);
      if (x % bar == bar - 1) continue;
      const double top = height * (1 - density.euler[k][static_cast<std::size_t>(x / bar)] / most);
      for (int y = 0; y < height; ++y) picture.set(left + x, frame + y, std::clamp(top - y, 0.25, 1.0));
    }
  }
  picture.write(file);
}

void write_orientations(const std::filesystem::path& file, const PoseDensity& density, const PointCloud& mesh) {
  constexpr int side = 160, across = 5;
  const pose::RenderMesh surface(mesh);
  Vec3 low = mesh.positions.at(0), high = low;
  for (const Vec3& p : mesh.positions) {
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
  }
  const Vec3 middle = 0.5 * (low + high);
  const double radius = 0.5 * norm(high - low), distance = 6 * radius;
  const double focal = 0.48 * side * distance / radius;
  const pose::Pinhole camera{focal, focal, 0.5 * side, 0.5 * side, side, side};
  const Mat3 camera_from_scene{1, 0, 0, 0, -1, 0, 0, 0, -1};  // from above, y up in the image
  const int count = static_cast<int>(density.orientations.size()), rows = (count + across - 1) / across;
  Picture picture(across * side, rows * side, paper);
  for (int i = 0; i < count; ++i) {
    const Mat3 rotation = camera_from_scene * density.orientations[static_cast<std::size_t>(i)].scene_from_part;
    const pose::PosedMesh posed{&surface, {rotation, Vec3{0, 0, distance} - rotation * middle}};
    const pose::RenderedView view = pose::render_view(std::span(&posed, 1), camera, {0, 0, 0});
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        const auto at = static_cast<std::size_t>(y * side + x);
        const double grey = view.image.depth[at] > 0 ? 0.1 + 0.75 * static_cast<double>(view.cosine[at]) : paper;
        picture.set((i % across) * side + x, (i / across) * side + y, grey);
      }
    }
  }
  picture.write(file);
}

}  // namespace

void write_density_pictures(const std::filesystem::path& folder, const std::string& name, const PoseDensity& density,
                            const PointCloud& mesh) {
  write_sphere(folder / (name + ".sphere.png"), density);
  write_euler(folder / (name + ".euler.png"), density);
  if (pose::depth_renderer_available()) write_orientations(folder / (name + ".orientations.png"), density, mesh);
}

}  // namespace dovetail
