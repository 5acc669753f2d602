// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <embree3/rtcore.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <new>
#include <type_traits>

#include "dovetail/error.h"
#include "pose/depth_renderer.h"

namespace dovetail::pose {
namespace {

template <class Handle, void (*release)(Handle)>
struct Release {
  void operator()(std::remove_pointer_t<Handle>* handle) const { release(handle); }
};
template <class Handle, void (*release)(Handle)>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Release<Handle, release>>;
using Scene = Owned<RTCScene, rtcReleaseScene>;
using Geometry = Owned<RTCGeometry, rtcReleaseGeometry>;

[[noreturn]] void fail(RTCError error) {
  if (error == RTC_ERROR_OUT_OF_MEMORY) throw std::bad_alloc();
  throw MachineError(fmt::format("Embree failed with error {}", static_cast<int>(error)));
}

/// One for the process: only what belongs to the same device goes into a scene together.
RTCDevice device() {
  static const Owned<RTCDevice, rtcReleaseDevice> only(rtcNewDevice(nullptr));
  if (!only) fail(rtcGetDeviceError(nullptr));
  return only.get();
}

void commit(RTCScene scene) {
  rtcCommitScene(scene);
  if (const RTCError error = rtcGetDeviceError(device()); error != RTC_ERROR_NONE) fail(error);
}

using Triangle = std::array<std::uint32_t, 3>;

}  // namespace

struct RenderMesh::Prepared {
  std::vector<Vec3> points;
  std::vector<Triangle> triangles;
  Vec3 low{}, high{};
  Scene scene;
};

namespace {

/// Polygons become fans of triangles.
std::vector<Triangle> triangles_of(const Faces& faces) {
  std::vector<Triangle> triangles;
  for (std::size_t face = 0; face < faces.size(); ++face) {
    const std::uint32_t first = faces.start[face];
    for (std::uint32_t k = first + 2; k < faces.start[face + 1]; ++k) {
      triangles.push_back({faces.index[first], faces.index[k - 1], faces.index[k]});
    }
  }
  return triangles;
}

void check(const PointCloud& mesh) {
  if (mesh.faces.empty()) throw InvalidArgument("render: the mesh has no faces; there is nothing to see");
  for (const std::uint32_t corner : mesh.faces.index) {
    if (corner < mesh.size()) continue;
    throw InvalidArgument(fmt::format("render: mesh.faces: {} is not allowed; allowed: indices of the mesh's {} points",
                                      corner, mesh.size()));
  }
  for (const Vec3& p : mesh.positions) {
    if (std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2])) continue;
    throw InvalidArgument("render: a point of the mesh is not finite");
  }
}

void* buffer(RTCGeometry geometry, RTCBufferType type, RTCFormat format, std::size_t stride, std::size_t count) {
  void* const memory = rtcSetNewGeometryBuffer(geometry, type, 0, format, stride, count);
  if (!memory) fail(rtcGetDeviceError(device()));
  return memory;
}

Scene scene_of(const std::vector<Vec3>& points, const std::vector<Triangle>& triangles) {
  const Geometry geometry(rtcNewGeometry(device(), RTC_GEOMETRY_TYPE_TRIANGLE));
  auto* xyz = static_cast<float*>(
      buffer(geometry.get(), RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, 3 * sizeof(float), points.size()));
  for (const Vec3& p : points) {
    for (int k = 0; k < 3; ++k) *xyz++ = static_cast<float>(p[k]);
  }
  auto* const corners = static_cast<std::uint32_t*>(
      buffer(geometry.get(), RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3, sizeof(Triangle), triangles.size()));
  for (std::size_t i = 0; i < triangles.size(); ++i) std::copy_n(triangles[i].data(), 3, corners + 3 * i);
  rtcCommitGeometry(geometry.get());
  Scene scene(rtcNewScene(device()));
  rtcSetSceneFlags(scene.get(), RTC_SCENE_FLAG_ROBUST);
  rtcAttachGeometry(scene.get(), geometry.get());
  commit(scene.get());
  return scene;
}

