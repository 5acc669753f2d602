// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <algorithm>

#include "backend/chamfer_pass.h"
#include "backend/cuda/cuda_backend_impl.cuh"

namespace dovetail {

namespace {

template <class M>
struct LinePass : cuda::PointPass {
  static constexpr unsigned rounds = 4, part_size = rounds * cuda::threads;
  static constexpr int blocks = 2;

  struct Context {
    LevelView level;
    chamfer::FloatMap<2, M::projective> map;
    chamfer::LineSettings settings;
  };

  __device__ static Context context(const LevelView& level, const typename M::Params& params,
                                    const typename M::State& state) {
    return {level, chamfer::FloatMap<2, M::projective>(looked_at<M>(state)), M::settings(params, state)};
  }

  /// The points' terms are added in float, and then to the sums in double.
  template <int Width>
  __device__ static void points(const Context& c, std::uint32_t first, std::uint32_t count, double (&sums)[Width],
                                std::uint32_t*) {
    float terms[Width];
#pragma unroll
    for (int k = 0; k < Width; ++k) terms[k] = 0;
#pragma unroll 1
    for (unsigned round = 0; round < rounds; ++round) {
      const std::uint32_t i = first + round * cuda::threads;
      if (i >= count) break;
      chamfer::LineLook<float> look;
      if (!look_along_lines(c.level, c.map, c.settings, i, look)) continue;
      chamfer::line_terms<typename M::Typed>(look, c.settings, [&](int k, float value) { terms[k] += value; });
    }
#pragma unroll
    for (int k = 0; k < Width; ++k) sums[k] = static_cast<double>(terms[k]);
  }
};

/// What all points have in common, in constant memory: the kernel's parameter.
struct Counting {
  LevelView level;
  chamfer::FloatMap<2, true> map;
  chamfer::LineSettings settings;
  float weight_unit;
  std::uint64_t* tally;
};

__global__ void count_along_lines(const Counting c) {
  const auto add = [&](std::uint32_t number, std::uint64_t amount) {
    atomicAdd(reinterpret_cast<unsigned long long*>(c.tally) + number, static_cast<unsigned long long>(amount));
  };
  // What all points add to is kept by each thread until the end.
  std::uint64_t own[LineTally::extra] = {};
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < c.level.count; i += gridDim.x * blockDim.x) {
    share_out(c.level, c.map, c.settings, c.weight_unit, i, [&](std::uint32_t number, std::uint64_t amount) {
      if (number == LineTally::strays) {
        own[LineTally::strays] += amount;
      } else if (number == LineTally::squared) {
        own[LineTally::squared] += amount;
      } else {
        add(number, amount);
      }
    });
  }
  for (std::uint32_t k = 0; k < LineTally::extra; ++k) {
    for (unsigned step = 16; step > 0; step /= 2) own[k] += __shfl_down_sync(0xffffffffu, own[k], step);
    if (threadIdx.x % 32 == 0) add(k, own[k]);
  }
}

}  // namespace

#define DOVETAIL_RUN(M) \
  void CudaBackend::run(Batch<M>& batch) { impl_->loop<LinePass<M>>(batch); }
DOVETAIL_LINE_METHODS(DOVETAIL_RUN)
#undef DOVETAIL_RUN

void CudaBackend::place(const LineIndex& lines) {
  const DeviceScope scope(impl_->device);
  const cudaStream_t stream = impl_->workspace.stream();
  LinesView view = lines.grid;
  view.start = impl_->lines.start.upload(lines.start, stream);
  view.segments = impl_->lines.segments.upload(lines.segments, stream);
  show_lines(view, impl_->views);
  impl_->device_views = DeviceBuffer<ProblemView>(std::span<const ProblemView>(impl_->views), stream);
  check_cuda(cudaStreamSynchronize(stream), "CUDA: uploading lines");
}

LineCounts CudaBackend::count(const LineCounting& counting) {
  const DeviceScope scope(impl_->device);
  const cudaStream_t stream = impl_->workspace.stream();
  LineTally tally(counting.parts);
  DeviceBuffer<std::uint64_t> numbers(tally.numbers().size(), stream);
  numbers.fill_bytes(0);
  Counting c{impl_->views.front().level[counting.level], chamfer::FloatMap<2, true>(counting.target_from_source),
             counting.settings(), static_cast<float>(counting.weight_unit), numbers.data()};
  constexpr unsigned threads = 256, most_blocks = 2048;
  const unsigned blocks = std::min((c.level.count + threads - 1) / threads, most_blocks);
  if (blocks > 0) count_along_lines<<<blocks, threads, 0, stream>>>(c);
  check_cuda(cudaGetLastError(), "CUDA: counting points along lines");
  numbers.download(tally.numbers());
  check_cuda(cudaStreamSynchronize(stream), "CUDA: counting points along lines");
  return tally.counts(counting.spread);
}

}  // namespace dovetail
