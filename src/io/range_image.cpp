// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/range_image.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dovetail/error.h"
#include "dovetail/io.h"
#include "dovetail/units.h"
#include "io/depth_png.h"
#include "io/file.h"
#include "io/npy_header.h"

namespace dovetail {
namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& reason) {
  throw FileError(fmt::format("{}: {}", name, reason));
}

std::size_t pixels_of(const DepthCamera& camera) {
  return static_cast<std::size_t>(camera.width) * static_cast<std::size_t>(camera.height);
}

/// The camera of an image of so many pixels.
DepthCamera camera_for(const std::string& name, const std::optional<DepthCamera>& camera, std::uint64_t width,
                       std::uint64_t height) {
  constexpr std::uint64_t most = 65536;
  if (width < 1 || height < 1 || width > most || height > most) {
    refuse(name, fmt::format("{} x {} pixels; allowed: 1 to {} each", width, height, most));
  }
  if (!camera) refuse(name, "a camera is needed: an image does not tell where its pixels look");
  DepthCamera own = *camera;
  if ((own.width != 0 && static_cast<std::uint64_t>(own.width) != width) ||
      (own.height != 0 && static_cast<std::uint64_t>(own.height) != height)) {
    refuse(name, fmt::format("is {} x {} pixels, and its camera {} x {}", width, height, own.width, own.height));
  }
  own.width = static_cast<int>(width), own.height = static_cast<int>(height);
  return own;
}

/// Millimetres in a unit of these depths.
double unit_of(const std::vector<float>& depth, double millimetres) {
  return millimetres > 0 ? millimetres : likely_depth_unit(depth);
}

/// Refuses an image in which the only depths are negative ones.
void check_signs(const std::string& name, const std::vector<float>& depth) {
  float lowest = 0;
  for (const float d : depth) {
    if (d > 0) return;
    if (std::isfinite(d)) lowest = std::min(lowest, d);
  }
  if (lowest < 0) {
    refuse(name,
           fmt::format("all of its depths are negative, down to {:.6g}; allowed: more than 0 along the view, 0 or "
                       "NaN for none. Does its camera look along -z?",
                       static_cast<double>(lowest)));
  }
}

/// Depths that are not finite or not before the camera are none.
void clean(std::vector<float>& depth, double scale) {
  for (float& d : depth) {
    const double scaled = scale * static_cast<double>(d);
    d = std::isfinite(scaled) && scaled > 0 && scaled < 1e9 ? static_cast<float>(scaled) : 0.0f;
  }
}

/// Where a camera with Brown's distortion sees what an ideal one sees at (x, y), both at z = 1.
Vec2 distorted(const DepthCamera& camera, double x, double y) {
  const auto& [k1, k2, p1, p2, k3] = camera.distortion;
  const double r2 = x * x + y * y, radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3));
  return {x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x), y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y};
}

void undistort(RangeImage& image) {
  if (!image.camera.distorted()) return;
  const DepthCamera camera = image.camera;
  std::vector<float> ideal(image.depth.size(), 0.0f);
  for (int j = 0; j < camera.height; ++j) {
    for (int i = 0; i < camera.width; ++i) {
      const Vec3 ray = camera.direction(i, j);
      const Vec2 seen = distorted(camera, ray[0], ray[1]);
      const double x = std::round(camera.fx * seen[0] + camera.cx - camera.pixel_center);
      const double y = std::round(camera.fy * seen[1] + camera.cy - camera.pixel_center);
      if (!(x >= 0 && x < camera.width && y >= 0 && y < camera.height)) continue;
      ideal[static_cast<std::size_t>(j) * static_cast<std::size_t>(camera.width) + static_cast<std::size_t>(i)] =
          image.at(static_cast<int>(x), static_cast<int>(y));
    }
  }
  image.depth = std::move(ideal);
  image.camera.distortion = {};
}

RangeImage from_png(const std::string& name, std::string_view bytes, const std::optional<DepthCamera>& camera) {
  const io::DepthPng png = io::read_depth_png(name, bytes);
  RangeImage image{camera_for(name, camera, png.width, png.height), {}};
  image.depth.assign(png.steps.begin(), png.steps.end());
  clean(image.depth, image.camera.depth_scale > 0 ? image.camera.depth_scale : 1);
  return image;
}

RangeImage from_npy(const std::string& name, std::string_view bytes, const std::optional<DepthCamera>& camera,
                    double millimetres) {
  io::Cursor cursor(name, bytes);
  const io::NpyHeader header = io::read_npy_header(cursor);
  if (header.structured || header.shape.size() != 2) {
    cursor.fail("a range image is an array (rows, columns) of numbers; this one has {} dimensions",
                header.shape.size());
  }
  const std::uint64_t rows = header.shape[0], columns = header.shape[1];
  RangeImage image{camera_for(name, camera, columns, rows), {}};
  const std::size_t count = pixels_of(image.camera);
  const std::string_view items = cursor.take(count * header.record, "the depths");
  const io::ScalarType type = header.fields[0].type;
  image.depth.resize(count);
  io::with_type(type, [&]<class T>(std::type_identity<T>) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t stored = header.fortran_order ? i % columns * rows + i / columns : i;
      image.depth[i] = static_cast<float>(io::load<T>(items.data() + stored * header.record, header.order));
    }
  });
  check_signs(name, image.depth);
  if (!io::is_floating(type) && !(millimetres > 0)) {
    clean(image.depth, image.camera.depth_scale > 0 ? image.camera.depth_scale : 1);
  } else {
    clean(image.depth, unit_of(image.depth, millimetres));
  }
  return image;
}

