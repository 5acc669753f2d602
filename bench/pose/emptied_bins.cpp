// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>
#include <sstream>

#include "bins/bin_view.h"
#include "dovetail/bins.h"
#include "dovetail/error.h"
#include "dovetail/find_parts.h"
#include "dovetail/workspace.h"
#include "harness.h"
#include "pose/bop_symmetries.h"
#include "pose/mean_errors.h"
#include "pose/rough_search.h"
#include "pose/surface_errors.h"

// The experiment of Park et al. 2010, 8.1.1: bins of parts are emptied one found part at a time. Of each state of a bin
// a line of JSON tells how far the best rough pose, and the most likely part that was found, are from the truth, and
// how many of the parts that can be seen were found. tools/emptied_bins_summary makes tables of it.

namespace dovetail::bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* usage =
    "usage: emptied_bins --poses FILE.posedb --count N[,N...] [--bins 3] [--seed 1] [--set NAME]\n"
    "                    [--filled-with FILE.posedb] [--noise-permille 5] [--columns 640] [--rows 480]\n"
    "                    [--preset paper] [--starts 3] [--rough 1] [--fine 1] [--every 1] [--first 0]\n"
    "                    [--machine cpu|cuda] [--threads T]\n"
    "  --count           parts of each kind in a bin, in the order of the database\n"
    "  --filled-with     bins hold the parts of this database instead: none of those that are looked for is there\n"
    "  --noise-permille  standard deviation of depths, of the largest part's diameter\n"
    "  --starts          places near the camera that the first rough pose is chosen of\n"
    "  --rough 0, --fine 0: without that stage\n"
    "  --every           only every so many states of a bin are looked at, from --first on\n";

struct Options {
  std::string poses, filled_with, set, preset;
  std::vector<int> counts;
  std::uint64_t bins = 3, seed = 1, noise_permille = 5, columns = 640, rows = 480, starts = 3, rough = 1, fine = 1,
                every = 1, first = 0, threads = 0;
  Machine machine = Machine::cpu;
};

Options parse(int argc, char** argv) {
  NamedArguments given(argc, argv, usage);
  Options o;
  std::string counts;
  if (!given.take("poses", o.poses) || !given.take("count", counts)) given.refuse();
  given.take("filled-with", o.filled_with), given.take("set", o.set), given.take("preset", o.preset);
  given.take("bins", o.bins), given.take("seed", o.seed), given.take("noise-permille", o.noise_permille);
  given.take("columns", o.columns), given.take("rows", o.rows), given.take("starts", o.starts);
  given.take("rough", o.rough), given.take("fine", o.fine);
  given.take("every", o.every), given.take("first", o.first);
  given.take("machine", o.machine), given.take("threads", o.threads);
  given.refuse_others();
  std::istringstream list(counts);
  for (std::string one; std::getline(list, one, ',');) o.counts.push_back(std::stoi(one));
  return o;
}

/// A kind of part: what it is made of, and what is right of a pose.
struct Kind {
  const PoseReferences* part = nullptr;
  PointCloud mesh;
  std::vector<Vec3> some;  ///< of the vertices, for means
  io::BopObject object;
  std::vector<Rigid3> symmetries;
  double diagonal = 0, diameter = 0;

  explicit Kind(const PoseReferences& of) : part(&of), mesh(part_surface(of)), diameter(of.symmetry.diameter) {
    const Symmetry& symmetry = of.symmetry;
    for (std::size_t i = 1; i < symmetry.rotations.size(); ++i) {
      object.discrete.push_back(symmetry.rotations[i].as<Rigid3>());
    }
    for (const SymmetryAxis& axis : symmetry.axes) {
      if (axis.order == 0) object.continuous.push_back({axis.direction, axis.through});
    }
    object.diameter = diameter;
    symmetries = pose::bop_symmetries(object);
    diagonal = norm(symmetry.box_high - symmetry.box_low);
    const std::size_t step = mesh.positions.size() / 400 + 1;
    for (std::size_t i = 0; i < mesh.positions.size(); i += step) some.push_back(mesh.positions[i]);
  }

  pose::VertexError error(const Rigid3& pose, const Rigid3& truth) const {
    return pose::vertex_error(pose, truth, some, symmetries, object.continuous);
  }
  /// Of the diameter; 1 and more is told as 1.
  double worst(const Rigid3& pose, const Rigid3& truth) const {
    return std::min(1.0, pose::mssd(pose, truth, mesh.positions, symmetries, diameter) / diameter);
  }
  /// Between the two axes that the part is symmetric about, in radians; of others the whole angle.
  double axis_angle(const Rigid3& pose, const Rigid3& truth, double whole) const {
    if (part->symmetry.axes.empty()) return whole;
    const Vec3& axis = part->symmetry.axes.front().direction;
    const double cosine = dot(pose.rotation * axis, truth.rotation * axis);
    const bool flips = part->symmetry.kind == SymmetryKind::revolution_with_flips;
    return std::acos(std::clamp(flips ? std::fabs(cosine) : cosine, -1.0, 1.0));
  }
};

