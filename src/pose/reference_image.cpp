// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/reference_image.h"

#include <algorithm>
#include <cmath>

#include "pose/edge_image.h"

namespace dovetail::pose {

void render_reference(const PoseReferences& part, const RenderMesh& mesh, const Quaternion<double>& orientation,
                      PoseReference& reference, std::span<ReferencePixel> image) {
  const int size = part.image_size;
  const Orthographic camera{part.pixel, size / 2.0, size / 2.0, size, size};
  // Wholly before the camera: the centre's depth is twice the radius.
  const PosedMesh posed{&mesh, {matrix_from_quaternion(orientation), {0, 0, 2 * part.radius}}};
  const RenderedSurface seen = render_surface(std::span(&posed, 1), camera, whole_image(camera));
  const std::span<const float> depth = seen.image.depth;
  const std::vector<float> distance =
      edge_distance(depth, depth_edges(depth, size, size, part.edge_step), size, size, part.distance_limit);

  reference = {};
  std::copy_n(orientation.data, 4, reference.orientation);
  PixelRegion box;
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      const std::size_t at = seen.image.region.offset(x, y);
      ReferencePixel& pixel = image[at];
      pixel = {0, static_cast<std::int8_t>(std::lround(static_cast<double>(distance[at]) / part.distance_step)), 0};
      if (seen.image.part[at] < 0) continue;
      const double along = (static_cast<double>(depth[at]) - part.radius) / (2 * part.radius);
      pixel.depth = static_cast<std::uint16_t>(1 + std::lround(65534 * std::clamp(along, 0.0, 1.0)));
      pixel.confidence =
          static_cast<std::uint8_t>(std::max(1l, std::lround(255 * static_cast<double>(seen.cosine[at]))));
      box = around(box, {x, y, 1, 1});
      ++reference.pixels;
    }
  }
  reference.left = static_cast<std::uint16_t>(box.left), reference.top = static_cast<std::uint16_t>(box.top);
  reference.width = static_cast<std::uint16_t>(box.width), reference.height = static_cast<std::uint16_t>(box.height);
}

}  // namespace dovetail::pose
