// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <cstdint>
#include <cstring>
#include <numbers>
#include <numeric>
#include <type_traits>

#include "core/random.h"
#include "dovetail/dovetail.h"
#include "harness.h"
#include "prepare/field_data.h"
#include "prepare/observed.h"
#include "scans.h"
#ifdef DOVETAIL_BENCH_CUDA
#include <cuda_runtime_api.h>
#endif

// Chamfer alignment: a pass, an alignment from one start and from the default starts, and the variants of the paper
// (pipelined and traditional Levenberg-Marquardt; one core, all cores, GPU), with its headline of 1,140,703 points and
// a similarity; in the plane by distance and by likelihood. The field is there before the clock starts; the points lie
// in host memory (pinned where there is a GPU).

namespace dovetail::bench {
namespace {

constexpr std::size_t paper_points = 1'140'703;

/// Floats in memory that a GPU can fetch by itself, where there is one.
class HostFloats {
 public:
  explicit HostFloats(const std::vector<float>& values) {
#ifdef DOVETAIL_BENCH_CUDA
    if (!cuda_machines().empty()) {
      void* memory = nullptr;
      if (cudaMallocHost(&memory, values.size() * sizeof(float)) == cudaSuccess) {
        pinned_ = static_cast<float*>(memory);
        std::memcpy(pinned_, values.data(), values.size() * sizeof(float));
        return;
      }
    }
#endif
    plain_ = values;
  }
  ~HostFloats() {
#ifdef DOVETAIL_BENCH_CUDA
    if (pinned_ != nullptr) cudaFreeHost(pinned_);
#endif
  }
  HostFloats(const HostFloats&) = delete;
  HostFloats& operator=(const HostFloats&) = delete;
  const float* data() const { return pinned_ != nullptr ? pinned_ : plain_.data(); }

