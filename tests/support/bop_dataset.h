// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "dovetail/io.h"
#include "dovetail/models.h"
#include "io/depth_png.h"
#include "pose/depth_renderer.h"

namespace dovetail::test {

/// A box about the origin.
inline PointCloud box_mesh(const Vec3& size) {
  PointCloud mesh;
  for (std::uint32_t i = 0; i < 8; ++i) {
    mesh.positions.push_back(
        {(i & 1 ? 0.5 : -0.5) * size[0], (i & 2 ? 0.5 : -0.5) * size[1], (i & 4 ? 0.5 : -0.5) * size[2]});
  }
  mesh.faces.add({0, 1, 3, 2});
  mesh.faces.add({4, 5, 7, 6});
  mesh.faces.add({0, 1, 5, 4});
  mesh.faces.add({2, 3, 7, 6});
  mesh.faces.add({0, 2, 6, 4});
  mesh.faces.add({1, 3, 7, 5});
  return mesh;
}

/// A rod about z of that many sides, its vertices on the rims.
inline PointCloud rod_mesh(double radius, double length, std::uint32_t sides) {
  PointCloud mesh;
  for (std::uint32_t i = 0; i < sides; ++i) {
    const double angle = 2 * std::numbers::pi * i / sides;
    for (const double z : {-0.5 * length, 0.5 * length}) {
      mesh.positions.push_back({radius * std::cos(angle), radius * std::sin(angle), z});
    }
  }
  for (std::uint32_t i = 0; i < sides; ++i) {
    const std::uint32_t next = (i + 1) % sides;
    mesh.faces.add({2 * i, 2 * next, 2 * next + 1, 2 * i + 1});
    if (i > 0 && next > 0) {
      mesh.faces.add({0, 2 * i, 2 * next});
      mesh.faces.add({1, 2 * i + 1, 2 * next + 1});
    }
  }
  return mesh;
}

struct TruthInImage {
  int object = 1;
  Rigid3 pose = Rigid3::identity();
  double visible_share = 1;
};

struct ImageOfDataset {
  int image = 0;
  std::vector<TruthInImage> truths;
};

/// A row of a results file.
struct ResultRow {
  int image = 0, object = 1;
  double score = 0;
  Rigid3 pose = Rigid3::identity();
  double seconds = 0.5;
  int scene = 1;
};

/// Writes a data set in the layout of the BOP benchmark, its depth images rendered: one scene, number 1, images of 320
/// × 240, focal length 250. Object 1 is a box of 40 × 60 × 80, object 2 a rod of radius 30 and length 80 that turns
/// freely about z; both have the diameter 100 written for them.
class BopDataset {
 public:
  explicit BopDataset(std::filesystem::path folder) : folder_(std::move(folder)) {
    meshes_.emplace(1, box_mesh({40, 60, 80}));
    meshes_.emplace(2, rod_mesh(30, 80, 315));
  }

  const std::filesystem::path& folder() const { return folder_; }
  const PointCloud& mesh(int object) const { return meshes_.at(object); }
  static constexpr double depth_scale = 0.1;
  static pose::Pinhole camera() { return {250, 250, 160, 120, 320, 240}; }

  void write_models(const std::string& name = "models_eval") const {
    std::filesystem::create_directories(folder_ / name);
    for (const auto& [id, mesh] : meshes_) {
      std::ostringstream file;
      file << "obj_" << std::setw(6) << std::setfill('0') << id << ".ply";
      write_points(folder_ / name / file.str(), mesh);
    }
    const nlohmann::json axis = {{"axis", {0, 0, 2}}, {"offset", {0, 0, 0}}};
    write_json(name + "/models_info.json",
               {{"1", {{"diameter", 100}}}, {"2", {{"diameter", 100}, {"symmetries_continuous", {axis}}}}});
  }

