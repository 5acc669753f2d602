// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "dovetail/error.h"
#include "dovetail/options.h"
#include "dovetail/pose_database.h"
#include "pose/orientation_clusters.h"
#include "pose/pose_database_layout.h"
#include "pose/reference_image.h"
#include "pose/surfels.h"
#include "pose/view_samples.h"
#include "spatial/bounds.h"
#include "spatial/parallel.h"

namespace dovetail {
namespace {

using namespace pose;

/// Tells the whole's progress from that of its steps, and throws where it was cancelled.
class Steps {
 public:
  Steps(const Work& work, std::size_t parts) : work_(work), parts_(static_cast<double>(parts)) {}

  /// `share` of a step that goes from `begin` to `end` of a part's work.
  void tell(std::size_t part, double begin, double end, double share) {
    if (work_.cancel && *work_.cancel) throw Cancelled("building the pose database was stopped");
    if (work_.on_progress) work_.on_progress((static_cast<double>(part) + begin + (end - begin) * share) / parts_);
  }
  const std::atomic<bool>* cancel() const { return work_.cancel; }

 private:
  const Work& work_;
  double parts_;
};

/// What a part's references are rendered from, and the memory that its views lead to.
struct PartMemory {
  PointCloud surface;  // about the centre
  std::vector<PoseReference> references;
  std::vector<ReferencePixel> pixels;
  std::vector<Vec3f> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

/// A small ball about all points: from the middle of their box a little less each time towards the one that is
/// farthest (Bădoiu and Clarkson 2003), within a thousandth of the smallest.
void set_ball(PoseReferences& part, const std::vector<Vec3>& points) {
  Bounds box;
  for (const Vec3& p : points) box.add(p);
  part.center = box.center();
  const auto farthest = [&] {
    return *std::max_element(points.begin(), points.end(), [&](const Vec3& a, const Vec3& b) {
      return squared_norm(a - part.center) < squared_norm(b - part.center);
    });
  };
  for (int i = 1; i <= 200; ++i) part.center += (1.0 / (i + 1)) * (farthest() - part.center);
  part.radius = norm(farthest() - part.center);
}

void set_surface(PoseReferences& part, PartMemory& memory) {
  for (Vec3& p : memory.surface.positions) {
    p -= part.center;
    memory.vertices.push_back(p.cast<float>());
  }
  const Faces& faces = memory.surface.faces;
  for (std::size_t face = 0; face < faces.size(); ++face) {
    for (std::uint32_t k = faces.start[face] + 2; k < faces.start[face + 1]; ++k) {
      memory.triangles.push_back({faces.index[faces.start[face]], faces.index[k - 1], faces.index[k]});
    }
  }
  part.vertices = memory.vertices;
  part.triangles = memory.triangles;
}

/// Scale of the images: the ball and a pixel on either side.
void set_scale(PoseReferences& part, const PoseDatabaseOptions& options) {
  part.image_size = options.image_size;
  part.pixel = 2 * part.radius / (options.image_size - 2);
  part.edge_step = options.edge_step * options.image_size * part.pixel;
  part.distance_limit = options.image_size / 4 - 1;
  part.distance_step = part.distance_limit <= 15 ? 0.125 : part.distance_limit / 120;
}

struct Samples {
  std::vector<Quaternion<double>> used, fresh;
};

/// Orientations to choose from, and others to see how well the chosen ones cover them.
Samples samples_of(const PosePart& part, OrientationSampling sampling, const PoseDatabaseOptions& options) {
  constexpr std::size_t for_each_reference = 64, to_test = 10000, held_back = 10;
  const std::size_t wanted = for_each_reference * static_cast<std::size_t>(options.references);
  const std::uint64_t other_seed = options.seed ^ 0x66726573685f7177u;
  if (sampling == OrientationSampling::uniform) {
    return {any_orientation(wanted, options.seed), any_orientation(to_test, other_seed)};
  }
  // One in ten is held back, where there are enough.
  std::vector<Mat3> used, fresh;
  const bool enough = part.resting.size() >= 100;
  for (std::size_t i = 0; i < part.resting.size(); ++i) {
    (enough && i % held_back == held_back - 1 ? fresh : used).push_back(part.resting[i]);
  }
  const double cone = options.view_cone * std::numbers::pi / 180;
  return {seen_from_above(used, std::max(wanted, used.size()), cone, options.seed),
          seen_from_above(enough ? fresh : used, to_test, cone, other_seed)};
}

/// Nobody can tell how a scanned cloud would come to rest.
OrientationSampling sampling_of(const PosePart& part, const PoseDatabaseOptions& options) {
  return part.surface->faces.empty() && part.resting.empty() ? OrientationSampling::uniform : options.sampling;
}

void render_all(const PoseReferences& part, PartMemory& memory, const OrientationClusters& clusters, Steps& steps,
                std::size_t index, double begin) {
  const RenderMesh mesh(memory.surface);
  const std::size_t count = clusters.centre.size();
  const auto size = static_cast<std::size_t>(part.image_size) * static_cast<std::size_t>(part.image_size);
  memory.references.resize(count);
  memory.pixels.resize(count * size);
  constexpr std::size_t piece = 64;
  for (std::size_t first = 0; first < count; first += piece) {
    parallel_for(std::min(piece, count - first), 1, [&](std::size_t k) {
      const std::size_t i = first + k;
      render_reference(part, mesh, clusters.centre[i], memory.references[i],
                       std::span(memory.pixels).subspan(i * size, size));
      memory.references[i].share = static_cast<float>(clusters.share[i]);
    });
    steps.tell(index, begin, 1, static_cast<double>(std::min(first + piece, count)) / static_cast<double>(count));
  }
}

PoseReferences references_of(const PosePart& given, const PoseDatabaseOptions& options, PartMemory& memory,
                             Steps& steps, std::size_t index) {
  PoseReferences part;
  part.name = given.name;
  SymmetryOptions allowed;
  allowed.tolerance = options.symmetry_tolerance;
  part.symmetry = given.symmetry ? *given.symmetry : find_symmetry(*given.surface, allowed);
  steps.tell(index, 0.1, 0.1, 0);
  memory.surface = given.surface->faces.empty() ? surfels(*given.surface) : *given.surface;
  set_ball(part, memory.surface.positions);
  if (!(part.radius > 0)) {
    throw InvalidArgument(fmt::format("part '{}': all of its points are in one place", part.name));
  }
  set_scale(part, options);
  set_surface(part, memory);

  const OrientationSpace space(part.symmetry);
  part.sampling = sampling_of(given, options);
  const Samples samples = samples_of(given, part.sampling, options);
  part.resting = part.sampling == OrientationSampling::adaptive ? given.resting.size() : 0;
  ClusterOptions how;
  how.clusters = options.references;
  how.seed = options.seed;
  ClusterRun run;
  run.cancel = steps.cancel();
  run.on_progress = [&](double share) { steps.tell(index, 0.1, 0.7, share); };
  const OrientationClusters clusters = cluster_orientations(samples.used, space, how, run);
  std::vector<double> angles = angles_to_nearest(samples.fresh, clusters.centre, space);
  std::sort(angles.begin(), angles.end());
  constexpr double degrees = 180 / std::numbers::pi;
  part.cover_median = degrees * angles[angles.size() / 2];
  part.cover_95 = degrees * angles[angles.size() * 95 / 100];
  render_all(part, memory, clusters, steps, index, 0.7);
  part.references = memory.references;
  part.pixels = memory.pixels;
  return part;
}

void check(std::span<const PosePart> parts, const PoseDatabaseOptions& options) {
  if (parts.empty()) throw InvalidArgument("parts: there are none; allowed: one or more");
  std::set<std::string> names;
  for (const PosePart& part : parts) {
    if (part.name.empty()) throw InvalidArgument("parts: one has no name");
    if (!names.insert(part.name).second) throw InvalidArgument(fmt::format("parts: two are named '{}'", part.name));
    if (!part.surface || part.surface->empty()) {
      throw InvalidArgument(fmt::format("part '{}': has no surface", part.name));
    }
    if (sampling_of(part, options) == OrientationSampling::adaptive && part.resting.empty()) {
      throw InvalidArgument(
          fmt::format("part '{}': no resting poses are given, which adaptive sampling follows; give "
                      "some, or sample uniformly",
                      part.name));
    }
  }
}

}  // namespace

PoseDatabase build_pose_database(std::span<const PosePart> parts, const PoseDatabaseOptions& options,
                                 const Work& work) {
  validate(options);
  check(parts, options);
  std::vector<PartMemory> memory(parts.size());
  std::vector<PoseReferences> built;
  Steps steps(work, parts.size());
  Threads(work.threads).execute([&] {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      built.push_back(references_of(parts[i], options, memory[i], steps, i));
    }
  });
  return PoseDatabase::read("the pose database", write_database(built));
}

}  // namespace dovetail