 private:
  float* pinned_ = nullptr;
  std::vector<float> plain_;
};

struct Scene {
  std::string name;
  int dimension = 3;
  Reference reference;
  std::vector<float> observed;
  std::size_t count = 0;
  Transform truth;
  Transform start;  ///< 2 degrees, 2% of scale and 2% of the size off it
};

/// Points of the reference with noise of 0.1% of its size and 10% of outliers, moved by the inverse of a similarity.
template <int D>
Scene observe(std::string name, Reference reference, std::size_t count) {
  Scene scene;
  scene.name = std::move(name);
  scene.dimension = D;
  const ReferenceMeasure size = measure_reference(reference);
  const bool continuous = size.length + size.area > 0;
  const double spacing = D == 2 ? size.length / 200'000 : std::sqrt(size.area / 400'000);
  const PointCloud fine = continuous ? sample_reference(reference, spacing) : reference.points;
  Vec3 low = fine.positions.front(), high = low;
  for (const Vec3& p : fine.positions) {
    for (int a = 0; a < D; ++a) low[a] = std::min(low[a], p[a]), high[a] = std::max(high[a], p[a]);
  }
  const double extent = norm(high - low);
  const Vec3 middle = 0.5 * (low + high);
  const auto about_middle = [&](double degrees, double scale, double shift) {
    typename Similarity<D>::Tangent t{};
    t[0] = degrees * std::numbers::pi / 180;
    t[D == 2 ? 3 : 6] = std::log(scale);
    Similarity<D> s = Similarity<D>::exp(t);
    Vector<double, D> c{};
    for (int a = 0; a < D; ++a) c[a] = middle[a];
    s.translation = c - s.scale * (s.rotation * c);
    s.translation[0] += shift * extent;
    return Transform(s);
  };
  scene.truth = about_middle(4, 1.03, 0.02);
  scene.start = about_middle(2, 1.01, 0.0);
  const Transform away = scene.truth.inverse();
  scene.count = count;
  RandomStream random(5, 1);
  for (std::size_t i = 0; i < count; ++i) {
    Vec3 p = fine.positions[random.below(static_cast<std::uint32_t>(fine.size()))];
    const bool outlier = random.uniform() < 0.1;
    for (int a = 0; a < D; ++a) {
      p[a] = outlier ? random.uniform(low[a], high[a]) : p[a] + 0.001 * extent * random.normal();
    }
    p = away * p;
    for (int a = 0; a < D; ++a) scene.observed.push_back(static_cast<float>(p[a]));
  }
  scene.reference = std::move(reference);
  return scene;
}

/// A machine part where the data is there, else a bumpy sphere of points.
Scene surface_scene(std::size_t count) {
  const std::filesystem::path part = data_folder() / "cad" / "featuretype.STL";
  if (!data_folder().empty() && std::filesystem::exists(part))
    return observe<3>("featuretype", read_reference(part), count);
  return observe<3>("bumpy sphere", Reference{bumpy_sphere(1'000'000, 3), {}, {}}, count);
}

Scene road_scene(std::size_t count) {
  const std::filesystem::path roads = data_folder() / "roads" / "monaco.geojson";
  if (!data_folder().empty() && std::filesystem::exists(roads))
    return observe<2>("Monaco", read_reference(roads), count);
  Reference made;
  made.points.dimension = 2;
  RandomStream random(8, 2);
  for (std::uint32_t i = 0; i < 200; ++i) {
    const Vec3 p{random.uniform(0, 3000), random.uniform(0, 3000), 0};
    const double heading = random.uniform(0, 6.28);
    made.points.positions.push_back(p);
    made.points.positions.push_back(p + 300.0 * Vec3{std::cos(heading), std::sin(heading), 0});
    made.lines.add({2 * i, 2 * i + 1});
  }
  return observe<2>("made-up roads", made, count);
}

struct Place {
  Machine machine;
  int threads;
};

std::vector<Place> places(const Arguments& arguments) {
  std::vector<Place> list;
  if (!cuda_machines().empty()) list.push_back({Machine::cuda, 0});
  if (arguments.gpu_only) return list;
  for (const int threads : thread_counts()) list.push_back({Machine::cpu, threads});
  return list;
}

/// Whole alignments, from the caller's memory to the answer.
void align(const Arguments& arguments, const Scene& scene, const HostFloats& points) {
  for (const Place& place : places(arguments)) {
    const ThreadLimit limit(place.threads > 0 ? place.threads : all_threads());
    Workspace workspace(place.machine, 0, place.threads);
    Run run;
    run.workspace = &workspace;
    run.trace = false;
    run.start = scene.start;
    const DistanceField field = build_field(scene.reference, {}, run);
    const PointsView view{points.data(), scene.count, scene.dimension, 0, false};
    struct Variant {
      int starts;
      LmOrder order;
      ChamferFinish finish;
    };
    constexpr Variant variants[] = {{1, LmOrder::pipelined, ChamferFinish::automatic},
                                    {1, LmOrder::traditional, ChamferFinish::automatic},
                                    {0, LmOrder::pipelined, ChamferFinish::automatic},
                                    {1, LmOrder::pipelined, ChamferFinish::distance},
                                    {0, LmOrder::pipelined, ChamferFinish::distance}};
    for (const auto& [starts, order, finish] : variants) {
      if (finish == ChamferFinish::distance && scene.dimension == 3) continue;  // as it is by default
      Chamfer options;
      options.model = ChamferModel::similarity;
      options.starts = starts;
      options.order = order;
      options.finish = finish;
      Registration r;
      const Timing timing = measure(arguments, [&] { r = register_points(view, field, options, run); });
      Line("chamfer", starts == 1 ? "one start" : "default starts")
          .text("data", scene.name)
          .points(scene.count)
          .number("cells", static_cast<double>(field.cells()))
          .machine(workspace.machine_name(), place.threads)
          .text("order", order == LmOrder::pipelined ? "pipelined" : "traditional")
          .text("finish", scene.dimension == 2 && finish == ChamferFinish::automatic ? "likelihood" : "distance")
          .number("iterations", r.iterations)
          .number("degrees_off", rotation_angle_between(r.target_from_source, scene.truth) * 180 / std::numbers::pi)
          .number("prepare_ms", r.time_ms.prepare)
          .number("usable", r.usable() ? 1 : 0)
          .value(timing);
    }
  }
}

/// Passes over all points, one after another, with nothing else.
template <class Method>
void passes(const Arguments& arguments, const Scene& scene, const HostFloats& points, const char* model) {
  constexpr int D = Method::D, rounds = 64;
  constexpr bool among_lines = !std::is_same_v<Method, chamfer::Align<typename Method::Typed>>;
  for (const Place& place : places(arguments)) {
    const ThreadLimit limit(place.threads > 0 ? place.threads : all_threads());
    Workspace workspace(place.machine, 0, place.threads);
    Run run;
    run.workspace = &workspace;
    const DistanceField field = build_field(scene.reference, {}, run);
    const FieldData& data = field.data();
    const Observed observed = observe(PointsView(points.data(), scene.count, D), {});
    ObservedPoints placed(observed, 1, 0, workspace.backend());
    float origin[3] = {0, 0, 0};
    for (int a = 0; a < D; ++a) origin[a] = static_cast<float>(data.frame.origin[a]);
    placed.localise(origin, static_cast<float>(data.frame.scale));
    const auto levels = data.in(workspace.backend().memory());
    typename Method::Data input{placed.all(), {}};
    LineIndex lines;
    Placed<LinesView> placed_lines;
    constexpr double spread = 2;
    if constexpr (among_lines) {
      const std::vector<double> length = data.lines.stretch_lengths();
      const std::vector<double> rates(data.lines.stretches, 0.9 / std::accumulate(length.begin(), length.end(), 0.0));
      lines = make_line_index(data.lines, rates, double{chamfer::line_reach} * spread, scene.count);
      placed_lines = put(workspace.backend().memory(), lines);
      input.lines = placed_lines.view;
    } else {
      input.field = levels->front().view;
    }
    for (const bool traditional : {false, true}) {
      chamfer::Params params;
      params.stages = 1;
      params.stage[0] = {0, rounds, 12.0, 0.0, spread, 1e-8};
      params.most_rejected = 2 * rounds;
      params.most_damping = 1e300;
      params.traditional = traditional;
      chamfer::StepFrame<D> frame;
      frame.radius = 100;
      Batch<Method> batch;
      const Timing timing = measure_own(arguments, [&] {
        batch = {};
        batch.params = params;
        batch.max_iterations = 2 * rounds;
        batch.data = {input};
        batch.states = {Method::start(params, Matrix<double, D + 1, D + 1>::identity(), frame)};
        const Stopwatch watch;
        workspace.backend().run(batch);
        return watch.milliseconds();
      });
      // A point's coordinates, the cell it comes to lie in, and the site that names.
      const double bytes = static_cast<double>(scene.count) * (4.0 * D + 4 + 16), each = timing.median_ms / rounds;
      Line("chamfer", among_lines ? "candidate among lines" : "candidate")
          .text("data", scene.name)
          .text("model", model)
          .points(scene.count)
          .machine(workspace.machine_name(), place.threads)
          .text("order", traditional ? "traditional" : "pipelined")
          .number(among_lines ? "ns_per_point" : "gb_per_second",
                  among_lines ? 1e6 * each / static_cast<double>(scene.count) : bytes * 1e-6 / each)
          .value(1000 * each, "us");
    }
  }
}

}  // namespace
}  // namespace dovetail::bench

