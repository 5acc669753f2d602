// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <numeric>

#include "backend/cpu/distance_field.h"
#include "field_peers.h"
#include "field_scenes.h"
#include "harness.h"
#ifdef DOVETAIL_BENCH_CUDA
#include "field_cuda.h"
#endif
#include "spatial/parallel.h"

// Distance fields: the nearest seed of every cell, dense beside SciPy and OpenCV, and banded where a dense field would
// not fit. What is written is held against what the machine can copy, measured in the same run.

namespace dovetail::bench {
namespace {

const char* const name = "field";

/// GB/s that plain copying writes, by number of threads.
double copy_rate(const Arguments& arguments, int threads) {
  const ThreadLimit limit(threads);
  constexpr std::size_t pieces = 64;
  const std::size_t count = arguments.quick ? 1 << 22 : 1 << 24;
  std::vector<std::uint32_t> from(count, 1), to(count, 2);
  const Timing timing = measure(arguments, [&] {
    parallel_for(pieces, 1, [&](std::size_t i) {
      std::copy_n(&from[i * (count / pieces)], count / pieces, &to[i * (count / pieces)]);
    });
  });
  const double rate = 4e-6 * static_cast<double>(count) / timing.fastest_ms;
  Line(name, "copy").machine("cpu", threads).value(rate, "GB/s written");
  return rate;
}

double squared_sum(const FieldScene& scene, const FieldLevel& level) {
  std::vector<double> rows(std::size_t{scene.grid.cells[1]} * scene.grid.cells[2]);
  parallel_for(rows.size(), 16, [&](std::size_t row) {
    const auto y = static_cast<std::uint32_t>(row % scene.grid.cells[1]);
    const auto z = static_cast<std::uint32_t>(row / scene.grid.cells[1]);
    const auto square = [](std::uint32_t a, std::uint32_t b) {
      const double apart = double{a * 1.0} - b;
      return apart * apart;
    };
    for (std::uint32_t x = 0; x < scene.grid.cells[0]; ++x) {
      const std::uint64_t key = scene.keys[level.nearest[scene.grid.index(x, y, z)]];
      rows[row] += square(key_x(key), x) + square(key_y(key), y) + square(key_z(key), z);
    }
  });
  return std::accumulate(rows.begin(), rows.end(), 0.0);
}

Line line_of(const FieldScene& scene, const char* what, double cells) {
  Line line(name, what);
  line.text("data", scene.name).number("dimension", scene.grid.dimension).number("cells", cells);
  line.number("seeds", static_cast<double>(scene.keys.size()));
  return line;
}

/// The same scene on a GPU, and CuPy beside it.
void dense_on_gpu([[maybe_unused]] const Arguments& arguments, [[maybe_unused]] const FieldScene& scene) {
#ifdef DOVETAIL_BENCH_CUDA
  if (cuda_machines().empty()) return;
  const auto cells = static_cast<double>(scene.grid.size());
  const double ms = time_dense_field_cuda(scene.grid, scene.keys, arguments.quick ? 3 : 25);
  line_of(scene, "dense", cells).machine("cuda:0").number("gb_per_second_written", 4e-6 * cells / ms).value(ms, "ms");
#endif
}

void dense(const Arguments& arguments, const FieldScene& scene, const std::vector<double>& copy_rates) {
  FieldLevel level;
  level.grid = scene.grid;
  const auto cells = static_cast<double>(scene.grid.size());
  dense_on_gpu(arguments, scene);
  if (arguments.gpu_only) return;
  const auto print = [&](const char* memory, int threads, double copy, const Timing& timing) {
    const double written = 4e-6 * cells / timing.median_ms;
    line_of(scene, "dense", cells)
        .machine("cpu", threads)
        .text("memory", memory)
        .number("million_cells_per_second", 1e-3 * cells / timing.median_ms)
        .number("gb_per_second_written", written)
        .number("of_copy", written / copy)
        .value(timing);
  };
  for (std::size_t i = 0; i < copy_rates.size(); ++i) {
    const int threads = thread_counts()[i];
    const ThreadLimit limit(threads);
    print("kept", threads, copy_rates[i], measure(arguments, [&] { build_field_cpu(level, scene.keys); }));
    print("new", threads, copy_rates[i], measure(arguments, [&] {
            level.nearest = {};
            build_field_cpu(level, scene.keys);
          }));
  }
  if (arguments.peers) time_field_peers(arguments, scene, squared_sum(scene, level));
}

void banded(const Arguments& arguments, const FieldScene& scene, std::uint32_t band) {
  FieldLevel level;
  level.grid = scene.grid;
  level.band = band;
  for (const int threads : thread_counts()) {
    const ThreadLimit limit(threads);
    const Timing tiles = measure(arguments, [&] { level.tiles = make_tiles(scene.grid, scene.keys, band); });
    const Timing timing = measure(arguments, [&] { build_field_cpu(level, scene.keys); });
    const auto cells = static_cast<double>(level.stored_cells());
    const double table = 4.0 * static_cast<double>(level.tiles.slot.size() + level.tiles.stored.size());
    line_of(scene, "banded", cells)
        .number("band", band)
        .number("cells_of_grid", static_cast<double>(scene.grid.size()))
        .number("memory_mb", 1e-6 * (4 * cells + table))
        .number("dense_memory_mb", 4e-6 * static_cast<double>(scene.grid.size()))
        .machine("cpu", threads)
        .number("tiles_ms", tiles.median_ms)
        .number("million_cells_per_second", 1e-3 * cells / timing.median_ms)
        .value(timing);
  }
}

}  // namespace
}  // namespace dovetail::bench

int main(int argc, char** argv) {
  using namespace dovetail::bench;
  const Arguments arguments = parse_arguments(argc, argv);
  describe_machine("field");
  std::vector<double> copy_rates;
  for (const int threads : arguments.gpu_only ? std::vector<int>() : thread_counts()) {
    copy_rates.push_back(copy_rate(arguments, threads));
  }
  const dovetail::FieldGrid plane = square_grid(arguments.quick ? 1024 : 4096);
  const dovetail::FieldGrid space = cube_grid(arguments.quick ? 64 : 256);
  dense(arguments, road_network(plane, 40), copy_rates);
  dense(arguments, bumpy_shell(space), copy_rates);
  for (const dovetail::FieldGrid& grid : {plane, space}) {
    dense(arguments, random_seeds(grid, "random 1%", 0.01), copy_rates);
    dense(arguments, random_seeds(grid, "random 0.01%", 0.0001), copy_rates);
    dense(arguments, single_seed(grid), copy_rates);
  }
  if (arguments.gpu_only) return 0;
  banded(arguments, road_network(square_grid(arguments.quick ? 4000 : 26'000), 160), 32);
  banded(arguments, building(cube_grid(arguments.quick ? 128 : 1024)), 16);
}