std::vector<Kind> kinds_of(const PoseDatabase& database) {
  std::vector<Kind> kinds;
  for (const PoseReferences& part : database.parts()) kinds.emplace_back(part);
  return kinds;
}

/// A truth that is still in the bin.
struct Truth {
  std::size_t kind;
  Rigid3 pose;
  double visible;
};

struct Nearest {
  std::size_t truth = 0;
  pose::VertexError error;
};

std::optional<Nearest> nearest(const Kind& kind, std::size_t index, const Rigid3& pose,
                               const std::vector<Truth>& truths) {
  std::optional<Nearest> best;
  for (std::size_t i = 0; i < truths.size(); ++i) {
    if (truths[i].kind != index) continue;
    // Farther than half a diagonal nothing is near.
    const Vec3 apart = (pose * kind.part->center) - (truths[i].pose * kind.part->center);
    if (norm(apart) > 0.5 * kind.diagonal) continue;
    const pose::VertexError error = kind.error(pose, truths[i].pose);
    if (!best || error.distance < best->error.distance) best = Nearest{i, error};
  }
  return best;
}

constexpr double degrees = 180 / std::numbers::pi;
constexpr double right_share = 0.1;  // of the diagonal (mean of the vertices), of the diameter (the worst)

/// What a pose is worth, as JSON; `to` is told which truth it is right about.
Json told(const std::vector<Kind>& kinds, std::size_t kind, const Rigid3& pose, const std::vector<Truth>& truths,
          std::optional<std::size_t>* to = nullptr) {
  Json line;
  line["part"] = kinds[kind].part->name;
  const auto best = nearest(kinds[kind], kind, pose, truths);
  const double vertex = best ? best->error.distance / kinds[kind].diagonal : 1;
  line["right"] = vertex < right_share;
  line["vertex"] = vertex;
  if (!best || vertex >= right_share) return line;
  const Truth& truth = truths[best->truth];
  line["worst"] = kinds[kind].worst(pose, truth.pose);
  line["angle"] = degrees * best->error.angle;
  line["angles"] = Json::array();
  for (const double a : best->error.angles) line["angles"].push_back(degrees * std::fabs(a));
  line["axis_angle"] = degrees * kinds[kind].axis_angle(pose, truth.pose, best->error.angle);
  line["visible"] = truth.visible;
  if (to) *to = best->truth;
  return line;
}

/// The most promising rough pose of all parts at the first places.
Json rough_of(const RangeImage& image, const PoseDatabase& database, const std::vector<Kind>& kinds, const Options& o,
              RoughErrors errors, Workspace& workspace, const std::vector<Truth>& truths) {
  using namespace pose;
  double smallest = 1e300, largest = 0, step = 1e300;
  for (const PoseReferences& part : database.parts()) {
    smallest = std::min(smallest, 2 * part.radius), largest = std::max(largest, 2 * part.radius);
    step = std::min(step, part.edge_step);
  }
  const RangeScene scene = prepare_scene(image, step);
  const StartSettings settings{0.35 * smallest, 0.07 * smallest, largest};
  const std::vector<std::uint8_t> none(scene.depth.size(), 0);
  std::vector<SceneStart> starts = scene_starts(scene, none, background_of(scene, settings), settings);
  if (starts.size() > o.starts) starts.resize(o.starts);
  const RoughSearch search(workspace.backend(), database, errors);
  std::vector<SceneWindow> windows;
  for (const SceneStart& start : starts) {
    for (const PoseReferences& part : database.parts()) {
      windows.push_back(
          window_about(scene, start, 2 * part.image_size, part.pixel, part.edge_step, part.distance_limit));
    }
  }
  std::vector<RoughSearch::Job> jobs;
  for (std::size_t i = 0; i < windows.size(); ++i) jobs.push_back({i % kinds.size(), &windows[i]});
  const Stopwatch watch;
  const auto found = search.run(jobs, {});
  const double ms = watch.milliseconds();
  const RoughPose* best = nullptr;
  std::size_t job = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i].empty() || (best && found[i].front().worth <= best->worth)) continue;
    best = &found[i].front(), job = i;
  }
  Json line;
  if (best) {
    const std::size_t kind = job % kinds.size();
    line = told(kinds, kind, pose_of(*best, windows[job], *kinds[kind].part), truths);
  } else {
    line["right"] = false;
  }
  line["starts"] = starts.size();
  line["ms"] = ms;
  return line;
}

/// Everything that was found: what can be seen, what of it was found, what was right.
void tell_all(Json& line, const Found& found, const std::vector<Kind>& kinds, const std::vector<Truth>& truths) {
  std::vector<std::uint8_t> met(truths.size(), 0);
  line["told"] = Json::array();
  for (const FoundObject& object : found.objects) {
    const Rigid3 pose = object.scene_from_object.as<Rigid3>();
    double worst = 1;
    for (std::size_t i = 0; i < truths.size(); ++i) {
      if (truths[i].kind != object.index) continue;
      const double off = kinds[object.index].worst(pose, truths[i].pose);
      if (off < right_share) met[i] = 1;
      worst = std::min(worst, off);
    }
    line["told"].push_back({{"part", object.object}, {"confidence", *object.confidence}, {"worst", worst}});
  }
  int visible = 0, seen = 0;
  for (std::size_t i = 0; i < truths.size(); ++i) {
    if (truths[i].visible < 0.5) continue;
    ++visible, seen += met[i];
  }
  line["half_visible"] = visible;
  line["half_visible_found"] = seen;
}

