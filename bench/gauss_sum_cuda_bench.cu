// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "backend/cuda/check.h"
#include "backend/cuda/device_buffer.h"
#include "backend/cuda/gauss_sum.cuh"
#include "backend/cuda/stream.h"
#include "harness.h"
#include "scans.h"
#include "spatial/cluster_tree.h"
#include "spatial/morton.h"

// Gaussian sums on a GPU, in the loop they are made for: one cooperative kernel that sweeps, waits, adds the chunks of
// each row and waits, once for each σ of a schedule. "dense" is one sweep over all pairs, in pairs a second; "schedule"
// is 66 sweeps from σ² = 0.01 to 1e-5 over a cloud 0.15 across, turned by 20 degrees against the target.

namespace dovetail::bench {
namespace {

const char* const name = "gauss sum";
constexpr unsigned block_size = 256;

void check(cudaError_t status) { check_cuda(status, "CUDA: measuring Gaussian sums"); }

struct Schedule {
  cuda::GaussPass pass;
  const float* sigmas;
  int steps;
  float4* rows;
};

template <bool Dense>
__global__ void __launch_bounds__(block_size, 2) schedule_kernel(const Schedule s) {
  __shared__ cuda::GaussScratch scratch[block_size / 32];
  cuda::GaussScratch& own = scratch[threadIdx.x / 32];
  const auto grid = cooperative_groups::this_grid();
  cuda::GaussPass pass = s.pass;
  for (int step = 0; step < s.steps; ++step) {
    pass.settings.sigma = s.sigmas[step];
    if constexpr (!Dense) {
      cuda::gauss_floors<false>(pass, own);
      grid.sync();
    }
    cuda::gauss_sweep<false, Dense>(pass, own);
    grid.sync();
    // Whole warps: the lanes of a row work together.
    const std::uint32_t lanes = (pass.rows.count * 8 + 31) / 32 * 32;
    for (std::uint32_t i = blockIdx.x * block_size + threadIdx.x; i < lanes; i += gridDim.x * block_size) {
      const std::uint32_t row = min(i / 8, pass.rows.count - 1);
      const float4 sum = cuda::gauss_row<8>(pass, row);
      if (i % 8 == 0) s.rows[row] = sum;
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) *pass.counter = 0;
    grid.sync();
    grid.sync();  // where a method advances
  }
}

struct Coordinates {
  std::vector<float> x, y, z;
};

/// A sampling of the bumpy sphere, 0.15 across, turned about its middle.
Coordinates sampled(std::size_t count, std::uint64_t seed, double degrees) {
  const double angle = degrees * std::numbers::pi / 180, c = 0.15 * std::cos(angle), s = 0.15 * std::sin(angle);
  Coordinates out;
  for (const Vec3& p : bumpy_sphere(count, seed).positions) {
    out.x.push_back(static_cast<float>(c * p[0] - s * p[1]));
    out.y.push_back(static_cast<float>(s * p[0] + c * p[1]));
    out.z.push_back(static_cast<float>(0.15 * p[2]));
  }
  return out;
}

class Case {
 public:
  Case(std::size_t count, float tolerance, cudaStream_t stream) : stream_(stream) {
    const Coordinates target = sampled(count, 1, 0), source = sampled(count, 2, 20);
    const KdTree tree(target.x, target.y, target.z);
    const ClusterTree clusters(tree);
    points_ = {tree.points(), stream};
    clusters_ = {clusters.clusters(), stream};
    moments_ = {clusters.moments(), stream};
    Coordinates rows;
    for (const std::uint32_t i : morton_order(source.x, source.y, source.z)) {
      rows.x.push_back(source.x[i]), rows.y.push_back(source.y[i]), rows.z.push_back(source.z[i]);
    }
    x_ = {std::span<const float>(rows.x), stream};
    y_ = {std::span<const float>(rows.y), stream};
    z_ = {std::span<const float>(rows.z), stream};

    const auto size = static_cast<std::uint32_t>(count);
    s_.pass.points.clusters = {{points_.data(), nullptr, size, 0}, clusters_.data(), moments_.data(), clusters.depth()};
    s_.pass.rows = {x_.data(), y_.data(), z_.data(), size};
    s_.pass.settings.tolerance = tolerance;
    s_.pass.plan = cuda::gauss_plan(size, size, clusters.depth(), tolerance);
    partial_ = {s_.pass.plan.partials(), stream};
    sums_ = {count, stream};
    floor_ = {count, stream};
    counter_ = {1, stream};
    counter_.fill_bytes(0);
    s_.pass.partial = partial_.data();
    s_.pass.floor = floor_.data();
    s_.pass.counter = counter_.data();
    s_.rows = sums_.data();
    check(cudaStreamSynchronize(stream));
  }

  double milliseconds(const std::vector<float>& sigmas) {
    const DeviceBuffer<float> device(std::span<const float>(sigmas), stream_);
    s_.sigmas = device.data();
    s_.steps = static_cast<int>(sigmas.size());
    const auto kernel =
        reinterpret_cast<const void*>(s_.pass.plan.dense ? schedule_kernel<true> : schedule_kernel<false>);
    int multiprocessors = 0, blocks = 0;
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block_size, 0));
    cudaEvent_t began, ended;
    check(cudaEventCreate(&began));
    check(cudaEventCreate(&ended));
    void* arguments[] = {&s_};
    check(cudaEventRecord(began, stream_));
    check(cudaLaunchCooperativeKernel(kernel, dim3(static_cast<unsigned>(blocks * multiprocessors)), dim3(block_size),
                                      arguments, 0, stream_));
    check(cudaEventRecord(ended, stream_));
    check(cudaEventSynchronize(ended));
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, began, ended));
    cudaEventDestroy(began);
    cudaEventDestroy(ended);
    return static_cast<double>(milliseconds);
  }

 private:
  cudaStream_t stream_;
  DeviceBuffer<TreePoint> points_;
  DeviceBuffer<Cluster> clusters_;
  DeviceBuffer<float> moments_, x_, y_, z_, floor_;
  DeviceBuffer<float4> partial_, sums_;
  DeviceBuffer<unsigned> counter_;
  Schedule s_{};
};

void run(const Arguments& arguments) {
  const std::string machine = cuda_machines().front();
  const DeviceScope scope(0);
  const Stream stream;
  std::vector<float> sigmas;
  for (double square = 0.01; square > 1e-5; square *= 0.9) sigmas.push_back(static_cast<float>(std::sqrt(square)));

  const std::size_t large = arguments.quick ? 100'000 : 1'000'000;
  for (const float sigma : {0.1f, 0.01f}) {
    Case dense(large, 0, stream.get());
    const Timing timing = measure_own(arguments, [&] { return dense.milliseconds({sigma}); });
    const double pairs = static_cast<double>(large) * static_cast<double>(large);
    Line(name, "dense")
        .points(large)
        .machine(machine)
        .number("sigma", double{sigma})
        .value(pairs / (1e-3 * timing.median_ms), "pairs/s");
  }
  for (const std::size_t count : {std::size_t{5'032}, std::size_t{40'097}, large}) {
    Case tree(count, 1e-6f, stream.get());
    Line(name, "schedule").points(count).machine(machine).number("tolerance", 1e-6).value(measure_own(arguments, [&] {
      return tree.milliseconds(sigmas);
    }));
  }
}

}  // namespace
}  // namespace dovetail::bench

int main(int argc, char** argv) {
  using namespace dovetail::bench;
  const Arguments arguments = parse_arguments(argc, argv);
  if (cuda_machines().empty()) return 0;
  describe_machine(name);
  run(arguments);
}
