// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <opencv2/surface_matching.hpp>
#include <opencv2/surface_matching/icp.hpp>
#include <opencv2/surface_matching/ppf_helpers.hpp>

#include "dovetail/dataset_image.h"
#include "dovetail/find.h"
#include "harness.h"
#include "io/bop_results.h"

// What OpenCV's point pair features (surface_matching) find in the images of a data set, as a results file that
// `dovetail pose evaluate` scores. It is told how many instances of each object an image shows, which nobody tells
// `dovetail pose find`, and returns as many.

namespace dovetail::bench {
namespace {

namespace fs = std::filesystem;
namespace ppf = cv::ppf_match_3d;

constexpr const char* usage =
    "usage: opencv_ppf --dataset FOLDER --results FILE.csv [--first K] [--most N] [--thinned 10]\n"
    "  --first K    the first image's number, 0; --most N: and so many images, all\n"
    "  --thinned N  one in N scene points begins a vote, 10\n";

/// As the class's own defaults and OpenCV's example have them: points of a model 2.5% of its diameter apart.
constexpr double model_step = 0.025, distance_step = 0.05;
/// Poses that are refined, per instance that is there.
constexpr std::size_t refined_per_instance = 4;
/// Two poses nearer than this share of the diameter are one.
constexpr double one_place = 0.3;

cv::Mat rows_of(const PointCloud& cloud) {
  cv::Mat rows(static_cast<int>(cloud.positions.size()), 6, CV_32F);
  for (std::size_t i = 0; i < cloud.positions.size(); ++i) {
    for (int a = 0; a < 3; ++a) {
      rows.at<float>(static_cast<int>(i), a) = static_cast<float>(cloud.positions[i][a]);
      rows.at<float>(static_cast<int>(i), 3 + a) = static_cast<float>(cloud.normals[i][a]);
    }
  }
  return rows;
}

struct Model {
  cv::Mat points;
  cv::Ptr<ppf::PPF3DDetector> detector;
  double diameter = 0;
};

/// The diagonal of the box about points.
double extent_of(const cv::Mat& points) {
  double square = 0;
  for (int a = 0; a < 3; ++a) {
    double low = 0, high = 0;
    cv::minMaxLoc(points.col(a), &low, &high);
    square += (high - low) * (high - low);
  }
  return std::sqrt(square);
}

Model train(const fs::path& dataset, int object) {
  Model model;
  const PointCloud mesh = read_dataset_model(dataset, object);
  model.points = rows_of(sample_object({"model", &mesh}));
  model.diameter = extent_of(model.points);
  model.detector = cv::makePtr<ppf::PPF3DDetector>(model_step, distance_step);
  model.detector->trainModel(model.points);
  return model;
}

/// What was measured, with normals towards the camera.
cv::Mat scene_of(const RangeImage& image) {
  std::vector<cv::Vec3f> measured;
  for (int y = 0; y < image.camera.height; ++y) {
    for (int x = 0; x < image.camera.width; ++x) {
      const double depth = image.at(x, y);
      if (!(depth > 0)) continue;
      const Vec3 p = depth * image.camera.direction(x, y);
      measured.emplace_back(static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2]));
    }
  }
  const cv::Mat points = cv::Mat(measured, true).reshape(1, static_cast<int>(measured.size()));
  cv::Mat with_normals;
  ppf::computeNormalsPC3d(points, with_normals, 12, true, cv::Vec3f(0, 0, 0));
  return with_normals;
}

io::BopEstimate estimate_of(const ppf::Pose3D& pose, const DatasetImageId& image, int object) {
  io::BopEstimate estimate;
  estimate.image = {image.scene, image.image};
  estimate.object = object;
  estimate.score = static_cast<double>(pose.numVotes);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) estimate.camera_from_object.rotation(i, j) = pose.pose(i, j);
    estimate.camera_from_object.translation[i] = pose.pose(i, 3);
  }
  return estimate;
}

/// The best poses of a model in different places.
std::vector<ppf::Pose3DPtr> instances_of(const Model& model, const cv::Mat& scene, std::size_t count, double thinned) {
  std::vector<ppf::Pose3DPtr> poses;
  model.detector->match(scene, poses, 1 / thinned, model_step * model.diameter / extent_of(scene));
  std::stable_sort(poses.begin(), poses.end(), [](const auto& a, const auto& b) { return a->numVotes > b->numVotes; });
  poses.resize(std::min(poses.size(), refined_per_instance * count));
  if (poses.empty()) return poses;
  ppf::ICP icp(100, 0.005f, 2.5f, 8);
  icp.registerModelToScene(model.points, scene, poses);
  std::vector<ppf::Pose3DPtr> kept;
  for (const ppf::Pose3DPtr& pose : poses) {
    const bool known = std::any_of(kept.begin(), kept.end(), [&](const ppf::Pose3DPtr& k) {
      return cv::norm(k->t - pose->t) < one_place * model.diameter;
    });
    if (!known && kept.size() < count) kept.push_back(pose);
  }
  return kept;
}

int run(int argc, char** argv) {
  NamedArguments given(argc, argv, usage);
  std::string dataset, results;
  std::uint64_t first = 0, most = 1u << 30, thinned = 10;
  given.take("dataset", dataset), given.take("results", results);
  given.take("first", first), given.take("most", most), given.take("thinned", thinned);
  given.refuse_others();
  if (dataset.empty() || results.empty() || thinned == 0) given.refuse();
  std::map<int, Model> models;
  std::vector<io::BopEstimate> estimates;
  const std::vector<DatasetImageId> images = dataset_images(dataset);
  for (std::size_t i = first; i < images.size() && i - first < most; ++i) {
    const DatasetImage image = read_dataset_image(dataset, images[i]);
    std::map<int, std::size_t> counts;
    for (const DatasetPose& pose : image.poses) counts[pose.object] += pose.visible_ratio >= 0.1;
    for (const auto& [object, count] : counts) {  // what is learnt once is not counted
      if (!models.contains(object)) models[object] = train(dataset, object);
    }
    const auto began = std::chrono::steady_clock::now();
    const cv::Mat scene = scene_of(image.range);
    const std::size_t before = estimates.size();
    for (const auto& [object, count] : counts) {
      for (const ppf::Pose3DPtr& pose : instances_of(models[object], scene, count, static_cast<double>(thinned))) {
        estimates.push_back(estimate_of(*pose, image.id, object));
      }
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    for (std::size_t k = before; k < estimates.size(); ++k) estimates[k].seconds = seconds;
    std::fprintf(stderr, "scene %d, image %d: %zu poses in %.1f s\n", image.id.scene, image.id.image,
                 estimates.size() - before, seconds);
  }
  io::write_bop_results(results, estimates);
  return 0;
}

}  // namespace
}  // namespace dovetail::bench

int main(int argc, char** argv) {
  try {
    return dovetail::bench::run(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "opencv_ppf: %s\n", e.what());
    return 1;
  }
}