class Emptying {
 public:
  explicit Emptying(const Options& options)
      : o_(options),
        database_(PoseDatabase::load(options.poses)),
        filling_(options.filled_with.empty() ? database_ : PoseDatabase::load(options.filled_with)),
        wanted_(kinds_of(database_)),
        fill_(kinds_of(filling_)),
        workspace_(options.machine, 0, static_cast<int>(options.threads)) {
    if (o_.counts.size() != fill_.size()) throw InvalidArgument("--count: one number for each part of the database");
    for (std::size_t i = 0; i < fill_.size(); ++i) {
      parts_.push_back({&fill_[i].mesh, o_.counts[i]});
      meshes_.emplace_back(fill_[i].mesh);
      largest_ = std::max(largest_, fill_[i].diameter);
    }
    if (!o_.preset.empty()) how_ = find_parts_preset(o_.preset);
    how_.workspace = &workspace_;
    work_.threads = static_cast<int>(o_.threads);
  }

  void run() {
    const std::vector<Bin> bins = simulate_bins(parts_, static_cast<int>(o_.bins), {}, o_.seed, work_);
    for (std::size_t b = 0; b < bins.size(); ++b) empty(bins[b], b);
  }

 private:
  void empty(Bin bin, std::size_t number) {
    const BinImages images{1, static_cast<int>(o_.columns), static_cast<int>(o_.rows)};
    bins::ViewSettings settings{bins::default_camera(images), 0.01, images, {}};
    const double distance = bins::fitting_distance(bin, settings.camera);
    // σ of a depth z is z² σ / (f b) of the shift's σ.
    settings.sensor.shift_noise = 1e-3 * static_cast<double>(o_.noise_permille) * largest_ * settings.sensor.baseline *
                                  settings.camera.fx / distance;
    settings.images.noise = true;
    const std::size_t all = bin.parts.size();
    for (std::size_t state = 0; !bin.parts.empty(); ++state) {
      bins::BinView view;
      try {
        view = bins::view_bin(bin, meshes_, settings, distance, static_cast<int>(state));
      } catch (const InvalidArgument&) {
        return;  // what is left is not seen
      }
      std::vector<Truth> truths;
      for (const io::BopSeenTruth& seen : view.seen.truths) {
        truths.push_back(
            {static_cast<std::size_t>(seen.truth.object) - 1, seen.truth.camera_from_object, seen.truth.visible_share});
      }
      std::optional<std::size_t> gone;
      if (state % std::max<std::uint64_t>(1, o_.every) == o_.first) {
        RangeImage image{bins::written_camera(settings), view.depth};
        Json line;
        line["set"] = o_.set, line["bin"] = number, line["left"] = all - state;
        look_at(image, o_.filled_with.empty() ? truths : std::vector<Truth>{}, line, gone);
        std::cout << line.dump() << std::endl;
      }
      // What was not found is taken out by somebody else: the one of which most is seen.
      if (!gone) {
        gone = 0;
        for (std::size_t i = 1; i < truths.size(); ++i) {
          if (truths[i].visible > truths[*gone].visible) gone = i;
        }
      }
      bin.parts.erase(bin.parts.begin() + static_cast<std::ptrdiff_t>(*gone));
    }
  }

  void look_at(const RangeImage& image, const std::vector<Truth>& truths, Json& line,
               std::optional<std::size_t>& gone) {
    if (o_.rough) line["rough"] = rough_of(image, database_, wanted_, o_, how_.rough, workspace_, truths);
    if (!o_.fine) return;
    const Found found = find_parts(image, database_, how_, work_);
    line["found"] = found.objects.size();
    line["ms"] = found.time_ms.total;
    const FoundObject* best = !found.objects.empty()    ? &found.objects.front()
                              : !found.doubtful.empty() ? &found.doubtful.front()
                                                        : nullptr;
    if (best) {
      line["fine"] = told(wanted_, best->index, best->scene_from_object.as<Rigid3>(), truths, &gone);
      line["fine"]["confidence"] = *best->confidence;
      line["fine"]["sure"] = !found.objects.empty();
    } else {
      line["fine"] = {{"right", false}, {"sure", false}};
    }
    tell_all(line, found, wanted_, truths);
  }

  Options o_;
  PoseDatabase database_, filling_;
  std::vector<Kind> wanted_, fill_;
  std::vector<BinPart> parts_;
  std::vector<pose::RenderMesh> meshes_;
  Workspace workspace_;
  FindParts how_;
  Work work_;
  double largest_ = 0;
};

}  // namespace
}  // namespace dovetail::bench

int main(int argc, char** argv) {
  try {
    dovetail::bench::Emptying(dovetail::bench::parse(argc, argv)).run();
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "emptied_bins: %s\n", e.what());
    return 1;
  }
}
