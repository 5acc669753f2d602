// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <limits>

#include "dovetail/error.h"
#include "dovetail/range_image.h"
#include "dovetail/workspace.h"
#include "harness.h"
#include "io/bop_objects.h"
#include "io/bop_scene.h"
#include "io/file.h"
#include "pose/bop_symmetries.h"
#include "pose/depth_renderer.h"
#include "pose/mean_errors.h"
#include "pose/rough_search.h"

// How often rough poses are near enough: of the parts of simulated bins (`dovetail bin simulate`) that are visible
// enough and have a start on them, those of which one of the first 1, 10, 40, 100 rough poses lies within a tenth of
// the bounding box's diagonal, in mean distance of vertices up to symmetry. docs/methods/rough_pose.md has the figures.

namespace dovetail::bench {
namespace {

using namespace pose;
namespace fs = std::filesystem;

constexpr std::array<std::size_t, 4> firsts{1, 10, 40, 100};

PointCloud mesh_of(const PoseReferences& part) {
  PointCloud mesh;
  for (const Vec3f& v : part.vertices) mesh.positions.push_back(v.cast<double>() + part.center);
  for (const auto& [a, b, c] : part.triangles) mesh.faces.add({a, b, c});
  return mesh;
}

/// A part's shape, and when a pose of it is near enough.
struct Shape {
  io::BopObject object;
  std::vector<Rigid3> symmetries;
  std::vector<Vec3> vertices;
  double diagonal = 0;

