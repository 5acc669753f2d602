// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "dovetail/models.h"
#include "dovetail/points.h"
#include "pose/pinhole.h"

// What a camera sees of meshes at given poses, by casting a ray through the centre of each pixel. A camera is a Pinhole
// or an Orthographic.

namespace dovetail::pose {

/// Whether the renderer was built in: it needs Embree.
bool depth_renderer_available();

/// A mesh that rays can be sent at. Made once, it serves any number of poses, images and threads.
class RenderMesh {
 public:
  /// Keeps what it needs of the mesh. Polygons become fans of triangles. Throws InvalidArgument for a mesh without
  /// faces or with points that are not finite, MachineError where the renderer was not built in.
  explicit RenderMesh(const PointCloud& mesh);
  ~RenderMesh();
  RenderMesh(RenderMesh&&) noexcept;
  RenderMesh& operator=(RenderMesh&&) noexcept;

  struct Prepared;
  const Prepared& prepared() const { return *prepared_; }

 private:
  std::unique_ptr<Prepared> prepared_;
};

/// A mesh that stands somewhere before the camera. It must stay until the call it is given to returns.
struct PosedMesh {
  const RenderMesh* mesh = nullptr;
  Rigid3 camera_from_mesh = Rigid3::identity();
};

/// What the pixels of a region show, row by row.
struct RenderedDepth {
  PixelRegion region;
  std::vector<float> depth;        ///< along z, in the meshes' units; 0 where there is nothing
  std::vector<std::int32_t> part;  ///< index of the mesh that is seen; -1 where there is none

  float depth_at(int x, int y) const { return region.contains(x, y) ? depth[region.offset(x, y)] : 0; }
};

/// The nearest surface at each pixel of a region (what of it lies in the image); faces are seen from both sides, and
/// what lies behind the camera is not. Runs in the calling thread. A camera out of range is an InvalidArgument.
template <class Camera>
RenderedDepth render_depth(std::span<const PosedMesh> scene, const Camera& camera, const PixelRegion& region);
template <class Camera>
RenderedDepth render_depth(std::span<const PosedMesh> scene, const Camera& camera) {
  return render_depth(scene, camera, whole_image(camera));
}

/// Depth, and how the surface lies.
struct RenderedSurface {
  RenderedDepth image;
  std::vector<Vec3f> normal;  ///< unit length, towards the camera; zero where there is nothing; row by row as the depth
  std::vector<float> cosine;  ///< of the angle between ray and surface normal, 0 to 1; 0 where there is nothing
};

template <class Camera>
RenderedSurface render_surface(std::span<const PosedMesh> scene, const Camera& camera, const PixelRegion& region);

/// Depth, and what a sensor that lights the scene itself makes of it.
struct RenderedView : RenderedSurface {
  std::vector<std::uint8_t> lit;  ///< 1: nothing is between the surface and the light; row by row as the depth
};

/// The whole image of a scene with a light somewhere in the camera's frame.
RenderedView render_view(std::span<const PosedMesh> scene, const Pinhole& camera, const Vec3& light);

/// The pixels that a mesh can be seen at: those about its bounding box, or the whole image where a part of the box does
/// not lie before the camera.
PixelRegion region_of(const PosedMesh& posed, const Pinhole& camera);

}  // namespace dovetail::pose