/// The meshes at their poses, each standing for the one that was prepared.
Scene scene_of(std::span<const PosedMesh> posed) {
  Scene scene(rtcNewScene(device()));
  rtcSetSceneFlags(scene.get(), RTC_SCENE_FLAG_ROBUST);
  for (std::size_t i = 0; i < posed.size(); ++i) {
    const Geometry instance(rtcNewGeometry(device(), RTC_GEOMETRY_TYPE_INSTANCE));
    rtcSetGeometryInstancedScene(instance.get(), posed[i].mesh->prepared().scene.get());
    const Rigid3& pose = posed[i].camera_from_mesh;
    float rows[12];
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 4; ++c) {
        rows[4 * r + c] = static_cast<float>(c < 3 ? pose.rotation(r, c) : pose.translation[r]);
      }
    }
    rtcSetGeometryTransform(instance.get(), 0, RTC_FORMAT_FLOAT3X4_ROW_MAJOR, rows);
    rtcCommitGeometry(instance.get());
    rtcAttachGeometryByID(scene.get(), instance.get(), static_cast<unsigned>(i));
  }
  commit(scene.get());
  return scene;
}

struct Hit {
  double depth = 0;
  std::int32_t part = -1;
  std::uint32_t triangle = 0;
};

/// Not of unit length.
Vec3 normal_at(std::span<const PosedMesh> posed, const Hit& hit) {
  const PosedMesh& at = posed[static_cast<std::size_t>(hit.part)];
  const RenderMesh::Prepared& mesh = at.mesh->prepared();
  const Triangle& corner = mesh.triangles[hit.triangle];
  const Vec3 &a = mesh.points[corner[0]], &b = mesh.points[corner[1]], &c = mesh.points[corner[2]];
  return at.camera_from_mesh.rotation * cross(b - a, c - a);
}

/// Whether nothing is between a point of a surface and another place.
bool sees(RTCScene scene, const Vec3& point, const Vec3& other) {
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  RTCRay ray{};
  const Vec3 way = other - point;
  ray.org_x = static_cast<float>(point[0]), ray.org_y = static_cast<float>(point[1]);
  ray.org_z = static_cast<float>(point[2]);
  ray.dir_x = static_cast<float>(way[0]), ray.dir_y = static_cast<float>(way[1]);
  ray.dir_z = static_cast<float>(way[2]);
  ray.tnear = 1e-4f;  // of the way: off the surface itself, whatever rounding did
  ray.tfar = 1;
  ray.mask = 0xFFFFFFFFu;
  rtcOccluded1(scene, &context, &ray);
  return !(ray.tfar < 0);
}

/// Where the ray meets the triangle's plane. Embree finds the triangle in float; how far it is need not suffer from
/// that.
double exact_depth(const PosedMesh& posed, std::uint32_t triangle, const ViewRay& ray, double found) {
  const RenderMesh::Prepared& mesh = posed.mesh->prepared();
  const Triangle& corner = mesh.triangles[triangle];
  const Vec3 a = posed.camera_from_mesh * mesh.points[corner[0]], b = posed.camera_from_mesh * mesh.points[corner[1]],
             c = posed.camera_from_mesh * mesh.points[corner[2]];
  const Vec3 normal = cross(b - a, c - a);
  const double depth = dot(normal, a - ray.origin) / dot(normal, ray.direction);
  // A triangle that is seen edge-on has no better answer than the one found.
  return std::fabs(depth - found) <= 1e-4 * found ? depth : found;
}

Hit first_hit(RTCScene scene, std::span<const PosedMesh> posed, const ViewRay& view) {
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  RTCRayHit ray{};
  ray.ray.org_x = static_cast<float>(view.origin[0]);
  ray.ray.org_y = static_cast<float>(view.origin[1]);
  ray.ray.dir_x = static_cast<float>(view.direction[0]);
  ray.ray.dir_y = static_cast<float>(view.direction[1]);
  ray.ray.dir_z = 1;
  ray.ray.tfar = std::numeric_limits<float>::infinity();
  ray.ray.mask = 0xFFFFFFFFu;
  ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  ray.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
  rtcIntersect1(scene, &context, &ray);
  if (ray.hit.geomID == RTC_INVALID_GEOMETRY_ID) return {};
  const unsigned part = ray.hit.instID[0];
  return {exact_depth(posed[part], ray.hit.primID, view, ray.ray.tfar), static_cast<std::int32_t>(part),
          ray.hit.primID};
}

