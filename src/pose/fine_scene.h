// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <span>
#include <vector>

#include "backend/backend.h"
#include "pose/background.h"
#include "pose/wanted_part.h"

namespace dovetail::pose {

/// A scene and the parts that are looked for in it, in a machine's memory. The scene and its background have to outlive
/// it.
class FineScene {
 public:
  /// By the parts' numbers.
  using Shapes = std::shared_ptr<const std::vector<PlacedShape>>;
  FineScene(Backend& backend, const RangeScene& scene, const Background& background, Shapes shapes);
  FineScene(const FineScene&) = delete;
  FineScene& operator=(const FineScene&) = delete;

  Backend& backend() const { return backend_; }
  const RangeScene& scene() const { return scene_; }
  const SceneView& view() const { return view_; }
  const raster::Camera& camera() const { return camera_; }
  const PlacedShape& part(const WantedPart& wanted) const { return (*shapes_)[wanted.index]; }
  std::size_t part_count() const { return shapes_->size(); }
  std::uint32_t most_triangles() const { return most_triangles_; }

 private:
  Backend& backend_;
  const RangeScene& scene_;
  std::vector<ScenePixel> pixels_;
  std::vector<ScenePlane> planes_;
  SceneView view_;
  raster::Camera camera_;
  Shapes shapes_;
  std::uint32_t most_triangles_ = 0;
  Keeper keeper_;
};

/// How far points may be off, from the first step to the last, mm; and, where the image is asked in the end what it
/// says of them, how far an explained one may be.
struct FineSettings {
  double first = 0, last = 0;
  int iterations = 15;
  double tolerance = 0;
};

/// A refined camera_from_part.
struct FinePose {
  Rigid3 pose = Rigid3::identity();
  fine::PointVerdict verdict;
};

/// A pose of a part, as one of its references shows it.
struct ReferencePose {
  const WantedPart* wanted = nullptr;
  std::size_t reference = 0;
  Rigid3 pose = Rigid3::identity();
  FineSettings settings;
};
/// Refines them by the points of their references, all at once. Stopped before its end it returns nothing.
std::vector<FinePose> refine_references(const FineScene& scene, std::span<const ReferencePose> poses,
                                        const Control& control);

/// A pose of a part, and points of its surface that are seen there, in the part's frame.
struct SeenPose {
  std::vector<Vec3> points;
  Rigid3 pose = Rigid3::identity();
  FineSettings settings;
};
/// Refines them by these points, likewise.
std::vector<FinePose> refine_seen(const FineScene& scene, std::span<const SeenPose> poses, const Control& control);

}  // namespace dovetail::pose
