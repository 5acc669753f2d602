// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "dovetail/find_parts.h"
#include "dovetail/io.h"
#include "harness.h"
#include "io/bop_scene.h"
#include "io/bop_targets.h"
#include "io/file.h"
#include "pose/object_models.h"
#include "pose/surface_errors.h"

// Looks for parts in every image of a data set whose truth is known, and writes a line of JSON for each pose that the
// search considered: its evidence, that of its rivals, and whether it is right. tools/fit_confidence reads them.

namespace dovetail::bench {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* usage =
    "usage: part_corpus --dataset FOLDER (--poses FILE.posedb | --references N) [--set NAME] [--seed S] [--out "
    "FILE.jsonl]\n"
    "                   [--first K] [--every N] [--threads T] [--doubtful N] [--absent 1]\n"
    "  --references N  a database is made of the data set's models, so many views of each, spread evenly\n"
    "  --of FOLDER     of the models of another data set\n"
    "  --first K  the first image's number, 0; --every N: and every N-th after it, 1\n"
    "  --doubtful doubtful poses that are told of each image, 200\n"
    "  --absent 1 none of the database's parts is in the images: nothing is right\n";

struct Options {
  std::string dataset, poses, of, set, out;
  std::uint64_t seed = 0, first = 0, every = 1, threads = 0, doubtful = 200, absent = 0, references = 0;
};

Options parse(int argc, char** argv) {
  NamedArguments given(argc, argv, usage);
  Options o;
  given.take("dataset", o.dataset), given.take("poses", o.poses), given.take("set", o.set), given.take("out", o.out);
  given.take("seed", o.seed), given.take("first", o.first), given.take("every", o.every);
  given.take("threads", o.threads), given.take("doubtful", o.doubtful), given.take("absent", o.absent);
  given.take("references", o.references), given.take("of", o.of);
  given.refuse_others();
  return o;
}

PoseDatabase database_of(const Options& options) {
  if (options.references == 0) return PoseDatabase::load(options.poses);
  const fs::path folder = fs::path(options.of.empty() ? options.dataset : options.of) / "models";
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".ply") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<PointCloud> meshes;
  for (const fs::path& file : files) meshes.push_back(read_points(file));
  std::vector<PosePart> parts;
  for (std::size_t i = 0; i < files.size(); ++i) parts.push_back({files[i].stem().string(), &meshes[i], {}, {}});
  PoseDatabaseOptions views;
  views.references = static_cast<int>(options.references);
  views.sampling = OrientationSampling::uniform;
  Work work;
  work.threads = static_cast<int>(options.threads);
  return build_pose_database(parts, views, work);
}

/// A scene's files, read once.
struct SceneTruth {
  std::map<int, io::BopCamera> cameras;
  std::map<int, std::vector<io::BopTruth>> truths;
};

SceneTruth read_scene(const fs::path& folder) {
  const io::FileBytes camera(folder / "scene_camera.json"), gt(folder / "scene_gt.json"),
      info(folder / "scene_gt_info.json");
  SceneTruth scene{io::read_bop_cameras("scene_camera.json", camera.view()),
                   io::read_bop_truths("scene_gt.json", gt.view())};
  io::add_bop_visibility("scene_gt_info.json", info.view(), scene.truths);
  return scene;
}

RangeImage read_image(const fs::path& scene, int image, const io::BopCamera& from) {
  DepthCamera camera;
  camera.fx = from.k(0, 0), camera.fy = from.k(1, 1), camera.cx = from.k(0, 2), camera.cy = from.k(1, 2);
  camera.depth_scale = from.depth_scale, camera.pixel_center = from.pixel_center;
  char name[32];
  std::snprintf(name, sizeof name, "%06d.png", image);
  return read_range_image(scene / "depth" / name, camera);
}

/// The nearest truth of the same object: how far it is in diameters, and how much of it is visible.
struct Nearest {
  double share = 1e9, visible = 0;
};

Nearest nearest_truth(const Rigid3& pose, int object, const std::vector<io::BopTruth>& truths,
                      pose::ObjectModels& models) {
  Nearest nearest;
  if (!models.knows(object)) return nearest;
  const pose::ObjectModel& model = models.get(object);
  for (const io::BopTruth& truth : truths) {
    if (truth.object != object) continue;
    const double error = pose::mssd(pose, truth.camera_from_object, model.vertices, model.symmetries,
                                    nearest.share * model.info.diameter);
    if (error / model.info.diameter < nearest.share) nearest = {error / model.info.diameter, truth.visible_share};
  }
  return nearest;
}

