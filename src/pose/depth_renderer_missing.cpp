// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/error.h"
#include "pose/depth_renderer.h"

namespace dovetail::pose {
namespace {

[[noreturn]] void refuse() {
  throw MachineError("depth images are not rendered by this build: that needs Embree 3 (Debian: libembree-dev)");
}

}  // namespace

struct RenderMesh::Prepared {};

bool depth_renderer_available() { return false; }

RenderMesh::RenderMesh(const PointCloud&) { refuse(); }
RenderMesh::~RenderMesh() = default;
RenderMesh::RenderMesh(RenderMesh&&) noexcept = default;
RenderMesh& RenderMesh::operator=(RenderMesh&&) noexcept = default;

template <class Camera>
RenderedDepth render_depth(std::span<const PosedMesh>, const Camera&, const PixelRegion&) {
  refuse();
}
template RenderedDepth render_depth(std::span<const PosedMesh>, const Pinhole&, const PixelRegion&);
template RenderedDepth render_depth(std::span<const PosedMesh>, const Orthographic&, const PixelRegion&);
template <class Camera>
RenderedSurface render_surface(std::span<const PosedMesh>, const Camera&, const PixelRegion&) {
  refuse();
}
template RenderedSurface render_surface(std::span<const PosedMesh>, const Pinhole&, const PixelRegion&);
template RenderedSurface render_surface(std::span<const PosedMesh>, const Orthographic&, const PixelRegion&);
RenderedView render_view(std::span<const PosedMesh>, const Pinhole&, const Vec3&) { refuse(); }
PixelRegion region_of(const PosedMesh&, const Pinhole&) { refuse(); }

}  // namespace dovetail::pose