  void write_scene(const std::vector<ImageOfDataset>& images) const {
    nlohmann::json cameras = nlohmann::json::object(), truths = cameras, infos = cameras;
    std::filesystem::create_directories(folder_ / "test/000001/depth");
    for (const ImageOfDataset& image : images) {
      const std::string key = std::to_string(image.image);
      cameras[key] = {{"cam_K", {250, 0, 160, 0, 250, 120, 0, 0, 1}}, {"depth_scale", depth_scale}};
      truths[key] = infos[key] = nlohmann::json::array();
      for (const TruthInImage& truth : image.truths) {
        truths[key].push_back({{"obj_id", truth.object},
                               {"cam_R_m2c", truth.pose.rotation.data},
                               {"cam_t_m2c", truth.pose.translation.data}});
        infos[key].push_back({{"visib_fract", truth.visible_share}});
      }
      write_depth(image);
    }
    write_json("test/000001/scene_camera.json", cameras);
    write_json("test/000001/scene_gt.json", truths);
    write_json("test/000001/scene_gt_info.json", infos);
    write_json("camera.json", {{"width", 320}, {"height", 240}});
  }

  /// Each: image, object, instances.
  void write_targets(const std::vector<std::array<int, 3>>& targets) const {
    nlohmann::json localise = nlohmann::json::array(), detect = localise;
    for (const auto& [image, object, count] : targets) {
      localise.push_back({{"scene_id", 1}, {"im_id", image}, {"obj_id", object}, {"inst_count", count}});
      detect.push_back({{"scene_id", 1}, {"im_id", image}});
    }
    write_json("test_targets_bop19.json", localise);
    write_json("test_targets_bop24.json", detect);
  }

  std::filesystem::path write_results(const std::vector<ResultRow>& rows,
                                      const std::string& name = "results.csv") const {
    std::ofstream out(folder_ / name);
    out << std::setprecision(17) << "scene_id,im_id,obj_id,score,R,t,time\n";
    for (const ResultRow& row : rows) {
      out << row.scene << ',' << row.image << ',' << row.object << ',' << row.score << ',';
      for (int i = 0; i < 9; ++i) out << (i > 0 ? " " : "") << row.pose.rotation[i];
      out << ',';
      for (int i = 0; i < 3; ++i) out << (i > 0 ? " " : "") << row.pose.translation[i];
      out << ',' << row.seconds << '\n';
    }
    return folder_ / name;
  }

  void write_json(const std::string& name, const nlohmann::json& json) const {
    std::ofstream(folder_ / name) << json.dump(1);
  }

 private:
  void write_depth(const ImageOfDataset& image) const {
    if (!pose::depth_renderer_available()) return;
    std::vector<pose::RenderMesh> prepared;
    prepared.reserve(image.truths.size());
    std::vector<pose::PosedMesh> scene;
    for (const TruthInImage& truth : image.truths) {
      prepared.emplace_back(meshes_.at(truth.object));
      scene.push_back({&prepared.back(), truth.pose});
    }
    const pose::RenderedDepth rendered = pose::render_depth(scene, camera());
    io::DepthPng depth{320, 240, {}};
    for (const float z : rendered.depth) {
      depth.steps.push_back(static_cast<std::uint16_t>(std::lround(z / depth_scale)));
    }
    std::ostringstream file;
    file << "test/000001/depth/" << std::setw(6) << std::setfill('0') << image.image << ".png";
    io::write_depth_png(folder_ / file.str(), depth);
  }

  std::filesystem::path folder_;
  std::map<int, PointCloud> meshes_;
};

inline Rigid3 at(double x, double y, double z) { return {Mat3::identity(), {x, y, z}}; }

/// The data set of three images whose scores are worked out by hand in tests/pose/dataset_test.cpp.
inline std::vector<ImageOfDataset> three_images() {
  return {{0, {{1, at(0, 0, 540), 1.0}}},
          {3, {{1, at(0, 0, 540), 0.9}, {1, at(120, 0, 600), 0.05}}},
          {7, {{2, at(-20, 10, 600), 0.8}}}};
}

/// And estimates for it.
inline std::vector<ResultRow> estimates_of_three_images() {
  const Rigid3 rod = at(-20, 10, 600);
  const Rigid3 spun = rod * Rigid3{exp_so3(Vec3{0, 0, 20 * 2 * std::numbers::pi / 315}), {}};
  return {{0, 1, 0.7, at(12, 0, 540)},
          {3, 1, 0.9, at(120, 0, 600)},
          {3, 1, 0.8, at(7, 0, 540)},
          {7, 1, 0.6, at(0, 0, 540), 1.5},
          {7, 2, 0.5, spun, 1.5}};
}

}  // namespace dovetail::test
