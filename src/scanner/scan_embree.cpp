// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <embree3/rtcore.h>
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "dovetail/error.h"
#include "scanner/scan_options.h"

namespace dovetail {
namespace {

template <class Handle, void (*release)(Handle)>
struct Release {
  void operator()(std::remove_pointer_t<Handle>* handle) const { release(handle); }
};
template <class Handle, void (*release)(Handle)>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Release<Handle, release>>;

/// What a ray meets first.
struct Hit {
  float range = std::numeric_limits<float>::infinity();  ///< along the ray's unit direction; infinite: nothing
  std::int32_t part = -1;
};

/// Meshes that rays can be sent at.
class RayScene {
 public:
  explicit RayScene(std::span<const ScenePart> parts) : device_(rtcNewDevice(nullptr)) {
    if (!device_) fail(rtcGetDeviceError(nullptr));
    scene_.reset(rtcNewScene(device_.get()));
    rtcSetSceneFlags(scene_.get(), RTC_SCENE_FLAG_ROBUST);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Owned<RTCGeometry, rtcReleaseGeometry> geometry(rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_TRIANGLE));
      add_points(geometry.get(), parts[i]);
      add_triangles(geometry.get(), parts[i].mesh->faces);
      rtcCommitGeometry(geometry.get());
      rtcAttachGeometryByID(scene_.get(), geometry.get(), static_cast<unsigned>(i));
    }
    rtcCommitScene(scene_.get());
    if (const RTCError error = rtcGetDeviceError(device_.get()); error != RTC_ERROR_NONE) fail(error);
  }

  /// The first surface along a unit direction.
  Hit first_hit(const Vec3f& origin, const Vec3f& direction) const {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRayHit ray{};
    ray.ray.org_x = origin[0], ray.ray.org_y = origin[1], ray.ray.org_z = origin[2];
    ray.ray.dir_x = direction[0], ray.ray.dir_y = direction[1], ray.ray.dir_z = direction[2];
    ray.ray.tfar = std::numeric_limits<float>::infinity();
    ray.ray.mask = 0xFFFFFFFFu;
    ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(scene_.get(), &context, &ray);
    if (ray.hit.geomID == RTC_INVALID_GEOMETRY_ID) return {};
    return {ray.ray.tfar, static_cast<std::int32_t>(ray.hit.geomID)};
  }

 private:
  [[noreturn]] static void fail(RTCError error) {
    if (error == RTC_ERROR_OUT_OF_MEMORY) throw std::bad_alloc();
    throw MachineError(fmt::format("Embree failed with error {}", static_cast<int>(error)));
  }

  void* buffer(RTCGeometry geometry, RTCBufferType type, RTCFormat format, std::size_t stride, std::size_t count) {
    void* const memory = rtcSetNewGeometryBuffer(geometry, type, 0, format, stride, count);
    if (!memory) fail(rtcGetDeviceError(device_.get()));
    return memory;
  }

  void add_points(RTCGeometry geometry, const ScenePart& part) {
    const PointCloud& mesh = *part.mesh;
    const bool moved = part.scene_from_part.matrix != Mat4::identity();  // one that stays keeps the very bits
    auto* const xyz = static_cast<float*>(
        buffer(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, 3 * sizeof(float), mesh.size()));
    for (std::size_t i = 0; i < mesh.size(); ++i) {
      const Vec3 p = moved ? part.scene_from_part * mesh.positions[i] : mesh.positions[i];
      for (int k = 0; k < 3; ++k) xyz[3 * i + static_cast<std::size_t>(k)] = static_cast<float>(p[k]);
    }
  }

  /// Polygons become fans of triangles.
  void add_triangles(RTCGeometry geometry, const Faces& faces) {
    std::vector<std::uint32_t> corners;
    for (std::size_t face = 0; face < faces.size(); ++face) {
      const std::uint32_t first = faces.start[face];
      for (std::uint32_t k = first + 2; k < faces.start[face + 1]; ++k) {
        corners.insert(corners.end(), {faces.index[first], faces.index[k - 1], faces.index[k]});
      }
    }
    auto* const memory = static_cast<std::uint32_t*>(
        buffer(geometry, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3, 3 * sizeof(std::uint32_t), corners.size() / 3));
    std::copy(corners.begin(), corners.end(), memory);
  }

  Owned<RTCDevice, rtcReleaseDevice> device_;
  Owned<RTCScene, rtcReleaseScene> scene_;
};

/// The organised cloud, and the part that each pixel shows.
PointCloud range_image(const RayScene& scene, const ScanOptions& options, std::vector<std::int32_t>& labels) {
  const Rigid3 sensor = options.mesh_from_sensor.as<Rigid3>();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  PointCloud cloud;
  cloud.width = static_cast<std::uint32_t>(options.width);
  cloud.height = static_cast<std::uint32_t>(options.height);
  cloud.precision = Precision::float32;
  cloud.positions.reserve(std::size_t{cloud.width} * cloud.height);
  labels.reserve(std::size_t{cloud.width} * cloud.height);
  for (int row = 0; row < options.height; ++row) {
    for (int column = 0; column < options.width; ++column) {
      const Vec3 direction = scanner::ray_direction(options, column, row);
      const Hit hit = scene.first_hit(sensor.translation.cast<float>(), (sensor.rotation * direction).cast<float>());
      const double measured =
          std::isfinite(hit.range) ? scanner::measured_range(options, cloud.positions.size(), hit.range) : nan;
      cloud.positions.push_back(direction * measured);
      labels.push_back(std::isnan(measured) ? -1 : hit.part);
    }
  }
  return cloud;
}

}  // namespace

bool scanner_available() { return true; }

PointCloud scan(std::span<const ScenePart> scene, const ScanOptions& options) {
  scanner::check(scene, options);
  std::vector<std::int32_t> labels;
  PointCloud cloud = range_image(RayScene(scene), options, labels);
  cloud.attributes.push_back({"label", 1, std::move(labels)});
  return cloud;
}

PointCloud scan(const PointCloud& mesh, const ScanOptions& options) {
  const ScenePart part = {&mesh, {}};
  PointCloud cloud = scan({&part, 1}, options);
  cloud.attributes.clear();
  return cloud;
}

}  // namespace dovetail