void check_size(int width, int height) {
  constexpr int most = 65536;
  if (width < 1 || width > most || height < 1 || height > most) {
    throw InvalidArgument(
        fmt::format("camera: {} x {} pixels are not allowed; allowed: 1 to {} each", width, height, most));
  }
}

void check(const Orthographic& camera) {
  if (!(camera.pixel > 0) || !std::isfinite(camera.pixel) || !std::isfinite(camera.cx) || !std::isfinite(camera.cy)) {
    throw InvalidArgument(
        fmt::format("camera: pixels of {} about {}, {} are not allowed; allowed: finite, and pixels larger than 0",
                    camera.pixel, camera.cx, camera.cy));
  }
  check_size(camera.width, camera.height);
}

void check(const Pinhole& camera) {
  const bool fine = camera.fx > 0 && camera.fy > 0 && std::isfinite(camera.fx) && std::isfinite(camera.fy) &&
                    std::isfinite(camera.cx) && std::isfinite(camera.cy);
  if (!fine) {
    throw InvalidArgument(
        fmt::format("camera: fx {}, fy {}, cx {}, cy {} are not allowed; allowed: finite, and focal "
                    "lengths more than 0",
                    camera.fx, camera.fy, camera.cx, camera.cy));
  }
  check_size(camera.width, camera.height);
}

RenderedDepth nothing(const PixelRegion& region) {
  return {region, std::vector<float>(region.pixels(), 0.0f), std::vector<std::int32_t>(region.pixels(), -1)};
}

/// Calls seen(pixel's offset, ray, hit) for each pixel of a region that shows something.
template <class Camera, class Seen>
void cast(RTCScene scene, std::span<const PosedMesh> posed, const Camera& camera, const PixelRegion& region,
          const Seen& seen) {
  std::size_t at = 0;
  for (int y = region.top; y < region.bottom(); ++y) {
    for (int x = region.left; x < region.right(); ++x, ++at) {
      const ViewRay ray = camera.ray(x + 0.5, y + 0.5);
      if (const Hit hit = first_hit(scene, posed, ray); hit.part >= 0) seen(at, ray, hit);
    }
  }
}

template <class Camera>
RenderedSurface surface_in(RTCScene scene, std::span<const PosedMesh> posed, const Camera& camera,
                           const PixelRegion& region) {
  RenderedSurface surface{nothing(region), {}, {}};
  surface.normal.assign(region.pixels(), Vec3f{});
  surface.cosine.assign(region.pixels(), 0.0f);
  cast(scene, posed, camera, region, [&](std::size_t at, const ViewRay& ray, const Hit& hit) {
    surface.image.depth[at] = static_cast<float>(hit.depth);
    surface.image.part[at] = hit.part;
    const Vec3 normal = normal_at(posed, hit);
    const double size = norm(normal);
    if (!(size > 0)) return;
    const double slope = dot(normal, ray.direction);
    surface.normal[at] = ((slope > 0 ? -1 : 1) / size * normal).cast<float>();
    surface.cosine[at] = static_cast<float>(std::fabs(slope) / (size * norm(ray.direction)));
  });
  return surface;
}

}  // namespace

bool depth_renderer_available() { return true; }

RenderMesh::RenderMesh(const PointCloud& mesh) : prepared_(std::make_unique<Prepared>()) {
  check(mesh);
  prepared_->points = mesh.positions;
  prepared_->triangles = triangles_of(mesh.faces);
  constexpr double far = std::numeric_limits<double>::infinity();
  prepared_->low = {far, far, far}, prepared_->high = {-far, -far, -far};
  for (const Triangle& triangle : prepared_->triangles) {
    for (const std::uint32_t corner : triangle) {
      for (int k = 0; k < 3; ++k) {
        prepared_->low[k] = std::min(prepared_->low[k], mesh.positions[corner][k]);
        prepared_->high[k] = std::max(prepared_->high[k], mesh.positions[corner][k]);
      }
    }
  }
  if (prepared_->triangles.empty()) throw InvalidArgument("render: the mesh has no triangle; there is nothing to see");
  prepared_->scene = scene_of(prepared_->points, prepared_->triangles);
}
RenderMesh::~RenderMesh() = default;
RenderMesh::RenderMesh(RenderMesh&&) noexcept = default;
RenderMesh& RenderMesh::operator=(RenderMesh&&) noexcept = default;