/// a and b of pixel = a ratio + b that fit best.
struct Line {
  double sum = 0, ratio = 0, pixel = 0, square = 0, product = 0;
  void add(double r, double p) { sum += 1, ratio += r, pixel += p, square += r * r, product += r * p; }
  double slope() const { return (sum * product - ratio * pixel) / (sum * square - ratio * ratio); }
  double offset() const { return (pixel - slope() * ratio) / sum; }
};

/// Which way the axes of a cloud may lie: as a camera's, x right, y down, z along the view; as computer graphics has
/// them, y up and z against the view; then every other way that axes can be brought onto axes.
std::vector<Mat3> ways_to_look() {
  std::vector<Mat3> ways{Mat3::identity(), Mat3{1, 0, 0, 0, -1, 0, 0, 0, -1}};
  int axis[] = {0, 1, 2};
  do {
    for (int signs = 0; signs < 8; ++signs) {
      Mat3 way{};
      for (int k = 0; k < 3; ++k) way(k, axis[k]) = (signs >> k & 1) != 0 ? -1 : 1;
      if (determinant(way) > 0) ways.push_back(way);
    }
  } while (std::next_permutation(axis, axis + 3));
  return ways;
}

/// Whether most of a cloud is before a camera that looks that way.
bool before(const PointCloud& cloud, const Mat3& camera_from_cloud) {
  long front = 0, all = 0;
  for (const Vec3& p : cloud.positions) {
    const double depth = (camera_from_cloud * p)[2];
    if (std::isfinite(depth)) ++all, front += depth > 0;
  }
  return 2 * front > all;
}

/// A pinhole camera, its pixels' centres at whole numbers, and by how many pixels it is off at most.
struct FittedCamera {
  DepthCamera camera;
  double off = std::numeric_limits<double>::infinity();

  bool fits() const { return camera.fx > 0 && camera.fy > 0 && off < 1; }
};

FittedCamera fitted_camera(const PointCloud& cloud, const Mat3& camera_from_cloud) {
  Line across, down;
  const auto each = [&](const auto& use) {
    for (std::uint32_t j = 0; j < cloud.height; ++j) {
      for (std::uint32_t i = 0; i < cloud.width; ++i) {
        const Vec3 p = camera_from_cloud * cloud.positions[static_cast<std::size_t>(j) * cloud.width + i];
        if (std::isfinite(p[0]) && std::isfinite(p[1]) && p[2] > 0)
          use(p, static_cast<double>(i), static_cast<double>(j));
      }
    }
  };
  each([&](const Vec3& p, double i, double j) { across.add(p[0] / p[2], i), down.add(p[1] / p[2], j); });
  FittedCamera fitted;
  if (across.sum == 0) return fitted;
  DepthCamera& camera = fitted.camera;
  camera.width = static_cast<int>(cloud.width), camera.height = static_cast<int>(cloud.height);
  camera.fx = across.slope(), camera.fy = down.slope(), camera.cx = across.offset(), camera.cy = down.offset();
  double largest = 0;
  each([&](const Vec3& p, double i, double j) {
    largest = std::max({largest, std::fabs(camera.fx * p[0] / p[2] + camera.cx - i),
                        std::fabs(camera.fy * p[1] / p[2] + camera.cy - j)});
  });
  fitted.off = largest;
  return fitted;
}

/// How an organised cloud was seen.
struct CloudView {
  DepthCamera camera;
  Mat3 camera_from_cloud = Mat3::identity();
};

CloudView view_of(const PointCloud& cloud, const std::string& name, const std::optional<DepthCamera>& camera) {
  double least = std::numeric_limits<double>::infinity();
  for (const Mat3& way : ways_to_look()) {
    if (!before(cloud, way)) continue;
    // Whoever gives the camera of what lies before it along z knows better.
    if (camera && way == Mat3::identity()) return {camera_for(name, camera, cloud.width, cloud.height), way};
    const FittedCamera fitted = fitted_camera(cloud, way);
    if (fitted.fits()) return {camera ? camera_for(name, camera, cloud.width, cloud.height) : fitted.camera, way};
    least = std::min(least, fitted.off);
  }
  if (std::isinf(least)) refuse(name, "it has no points");
  refuse(name, fmt::format("no pinhole camera at the origin that looks along an axis sees its points at their pixels: "
                           "the best one is off by {:.3g} pixels",
                           least));
}

}  // namespace

RangeImage range_image_of(const PointCloud& cloud, const std::optional<DepthCamera>& camera, double millimetres,
                          const std::string& name) {
  if (!cloud.organised() || cloud.size() != static_cast<std::size_t>(cloud.width) * cloud.height || cloud.height < 2) {
    refuse(name, "is no range image: its points are not in rows and columns (an organised cloud)");
  }
  const CloudView view = view_of(cloud, name, camera);
  RangeImage image{view.camera, {}};
  for (const Vec3& p : cloud.positions) image.depth.push_back(static_cast<float>((view.camera_from_cloud * p)[2]));
  if (view.camera_from_cloud != Mat3::identity()) {
    image.cloud_from_camera = Rigid3{transpose(view.camera_from_cloud), {}};
  }
  clean(image.depth, unit_of(image.depth, millimetres));
  undistort(image);
  return image;
}

RangeImage read_range_image(const std::filesystem::path& file, const std::optional<DepthCamera>& camera,
                            double millimetres) {
  const std::string name = file.string();
  const io::FileBytes bytes(file);
  RangeImage image;
  if (bytes.view().starts_with("\x89PNG")) {
    image = from_png(name, bytes.view(), camera);
  } else if (bytes.view().starts_with("\x93NUMPY")) {
    image = from_npy(name, bytes.view(), camera, millimetres);
  } else {
    return range_image_of(read_points(file), camera, millimetres, name);
  }
  undistort(image);
  return image;
}

}  // namespace dovetail
