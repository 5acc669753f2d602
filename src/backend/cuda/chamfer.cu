// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/chamfer_pass.h"
#include "backend/cuda/cuda_backend_impl.cuh"

namespace dovetail {

namespace {

template <class M>
struct ChamferPass : cuda::PointPass {
  static constexpr int D = M::D;
  static constexpr unsigned rounds = 4, part_size = rounds * cuda::threads;
  static constexpr int blocks = 2;

  struct Context {
    const float *x, *y, *z, *weight;
    FieldView field;
    chamfer::FloatMap<D, M::projective> map;
    typename std::conditional_t<is_fit<M>, typename M::Params, chamfer::LookSettings> settings;
  };

  __device__ static Context context(const LevelView& level, const typename M::Params& params,
                                    const typename M::State& state) {
    Context c{level.x, level.y, level.z, level.weight, level.field, {}, {}};
    c.map = chamfer::FloatMap<D, M::projective>(looked_at<M>(state));
    if constexpr (is_fit<M>) {
      c.settings = params;
    } else {
      c.settings = M::settings(params, state);
    }
    return c;
  }

  /// The points' terms are added in float, and then to the sums in double.
  template <int Width>
  __device__ static void points(const Context& c, std::uint32_t first, std::uint32_t count, double (&sums)[Width],
                                std::uint32_t* histogram) {
    float terms[Width];
    if constexpr (!is_fit<M>) {
#pragma unroll
      for (int k = 0; k < Width; ++k) terms[k] = 0;
    }
#pragma unroll 1
    for (unsigned round = 0; round < rounds; ++round) {
      const std::uint32_t i = first + round * cuda::threads;
      if (i >= count) break;
      float point[3] = {c.x[i], c.y[i], 0};
      if constexpr (D == 3) point[2] = c.z[i];
      const float weight = c.weight != nullptr ? c.weight[i] : 1.0f;
      chamfer::Look<float, D> look;
      if (!look_up<D, M::projective>(c.field, c.map, point, weight, look)) continue;
      if constexpr (is_fit<M>) {
        const int bin = M::add_point(c.settings, look, [&](int k, double value) { sums[k] += value; });
        atomicAdd(&histogram[bin], 1u);
      } else if constexpr (is_alignment<M>) {
        chamfer::look_terms<typename M::Typed>(look, c.settings, [&](int k, float value) { terms[k] += value; });
      } else {
        chamfer::spread_terms<typename M::Typed>(look, c.settings, [&](int k, float value) { terms[k] += value; });
      }
    }
    if constexpr (!is_fit<M>) {
#pragma unroll
      for (int k = 0; k < Width; ++k) sums[k] = static_cast<double>(terms[k]);
    }
  }
};

template <int D>
__global__ void find_misses(const LevelView level, const chamfer::FloatMap<D, D == 2> map, SampleMiss* out) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < level.count) out[i] = miss_of<D>(level, map, i);
}

template <int D>
std::vector<SampleMiss> misses_on_device(const LevelView& level, const Matrix<double, D + 1, D + 1>& t,
                                         cudaStream_t stream) {
  std::vector<SampleMiss> all(level.count);
  if (all.empty()) return all;
  DeviceBuffer<SampleMiss> out(all.size(), stream);
  constexpr unsigned threads = 128;
  find_misses<D><<<(level.count + threads - 1) / threads, threads, 0, stream>>>(level, chamfer::FloatMap<D, D == 2>(t),
                                                                                out.data());
  check_cuda(cudaGetLastError(), "CUDA: finding residuals");
  out.download(all);
  check_cuda(cudaStreamSynchronize(stream), "CUDA: finding residuals");
  return all;
}

}  // namespace

#define DOVETAIL_RUN(M) \
  void CudaBackend::run(Batch<M>& batch) { impl_->loop<ChamferPass<M>>(batch); }
DOVETAIL_CHAMFER_METHODS(DOVETAIL_RUN)
#undef DOVETAIL_RUN

std::vector<SampleMiss> CudaBackend::misses(const Matrix<double, 3, 3>& target_from_source, std::uint32_t level) {
  const DeviceScope scope(impl_->device);
  return misses_on_device<2>(impl_->views.front().level[level], target_from_source, impl_->workspace.stream());
}

std::vector<SampleMiss> CudaBackend::misses(const Matrix<double, 4, 4>& target_from_source, std::uint32_t level) {
  const DeviceScope scope(impl_->device);
  return misses_on_device<3>(impl_->views.front().level[level], target_from_source, impl_->workspace.stream());
}

}  // namespace dovetail