template <class Camera>
RenderedDepth render_depth(std::span<const PosedMesh> posed, const Camera& camera, const PixelRegion& region) {
  check(camera);
  RenderedDepth image = nothing(common(region, whole_image(camera)));
  if (posed.empty() || image.region.empty()) return image;
  const Scene scene = scene_of(posed);
  cast(scene.get(), posed, camera, image.region, [&](std::size_t at, const ViewRay&, const Hit& hit) {
    image.depth[at] = static_cast<float>(hit.depth);
    image.part[at] = hit.part;
  });
  return image;
}
template RenderedDepth render_depth(std::span<const PosedMesh>, const Pinhole&, const PixelRegion&);
template RenderedDepth render_depth(std::span<const PosedMesh>, const Orthographic&, const PixelRegion&);

template <class Camera>
RenderedSurface render_surface(std::span<const PosedMesh> posed, const Camera& camera, const PixelRegion& region) {
  check(camera);
  const Scene scene = scene_of(posed);
  return surface_in(scene.get(), posed, camera, common(region, whole_image(camera)));
}
template RenderedSurface render_surface(std::span<const PosedMesh>, const Pinhole&, const PixelRegion&);
template RenderedSurface render_surface(std::span<const PosedMesh>, const Orthographic&, const PixelRegion&);

RenderedView render_view(std::span<const PosedMesh> posed, const Pinhole& camera, const Vec3& light) {
  check(camera);
  const Scene scene = scene_of(posed);
  RenderedView view{{surface_in(scene.get(), posed, camera, whole_image(camera))}, {}};
  const RenderedDepth& image = view.image;
  view.lit.assign(image.depth.size(), 0);
  std::size_t at = 0;
  for (int y = 0; y < camera.height; ++y) {
    for (int x = 0; x < camera.width; ++x, ++at) {
      if (image.part[at] < 0) continue;
      view.lit[at] =
          sees(scene.get(), static_cast<double>(image.depth[at]) * camera.direction(x + 0.5, y + 0.5), light);
    }
  }
  return view;
}

PixelRegion region_of(const PosedMesh& posed, const Pinhole& camera) {
  const RenderMesh::Prepared& mesh = posed.mesh->prepared();
  const double size = norm(mesh.high - mesh.low);
  double low_u = std::numeric_limits<double>::infinity(), low_v = low_u, high_u = -low_u, high_v = -low_u;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 p =
        posed.camera_from_mesh * Vec3{corner & 1 ? mesh.high[0] : mesh.low[0], corner & 2 ? mesh.high[1] : mesh.low[1],
                                      corner & 4 ? mesh.high[2] : mesh.low[2]};
    if (!(p[2] > 1e-6 * size)) return whole_image(camera);
    const double u = camera.fx * p[0] / p[2] + camera.cx, v = camera.fy * p[1] / p[2] + camera.cy;
    low_u = std::min(low_u, u), high_u = std::max(high_u, u);
    low_v = std::min(low_v, v), high_v = std::max(high_v, v);
  }
  // A pixel more on every side: the edge of the box may be the edge of the mesh. Kept within what an int holds.
  const auto pixel = [](double place, int size_of_image) {
    return static_cast<int>(std::clamp(std::floor(place), -1.0, size_of_image + 1.0));
  };
  const int left = pixel(low_u - 1, camera.width), right = pixel(high_u + 2, camera.width);
  const int top = pixel(low_v - 1, camera.height), bottom = pixel(high_v + 2, camera.height);
  return common({left, top, right - left, bottom - top}, whole_image(camera));
}

}  // namespace dovetail::pose
