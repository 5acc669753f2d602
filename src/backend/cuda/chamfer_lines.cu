// SPDX-License-Identifier: MIT
// Part of Dovetail.

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

}  // namespace dovetail
