// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/scored_images.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "dovetail/error.h"
#include "io/depth_png.h"
#include "io/file.h"
#include "pose/object_models.h"

namespace dovetail::pose {
namespace {

namespace fs = std::filesystem;
using io::BopEstimate;
using io::BopImageId;
using io::BopTruth;

bool is_there(const fs::path& file) {
  std::error_code ignored;
  return fs::exists(file, ignored);
}

template <class Reader, class... More>
auto read_with(Reader&& reader, const fs::path& file, More&... more) {
  const io::FileBytes bytes(file);
  return reader(file.string(), bytes.view(), more...);
}

bool better(const BopEstimate& a, const BopEstimate& b) { return a.score > b.score; }

/// What the files of one scene say.
struct SceneFiles {
  fs::path folder;
  std::map<int, io::BopCamera> cameras;
  std::map<int, std::vector<BopTruth>> truths;
};

SceneFiles read_scene(const fs::path& split, int scene, const ObjectModels& models) {
  SceneFiles files;
  files.folder = split / fmt::format("{:06}", scene);
  files.cameras = read_with(io::read_bop_cameras, files.folder / "scene_camera.json");
  const fs::path truths = files.folder / "scene_gt.json";
  files.truths = read_with(io::read_bop_truths, truths);
  read_with(io::add_bop_visibility, files.folder / "scene_gt_info.json", files.truths);
  for (const auto& [image, of_image] : files.truths) {
    for (std::size_t i = 0; i < of_image.size(); ++i) {
      if (models.knows(of_image[i].object)) continue;
      throw FileError(fmt::format("{}: {}[{}].obj_id: object {} is not in {}", truths.string(), image, i,
                                  of_image[i].object, models.info_file().string()));
    }
  }
  return files;
}

/// Whether a file is there. One that has another name than the usual was asked for, and has to be.
bool is_there(const PoseDataset& dataset, fs::path PoseDataset::*which) {
  const fs::path name = dataset.*which, file = dataset.folder / name;
  if (is_there(file)) return true;
  if (name != PoseDataset().*which) throw FileError(fmt::format("{}: is not there", file.string()));
  return false;
}

/// Which images are targets, of what.
struct Targets {
  std::vector<BopImageId> images;  ///< those of detection first
  std::size_t to_detect = 0;       ///< how many of them are
  std::map<std::pair<BopImageId, int>, std::size_t> wanted;
};

Targets read_targets(const PoseDataset& dataset, ScoredImages& scored) {
  const fs::path localise = dataset.folder / dataset.targets, detect = dataset.folder / dataset.detection_targets;
  scored.localise = is_there(dataset, &PoseDataset::targets);
  const bool has_images = is_there(dataset, &PoseDataset::detection_targets);
  if (!scored.localise && !has_images) {
    throw FileError(fmt::format("{}: neither {} nor {} is there: nothing says what is to be found",
                                dataset.folder.string(), dataset.targets.string(), dataset.detection_targets.string()));
  }
  Targets targets;
  if (has_images) {
    targets.images = read_with(io::read_bop_target_images, detect);
  } else {
    targets.images = read_with(io::read_bop_target_images, localise);
    scored.notes.push_back(fmt::format("{} is not there: detection is scored in the images of {}",
                                       dataset.detection_targets.string(), dataset.targets.string()));
  }
  targets.to_detect = targets.images.size();
  if (!scored.localise) {
    scored.notes.push_back(fmt::format("{} is not there: localisation (BOP19, ADD, vertex error) is not scored",
                                       dataset.targets.string()));
    return targets;
  }
  std::set<BopImageId> seen(targets.images.begin(), targets.images.end());
  for (const io::BopTarget& target : read_with(io::read_bop_targets, localise)) {
    if (seen.insert(target.image).second) targets.images.push_back(target.image);
    targets.wanted[{target.image, target.object}] = static_cast<std::size_t>(target.count);
  }
  return targets;
}

/// The mean over images of what their rows say; none where one does not know.
std::optional<double> seconds_per_image(const std::vector<BopEstimate>& estimates) {
  std::map<BopImageId, double> times;
  for (const BopEstimate& estimate : estimates) times.emplace(estimate.image, estimate.seconds);
  double sum = 0;
  for (const auto& [image, seconds] : times) {
    if (seconds < 0) return std::nullopt;
    sum += seconds;
  }
  if (times.empty()) return std::nullopt;
  return sum / static_cast<double>(times.size());
}

std::map<BopImageId, std::vector<BopEstimate>> read_estimates(const fs::path& results, const ObjectModels& models,
                                                              const Targets& targets, ScoredImages& scored) {
  const std::vector<BopEstimate> rows = read_with(io::read_bop_results, results);
  const std::set<BopImageId> wanted(targets.images.begin(), targets.images.end());
  std::map<BopImageId, std::vector<BopEstimate>> estimates;
  for (const BopEstimate& row : rows) {
    if (!models.knows(row.object)) {
      throw FileError(fmt::format("{}: line {}: object {} is not in {}", results.string(), row.line, row.object,
                                  models.info_file().string()));
    }
    wanted.count(row.image) != 0 ? estimates[row.image].push_back(row) : void(++scored.estimates_elsewhere);
  }
  scored.estimates = rows.size();
  scored.seconds_per_image = seconds_per_image(rows);
  return estimates;
}

/// The objects of an image: as they first appear among the truths, then as they do among the estimates.
std::vector<ObjectInImage> objects_of(const std::vector<BopTruth>& truths, std::vector<BopEstimate> estimates,
                                      std::size_t most_kept) {
  std::vector<ObjectInImage> objects;
  const auto object = [&](int id) -> ObjectInImage& {
    const auto known =
        std::find_if(objects.begin(), objects.end(), [&](const ObjectInImage& o) { return o.object == id; });
    if (known != objects.end()) return *known;
    objects.emplace_back().object = id;
    return objects.back();
  };
  for (const BopTruth& truth : truths) object(truth.object).truths.push_back(truth);
  for (const BopEstimate& estimate : estimates) object(estimate.object);
  std::stable_sort(estimates.begin(), estimates.end(), better);
  for (std::size_t i = 0; i < estimates.size(); ++i) {
    ObjectInImage& of_estimate = object(estimates[i].object);
    of_estimate.estimates.push_back(estimates[i]);
    of_estimate.kept.push_back(i < most_kept);
  }
  return objects;
}

const std::vector<BopTruth>& truths_of(const SceneFiles& scene, int image) {
  const auto truths = scene.truths.find(image);
  if (truths != scene.truths.end() && scene.cameras.count(image) != 0) return truths->second;
  const char* const file = truths == scene.truths.end() ? "scene_gt.json" : "scene_camera.json";
  throw FileError(fmt::format("{}: image {} is missing, which is a target", (scene.folder / file).string(), image));
}

/// Refuses targets that are not in their image: nobody could find them.
void check_wanted(const Targets& targets, const ScoredImage& image, const PoseDataset& dataset,
                  const ObjectModels& models) {
  constexpr int first = std::numeric_limits<int>::min();
  for (auto target = targets.wanted.lower_bound({image.id, first});
       target != targets.wanted.end() && target->first.first == image.id; ++target) {
    const int id = target->first.second;
    const auto fail = [&](const std::string& reason) {
      throw FileError(fmt::format("{}: object {} in image {} of scene {}: {}",
                                  (dataset.folder / dataset.targets).string(), id, image.id.image, image.id.scene,
                                  reason));
    };
    if (!models.knows(id)) fail(fmt::format("it is not in {}", models.info_file().string()));
    const auto object = std::find_if(image.objects.begin(), image.objects.end(),
                                     [&](const ObjectInImage& o) { return o.object == id; });
    const std::size_t truths = object == image.objects.end() ? 0 : object->truths.size();
    if (truths == 0) fail("scene_gt.json has none there");
    if (target->second > truths) {
      fail(fmt::format("inst_count {} is not allowed; allowed: 1 to {}, which are in scene_gt.json", target->second,
                       truths));
    }
  }
}

}  // namespace

ScoredImages read_scored_images(const fs::path& results, const PoseDataset& dataset,
                                const PoseEvaluationOptions& options, bool with_vsd) {
  if (!is_there(dataset.folder)) throw FileError(fmt::format("{}: the data set is not there", dataset.folder.string()));
  ScoredImages scored;
  ObjectModels models(dataset.folder, with_vsd);
  scored.models_folder = models.folder_name();
  if (scored.models_folder == "models") {
    scored.notes.push_back("models_eval is not there: the meshes and symmetries of models were taken");
  }
  const Targets targets = read_targets(dataset, scored);
  std::map<BopImageId, std::vector<BopEstimate>> estimates = read_estimates(results, models, targets, scored);
  std::optional<io::BopImageSize> size;
  const fs::path camera = dataset.folder / dataset.camera;
  if (is_there(dataset, &PoseDataset::camera)) size = read_with(io::read_bop_image_size, camera);
  if (!size) {
    scored.notes.push_back(
        fmt::format("{} is not there: the width of images is that of the depth images", dataset.camera.string()));
  }
  std::map<int, SceneFiles> scenes;
  for (std::size_t i = 0; i < targets.images.size(); ++i) {
    const BopImageId id = targets.images[i];
    auto scene = scenes.find(id.scene);
    if (scene == scenes.end()) {
      scene = scenes.emplace(id.scene, read_scene(dataset.folder / dataset.split, id.scene, models)).first;
    }
    ScoredImage image;
    image.id = id;
    image.detect = i < targets.to_detect;
    image.depth = scene->second.folder / "depth" / fmt::format("{:06}.png", id.image);
    image.objects = objects_of(truths_of(scene->second, id.image), std::move(estimates[id]),
                               static_cast<std::size_t>(options.estimates_per_image));
    image.camera = scene->second.cameras.at(id.image);
    image.width = size ? size->width : static_cast<int>(read_with(io::read_depth_png, image.depth).width);
    if (size) image.height = size->height;
    check_wanted(targets, image, dataset, models);
    for (ObjectInImage& object : image.objects) {
      object.model = &models.get(object.object);
      const auto wanted = targets.wanted.find({id, object.object});
      if (wanted != targets.wanted.end()) object.wanted = wanted->second;
    }
    scored.images.push_back(std::move(image));
  }
  // Moving a map leaves what it holds where it is, and the pointers to it good.
  scored.models = models.take();
  return scored;
}

}  // namespace dovetail::pose
