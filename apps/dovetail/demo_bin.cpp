// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "demo_bin.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "dovetail/bin_images.h"
#include "dovetail/find_parts.h"
#include "dovetail/pose_evaluation.h"
#include "dovetail/pose_file.h"
#include "dovetail/scanner.h"
#include "dovetail/symmetry.h"
#include "part_surfaces.h"

namespace dovetail::app {
namespace {

namespace fs = std::filesystem;

constexpr int pipes = 8;
constexpr std::uint64_t seed = 4;
constexpr double half_visible = 0.5;
constexpr double right_share = 0.1;  // of the diameter: what the field calls right

struct Truth {
  Rigid3 camera_from_part;
  double visible = 0;
  bool found = false;
};

nlohmann::json first_image(const fs::path& file) { return nlohmann::json::parse(std::ifstream(file)).at("0"); }

std::vector<Truth> read_truth(const fs::path& scene) {
  const nlohmann::json poses = first_image(scene / "scene_gt.json"), seen = first_image(scene / "scene_gt_info.json");
  std::vector<Truth> truths;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    Truth& truth = truths.emplace_back();
    for (std::size_t k = 0; k < 9; ++k) {
      truth.camera_from_part.rotation[static_cast<int>(k)] = poses[i].at("cam_R_m2c")[k];
    }
    for (std::size_t k = 0; k < 3; ++k) {
      truth.camera_from_part.translation[static_cast<int>(k)] = poses[i].at("cam_t_m2c")[k];
    }
    truth.visible = seen[i].at("visib_fract");
  }
  return truths;
}

/// The largest distance that a vertex is off, whichever way round the part looks the same.
double error_of(const Rigid3& found, const Rigid3& truth, const PointCloud& part, const Symmetry& symmetry) {
  double least = 1e300;
  for (const Transform& rotation : symmetry.rotations) {
    const Rigid3 same = truth * rotation.as<Rigid3>();
    double most = 0;
    for (const Vec3& p : part.positions) most = std::max(most, norm(found * p - same * p));
    least = std::min(least, most);
  }
  return least;
}

/// The files of a demo before.
void clear(const fs::path& bin) {
  if (fs::exists(bin / "test_targets_bop19.json")) fs::remove_all(bin);
}

}  // namespace

bool demo_bin(const fs::path& folder, int threads, Report& report) {
  if (!bins_available() || !vsd_available()) {
    fmt::print("\nNo bin of parts: this build was made without Bullet or Embree.\n");
    return true;
  }
  const PointCloud part = built_in_part(BuiltInPart::t_pipe);
  const fs::path bin = folder / "bin";
  clear(bin);
  const BinPart parts[] = {{&part, pipes}};
  BinImages images;
  images.columns = 400, images.rows = 300;
  Work work;
  work.threads = threads;
  write_bin_dataset(bin, parts, images, {}, {}, {}, seed, work);
  PoseDatabaseOptions views;
  views.references = 512;
  views.sampling = OrientationSampling::uniform;
  const Symmetry symmetry = find_symmetry(part);
  const PosePart wanted[] = {{"t_pipe", &part, symmetry, {}}};
  const PoseDatabase database = build_pose_database(wanted, views, work);
  database.save(folder / "t_pipe.posedb");

  const fs::path scene = bin / "test" / "000001", file = scene / "depth" / "000000.png";
  const nlohmann::json of_image = first_image(scene / "scene_camera.json");
  DepthCamera camera = read_camera(bin / "camera.json");
  camera.pixel_center = of_image.value("pixel_center", 0.0);
  const RangeImage image = read_range_image(file, camera);
  Found found = find_parts(image, database, {}, work);
  found.camera = image.camera;
  found.scene_file = "bin/test/000001/depth/000000.png";
  found.object_files = {"t_pipe.posedb"};
  report.add(ReportedSearch{"t_pipe in bin", to_json(found), nullptr, PartSurfaces(database).objects(), {}, &image});
  write_result(folder / "found.json", found);
  write_found_picture(folder / "found.png", image, database, found);

  std::vector<Truth> truths = read_truth(scene);
  fmt::print("\nThen {} pipes were dropped into a bin and seen by a depth camera with noise. Found in its image:\n\n",
             pipes);
  fmt::print("part   confidence  visible  error mm\n");
  bool all_right = !found.objects.empty();
  for (std::size_t i = 0; i < found.objects.size(); ++i) {
    const FoundObject& o = found.objects[i];
    double error = 1e300;
    Truth* nearest = nullptr;
    for (Truth& truth : truths) {
      const double e = error_of(o.scene_from_object.as<Rigid3>(), truth.camera_from_part, part, symmetry);
      if (e < error) error = e, nearest = &truth;
    }
    const bool right = error <= right_share * symmetry.diameter;
    if (right) nearest->found = true;
    all_right = all_right && right;
    fmt::print("{:>4} {:>12.2f} {:>7.0f}% {:>9.3f}  {}\n", i + 1, *o.confidence, 100 * o.visible_ratio, error,
               right ? "OK" : "FAILED");
  }
  const auto counts = [&](bool only_found) {
    return std::count_if(truths.begin(), truths.end(),
                         [&](const Truth& t) { return t.visible >= half_visible && (t.found || !only_found); });
  };
  fmt::print("\n{}: {} of {} pipes that are at least half visible were found, in {:.1f} s, with no guess.\n",
             all_right ? "OK" : "FAILED", counts(true), counts(false), found.time_ms.total / 1000);
  fmt::print(
      "{0}/found.png shows them. Try it yourself:\n"
      "  dovetail pose find {1} --camera {2} --poses {0}/t_pipe.posedb\n",
      folder.string(), file.string(), (bin / "camera.json").string());
  return all_right;
}

}  // namespace dovetail::app
