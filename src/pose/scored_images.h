// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dovetail/pose_evaluation.h"
#include "io/bop_objects.h"
#include "io/bop_results.h"
#include "io/bop_scene.h"
#include "pose/bulk_distance.h"
#include "pose/depth_renderer.h"

// The files of a data set and of results, put together: what there is to score.

namespace dovetail::pose {

/// An object as scores need it.
struct ObjectModel {
  io::BopObject info;
  std::vector<Rigid3> symmetries;
  std::vector<Vec3> vertices;
  double box_diagonal = 0;
  BulkDistance bulk;
  std::optional<RenderMesh> render;  ///< where VSD is wanted
};

/// An object in an image: what is true and what was estimated.
struct ObjectInImage {
  int object = 0;
  const ObjectModel* model = nullptr;
  std::vector<io::BopTruth> truths;        ///< in the order of scene_gt.json
  std::vector<io::BopEstimate> estimates;  ///< by falling score; equal ones in the order of the file
  std::vector<std::uint8_t> kept;          ///< which estimates are among the image's best, for detection
  std::size_t wanted = 0;                  ///< instances to be localised; 0: no target
};

struct ScoredImage {
  io::BopImageId id;
  io::BopCamera camera;
  int width = 0;                       ///< of the images of the data set
  int height = 0;                      ///< the same; 0: not known
  bool detect = false;                 ///< whether it is a target of detection
  std::filesystem::path depth;         ///< its depth image
  std::vector<ObjectInImage> objects;  ///< as they first appear in scene_gt.json, then those only estimated
};

struct ScoredImages {
  std::map<int, ObjectModel> models;
  std::vector<ScoredImage> images;  ///< in the order of the targets of detection, then the others
  bool localise = false;            ///< whether there are targets of localisation
  std::string models_folder;
  std::size_t estimates = 0, estimates_elsewhere = 0;
  std::optional<double> seconds_per_image;
  std::vector<std::string> notes;
};

/// Throws FileError for files that are absent, wrong, or do not fit each other.
ScoredImages read_scored_images(const std::filesystem::path& results, const PoseDataset& dataset,
                                const PoseEvaluationOptions& options, bool with_vsd);

}  // namespace dovetail::pose