int main(int argc, char** argv) {
  using namespace dovetail::bench;
  const Arguments arguments = parse_arguments(argc, argv);
  describe_machine("chamfer");
  const Scene surface = surface_scene(arguments.quick ? 20'000 : paper_points);
  const Scene roads = road_scene(arguments.quick ? 20'000 : 1'000'000);
  const HostFloats surface_points(surface.observed), road_points(roads.observed);
  align(arguments, surface, surface_points);
  align(arguments, roads, road_points);
  using dovetail::chamfer::Align, dovetail::chamfer::AlignToLines;
  passes<Align<dovetail::Rigid3>>(arguments, surface, surface_points, "rigid3");
  passes<Align<dovetail::Similarity3>>(arguments, surface, surface_points, "similarity3");
  passes<Align<dovetail::Affine3>>(arguments, surface, surface_points, "affine3");
  passes<Align<dovetail::Rigid2>>(arguments, roads, road_points, "rigid2");
  passes<Align<dovetail::Similarity2>>(arguments, roads, road_points, "similarity2");
  passes<Align<dovetail::Affine2>>(arguments, roads, road_points, "affine2");
  passes<Align<dovetail::Projective2>>(arguments, roads, road_points, "projective2");
  passes<AlignToLines<dovetail::Similarity2>>(arguments, roads, road_points, "similarity2");
  passes<AlignToLines<dovetail::Projective2>>(arguments, roads, road_points, "projective2");
}
