// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "find/cases.h"
#include "spatial/kd_tree.h"
#include "spatial/left_balanced_tree.h"
#include "spatial/local_cloud.h"

// The table of the GPICP thesis, laid again: a scene of 60,000 points, three objects, 21 instances of them. Lengths are
// millimetres, in float about the scene's middle.

namespace dovetail::bench::gpicp_studies {

/// An object, as a cloud of some of its points along a curve.
struct StudiedObject {
  const find::SoughtObject* sought = nullptr;
  LocalCloud cloud;
  Vec3 centroid{};
  double radius = 0;  ///< root mean square distance from the centroid

  CloudView view() const;
  std::uint32_t size() const { return static_cast<std::uint32_t>(cloud.size()); }
};

/// One of those on the table, and how it is guessed to stand: any way round, moved to one side.
struct Instance {
  std::size_t object = 0;
  bool visible = false;                         ///< enough of it for a right answer to be asked for
  Similarity3 truth = Similarity3::identity();  ///< local_from_object
  Mat3 turn;                                    ///< of the guess
  Vec3 aside{};                                 ///< unit: where the guess is shifted to
};

struct Scene {
  find::Case laid;
  Vec3 middle{};
  LocalCloud cloud;
  KdTree tree;
  LeftBalancedTree left_balanced;
  FieldLevel field_level;
  Placed<FieldView> field;
  std::vector<Instance> instances;  ///< mugs, liqueur glasses, glasses

  double tree_ms = 0, left_balanced_ms = 0, field_ms = 0;  ///< that building took

  /// The instances of an object, all or so many.
  std::vector<const Instance*> of(std::size_t object, std::size_t most = 1000) const;
  /// A pose as one of files.
  Transform scene_from_object(const Similarity3& local) const;
  /// Far enough for the widest reach.
  static double widest_reach(double radius) { return 0.5 * radius; }
};

std::unique_ptr<Scene> laid_scene(std::uint64_t index, Backend& backend);

/// `count` points of an object, 0: all.
StudiedObject studied(const find::SoughtObject& sought, std::size_t count);

/// `count` starts of an instance whose guess is shifted by a part of the radius: the guess itself, and turned from
/// there every way. Fewer are the first of 16.
std::vector<Similarity3> starts_of(const Instance& instance, const StudiedObject& object, int count, double shift);

/// The mean distance of all points of an object from the scene at a pose, none counting more than the widest reach.
double exact_error(const Scene& scene, const StudiedObject& object, const Similarity3& pose);

/// Whether a pose is right, by the object's symmetries.
bool is_right(const Scene& scene, const Instance& instance, const Similarity3& pose);

}  // namespace dovetail::bench::gpicp_studies
