// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <numbers>

#include "dovetail/resting.h"
#include "dovetail/scanner.h"
#include "dovetail/symmetry.h"
#include "harness.h"
#include "pose/orientation_clusters.h"
#include "pose/view_samples.h"

// How well the references of a pose database cover how a part lies: chosen by simulated bins, against as many spread
// evenly, seen from fresh bins. docs/pose_database.md has the tables.

namespace dovetail::bench {
namespace {

namespace fs = std::filesystem;
using pose::OrientationSpace;
using Orientations = std::vector<Quaternion<double>>;

constexpr const char* usage =
    "usage: orientation_cover --part NAME --used FOLDER --fresh FOLDER [--references 1024] [--seed 0]\n"
    "  folders of resting poses of a built-in part, as `dovetail bin poses built-in:NAME` writes them\n";
constexpr double degrees = 180 / std::numbers::pi;
/// As build_pose_database() has them.
constexpr std::size_t samples_a_reference = 64, fresh_views = 10000;
constexpr double cone = 10 / degrees;

/// How the part lies, bin by bin, in the order of the bins' seeds.
std::vector<std::vector<Mat3>> bins_in(const fs::path& folder, const std::string& part) {
  std::vector<std::pair<std::uint64_t, std::vector<Mat3>>> bins;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    const RestingPoses poses = read_resting_poses(entry.path());
    for (std::size_t kind = 0; kind < poses.parts.size(); ++kind) {
      if (poses.parts[kind].name != "built-in:" + part) continue;
      for (const RestingBin& bin : poses.bins) {
        bins.push_back({bin.seed, {}});
        for (const RestingPart& resting : bin.parts) {
          if (resting.part == kind) bins.back().second.push_back(resting.scene_from_part.rotation);
        }
      }
    }
  }
  std::stable_sort(bins.begin(), bins.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::vector<Mat3>> result;
  for (auto& [seed, poses] : bins) result.push_back(std::move(poses));
  return result;
}

std::vector<Mat3> all_of(const std::vector<std::vector<Mat3>>& bins, std::size_t count) {
  std::vector<Mat3> poses;
  for (std::size_t i = 0; i < count; ++i) poses.insert(poses.end(), bins[i].begin(), bins[i].end());
  return poses;
}

struct Cover {
  double median = 0, most = 0, largest = 0;  ///< degrees; of 95% of the views the second
};

class Study {
 public:
  Study(const std::string& part, std::uint64_t seed) : part_(part), seed_(seed) {
    for (const BuiltInPart known : built_in_parts()) {
      if (to_string(known) != part) continue;
      symmetry_ = find_symmetry(built_in_part(known));
      space_ = OrientationSpace(symmetry_);
      return;
    }
    std::fprintf(stderr, "orientation_cover: there is no part '%s'\n", part.c_str());
    std::exit(2);
  }

  Orientations chosen(const Orientations& samples, std::size_t count) const {
    pose::ClusterOptions how;
    how.clusters = static_cast<int>(count);
    how.seed = seed_;
    return pose::cluster_orientations(samples, space_, how).centre;
  }
  Orientations adaptive(const std::vector<Mat3>& resting, std::size_t count) const {
    const std::size_t wanted = std::max(samples_a_reference * count, resting.size());
    return chosen(pose::seen_from_above(resting, wanted, cone, seed_), count);
  }
  Orientations uniform(std::size_t count) const {
    return chosen(pose::any_orientation(samples_a_reference * count, seed_), count);
  }
  Cover cover(const Orientations& references, const Orientations& views) const {
    std::vector<double> angles = pose::angles_to_nearest(views, references, space_);
    std::sort(angles.begin(), angles.end());
    const std::size_t n = angles.size();
    return {degrees * angles[n / 2], degrees * angles[n * 95 / 100], degrees * angles[n - 1]};
  }
  void tell(const std::string& sampling, std::size_t references, std::size_t bins, const Cover& cover) const {
    for (const auto& [what, angle] :
         {std::pair{"median", cover.median}, {"95% within", cover.most}, {"all within", cover.largest}}) {
      Line("orientation_cover", what)
          .text("part", part_)
          .text("symmetry", group_name(symmetry_))
          .text("sampling", sampling)
          .number("references", static_cast<double>(references))
          .number("bins", static_cast<double>(bins))
          .value(angle, "degrees");
    }
  }

 private:
  std::string part_;
  std::uint64_t seed_;
  Symmetry symmetry_;
  OrientationSpace space_;
};

/// How many evenly spread references cover as well: between the two sizes that were tried last, their logarithm in
/// proportion.
double equivalent(const Study& study, double wanted, std::size_t count, const Orientations& views) {
  double size = static_cast<double>(count), before_size = size, before = 0;
  for (int i = 0; i < 8; ++i, size *= std::numbers::sqrt2) {
    const double most = study.cover(study.uniform(static_cast<std::size_t>(size)), views).most;
    if (most <= wanted) {
      if (i == 0) return size;
      const double share = (before - wanted) / (before - most);
      return before_size * std::pow(size / before_size, share);
    }
    before = most, before_size = size;
  }
  return size;
}

int run(int argc, char** argv) {
  NamedArguments arguments(argc, argv, usage);
  std::string part, used_folder, fresh_folder;
  std::uint64_t references = 1024, seed = 0;
  if (!arguments.take("part", part) || !arguments.take("used", used_folder) || !arguments.take("fresh", fresh_folder)) {
    arguments.refuse();
  }
  arguments.take("references", references);
  arguments.take("seed", seed);
  arguments.refuse_others();
  const auto used = bins_in(used_folder, part), fresh = bins_in(fresh_folder, part);
  if (used.empty() || fresh.empty()) {
    std::fprintf(stderr, "orientation_cover: no resting poses of %s there\n", part.c_str());
    return 3;
  }
  const Study study(part, seed);
  const Orientations views = pose::seen_from_above(all_of(fresh, fresh.size()), fresh_views, cone, seed + 0x66726573u);
  Cover last;
  for (std::size_t bins = 5;; bins = bins * 2) {
    const std::size_t count = std::min(bins, used.size());
    last = study.cover(study.adaptive(all_of(used, count), references), views);
    study.tell("adaptive", references, count, last);
    if (count == used.size()) break;
  }
  study.tell("uniform", references, 0, study.cover(study.uniform(references), views));
  Line("orientation_cover", "evenly spread references that cover as well")
      .text("part", part)
      .number("references", static_cast<double>(references))
      .value(equivalent(study, last.most, references, views), "references");
  return 0;
}

}  // namespace
}  // namespace dovetail::bench

int main(int argc, char** argv) { return dovetail::bench::run(argc, argv); }