  Shape(const PointCloud& mesh, const io::BopObject& of) : object(of), symmetries(bop_symmetries(of)) {
    Vec3 low = mesh.positions.front(), high = low;
    for (const Vec3& p : mesh.positions) {
      for (int a = 0; a < 3; ++a) low[a] = std::min(low[a], p[a]), high[a] = std::max(high[a], p[a]);
    }
    diagonal = norm(high - low);
    const std::size_t step = mesh.positions.size() / 300 + 1;
    for (std::size_t i = 0; i < mesh.positions.size(); i += step) vertices.push_back(mesh.positions[i]);
  }
  double error(const Rigid3& pose, const Rigid3& truth) const {
    return vertex_error(pose, truth, vertices, symmetries, object.continuous, 0.1 * diagonal).distance / diagonal;
  }
};

struct Tally {
  std::size_t visible = 0, with_start = 0, starts = 0;
  std::array<std::size_t, 4> of_starts{}, of_parts{};
  std::vector<double> first_errors;  ///< of first poses that are right, as a share of the diagonal
  double search_ms = 0;
};

struct Image {
  RangeScene scene;
  std::vector<SceneStart> starts;
  std::vector<io::BopTruth> truths;
};

/// The starts that lie on a part, as the image shows it.
std::vector<SceneStart> starts_on(const Image& image, const RenderMesh& mesh, const Rigid3& pose, double tolerance) {
  const DepthCamera& camera = image.scene.camera;
  const double shift = 0.5 - camera.pixel_center;
  const PosedMesh posed[] = {{&mesh, pose}};
  const RenderedDepth seen =
      render_depth(std::span<const PosedMesh>(posed),
                   Pinhole{camera.fx, camera.fy, camera.cx + shift, camera.cy + shift, camera.width, camera.height});
  std::vector<SceneStart> on;
  for (const SceneStart& s : image.starts) {
    const float depth = seen.depth_at(s.x, s.y);
    const double off = std::fabs(static_cast<double>(depth - image.scene.depth[image.scene.at(s.x, s.y)]));
    if (depth > 0 && off < tolerance) on.push_back(s);
  }
  return on;
}

template <class Read>
auto read(const fs::path& file, const Read& reader) {
  const io::FileBytes bytes(file);
  return reader(file.string(), bytes.view());
}

std::vector<Image> images_of(const fs::path& dataset, const PoseReferences& part) {
  const fs::path folder = dataset / "test" / "000001";
  const auto cameras = read(folder / "scene_camera.json", io::read_bop_cameras);
  auto truths = read(folder / "scene_gt.json", io::read_bop_truths);
  {
    const io::FileBytes bytes(folder / "scene_gt_info.json");
    io::add_bop_visibility("scene_gt_info.json", bytes.view(), truths);
  }
  std::vector<Image> images;
  for (const auto& [id, camera] : cameras) {
    DepthCamera own;
    own.fx = camera.k(0, 0), own.fy = camera.k(1, 1), own.cx = camera.k(0, 2), own.cy = camera.k(1, 2);
    own.depth_scale = camera.depth_scale, own.pixel_center = camera.pixel_center;
    std::string name = std::to_string(id);
    name.insert(0, 6 - std::min<std::size_t>(6, name.size()), '0');
    Image image;
    image.scene = prepare_scene(read_range_image(folder / "depth" / (name + ".png"), own), part.edge_step);
    const double diameter = 2 * part.radius;
    const StartSettings settings{0.35 * diameter, 0.07 * diameter, diameter};
    const std::vector<std::uint8_t> none(image.scene.depth.size(), 0);
    image.starts = scene_starts(image.scene, none, background_of(image.scene, settings), settings);
    image.truths = truths[id];
    images.push_back(std::move(image));
  }
  return images;
}

void study(const fs::path& dataset, const PoseDatabase& database, RoughErrors errors, double least_visible) {
  const PoseReferences& part = database.parts().front();
  const PointCloud mesh = mesh_of(part);
  const RenderMesh render(mesh);
  const auto objects = read(dataset / "models" / "models_info.json", io::read_bop_objects);
  const Shape shape(mesh, objects.begin()->second);
  Workspace workspace(Machine::cpu);
  const RoughSearch search(workspace.backend(), database, errors);
  Tally tally;
  for (const Image& image : images_of(dataset, part)) {
    for (const io::BopTruth& truth : image.truths) {
      if (truth.visible_share < least_visible) continue;
      ++tally.visible;
      const auto starts = starts_on(image, render, truth.camera_from_object, 0.04 * part.radius);
      if (starts.empty()) continue;
      ++tally.with_start;
      std::size_t best_rank = std::numeric_limits<std::size_t>::max();
      for (const SceneStart& start : starts) {
        const SceneWindow window =
            window_about(image.scene, start, 2 * part.image_size, part.pixel, part.edge_step, part.distance_limit);
        const RoughSearch::Job job[] = {{0, &window}};
        const Stopwatch watch;
        const std::vector<RoughPose> poses = search.run(job, {}).front();
        tally.search_ms += watch.milliseconds();
        std::size_t rank = 0;
        for (; rank < std::min(poses.size(), firsts.back()); ++rank) {
          const double error = shape.error(pose_of(poses[rank], window, part), truth.camera_from_object);
          if (error >= 0.1) continue;
          if (rank == 0) tally.first_errors.push_back(error);
          break;
        }
        ++tally.starts;
        for (std::size_t k = 0; k < firsts.size(); ++k) tally.of_starts[k] += rank < firsts[k];
        best_rank = std::min(best_rank, rank);
      }
      for (std::size_t k = 0; k < firsts.size(); ++k) tally.of_parts[k] += best_rank < firsts[k];
    }
  }
  Line line("rough_pose", "near enough");
  line.text("data", dataset.filename().string()).text("errors", errors == RoughErrors::paper ? "paper" : "robust");
  line.number("visible", static_cast<double>(tally.visible)).number("parts", static_cast<double>(tally.with_start));
  line.number("starts", static_cast<double>(tally.starts));
  for (std::size_t k = 0; k < firsts.size(); ++k) {
    const auto share = [&](std::size_t of, std::size_t all) {
      return static_cast<double>(of) / static_cast<double>(std::max<std::size_t>(1, all));
    };
    line.number("starts_first_" + std::to_string(firsts[k]), share(tally.of_starts[k], tally.starts));
    line.number("parts_first_" + std::to_string(firsts[k]), share(tally.of_parts[k], tally.with_start));
  }
  std::sort(tally.first_errors.begin(), tally.first_errors.end());
  if (!tally.first_errors.empty()) line.number("first_error", tally.first_errors[tally.first_errors.size() / 2]);
  line.value(tally.search_ms / static_cast<double>(std::max<std::size_t>(1, tally.starts)), "ms per start");
}

}  // namespace
}  // namespace dovetail::bench

int main(int argc, char** argv) {
  using namespace dovetail;
  const char* usage = "rough_pose_study --dataset FOLDER --poses FILE [--errors robust|paper] [--visible-percent N]";
  bench::NamedArguments arguments(argc, argv, usage);
  std::string dataset, poses, errors = "robust";
  std::uint64_t visible = 50;
  if (!arguments.take("dataset", dataset) || !arguments.take("poses", poses)) arguments.refuse();
  arguments.take("errors", errors);
  arguments.take("visible-percent", visible);
  arguments.refuse_others();
  if (errors != "robust" && errors != "paper") arguments.refuse();
  try {
    bench::study(dataset, PoseDatabase::load(poses), errors == "paper" ? RoughErrors::paper : RoughErrors::robust,
                 0.01 * static_cast<double>(visible));
  } catch (const std::exception& e) {
    std::cerr << "rough_pose_study: " << e.what() << '\n';
    return 1;
  }
}