Json evidence_of(const std::vector<Evidence>& evidence) {
  Json json = Json::object();
  for (const Evidence& e : evidence) json[e.name] = e.value;
  return json;
}

constexpr double right_share = 0.1;  // of the diameter

Json line_of(const FoundObject& o, bool found, const Options& options, const Nearest& nearest) {
  Json line;
  line["set"] = options.set, line["kind"] = o.image->covered_by.empty() ? "free" : "covered";
  line["object"] = options.set + ":" + o.object, line["method"] = "pose_find", line["dimension"] = 3;
  line["seed"] = options.seed;
  line["found"] = found, line["right"] = nearest.share <= right_share;
  line["off"] = nearest.share, line["truth_visible"] = nearest.visible;
  line["confidence"] = *o.confidence, line["log_odds"] = o.log_odds;
  line["evidence"] = evidence_of(o.evidence);
  line["alternatives"] = Json::array();
  for (const FoundRival& rival : o.rivals)
    line["alternatives"].push_back(
        {{"right", false}, {"share", rival.share}, {"worse", rival.worse}, {"evidence", evidence_of(rival.evidence)}});
  return line;
}

}  // namespace

int run(int argc, char** argv) {
  const Options o = parse(argc, argv);
  const fs::path folder = o.dataset;
  const PoseDatabase database = database_of(o);
  const io::FileBytes targets(folder / "test_targets_bop19.json");
  const std::vector<io::BopImageId> images = io::read_bop_target_images("targets", targets.view());
  pose::ObjectModels models(folder, false);
  std::map<int, SceneTruth> scenes;
  std::ofstream file;
  if (!o.out.empty()) file.open(o.out);
  std::ostream& lines = o.out.empty() ? std::cout : file;
  FindParts how;
  how.doubtful = static_cast<int>(o.doubtful);
  Work work;
  work.threads = static_cast<int>(o.threads);
  for (std::size_t i = o.first; i < images.size(); i += std::max<std::uint64_t>(1, o.every)) {
    char name[16];
    std::snprintf(name, sizeof name, "%06d", images[i].scene);
    const fs::path scene = folder / "test" / name;
    if (!scenes.contains(images[i].scene)) scenes[images[i].scene] = read_scene(scene);
    SceneTruth& known = scenes[images[i].scene];
    const RangeImage image = read_image(scene, images[i].image, known.cameras.at(images[i].image));
    const std::vector<io::BopTruth> truths = o.absent ? std::vector<io::BopTruth>{} : known.truths[images[i].image];
    const Found found = find_parts(image, database, how, work);
    const auto tell = [&](const FoundObject& object, bool is_found) {
      const Rigid3 pose = object.scene_from_object.as<Rigid3>();
      // The database's parts are in the order of the data set's objects.
      Json line = line_of(object, is_found, o, nearest_truth(pose, static_cast<int>(object.index) + 1, truths, models));
      line["index"] = images[i].image;
      lines << line.dump() << '\n';
    };
    for (const FoundObject& object : found.objects) tell(object, true);
    for (const FoundObject& object : found.doubtful) tell(object, false);
    // What there was to find, and what was found of it.
    Json summary;
    summary["image"] = images[i].image, summary["set"] = o.set, summary["milliseconds"] = found.time_ms.total;
    summary["truths"] = Json::array();
    for (const io::BopTruth& truth : truths) {
      double off = 1e9;
      for (const FoundObject& object : found.objects) {
        if (static_cast<int>(object.index) + 1 != truth.object) continue;
        const pose::ObjectModel& model = models.get(truth.object);
        off = std::min(off, pose::mssd(object.scene_from_object.as<Rigid3>(), truth.camera_from_object, model.vertices,
                                       model.symmetries, off * model.info.diameter) /
                                model.info.diameter);
      }
      double doubtful = 1e9;
      for (const FoundObject& object : found.doubtful) {
        if (static_cast<int>(object.index) + 1 != truth.object) continue;
        const pose::ObjectModel& model = models.get(truth.object);
        doubtful = std::min(doubtful, pose::mssd(object.scene_from_object.as<Rigid3>(), truth.camera_from_object,
                                                 model.vertices, model.symmetries, doubtful * model.info.diameter) /
                                          model.info.diameter);
      }
      summary["truths"].push_back(
          {{"visible", truth.visible_share}, {"found", off <= right_share}, {"considered", doubtful <= right_share}});
    }
    std::cerr << summary.dump() << '\n';
  }
  return lines ? 0 : 1;
}

}  // namespace dovetail::bench

int main(int argc, char** argv) {
  try {
    return dovetail::bench::run(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "part_corpus: %s\n", e.what());
    return 1;
  }
}
