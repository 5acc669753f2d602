// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cuda/cuda_backend_impl.cuh"

namespace dovetail {

namespace {

template <class M>
struct ChamferPass : cuda::PointPass {
  static constexpr int D = M::D;
  static constexpr bool is_fit = std::is_same_v<M, chamfer::Fit<D>>;
  static constexpr unsigned rounds = 4, part_size = rounds * cuda::threads;
  static constexpr int blocks = 2;

  struct Context {
    chamfer::Data data;
    chamfer::FloatMap<D, M::projective> map;
    typename std::conditional_t<is_fit, typename M::Params, chamfer::LookSettings> settings;
  };

  __device__ static Context context(const chamfer::Data& data, const typename M::Params& params,
                                    const typename M::State& state) {
    Context c{data, chamfer::FloatMap<D, M::projective>(chamfer::looked_at<M>(state)), {}};
    if constexpr (is_fit) {
      c.settings = params;
    } else {
      c.settings = M::settings(params, state);
    }
    return c;
  }

  /// The points' terms are added in float, and then to the sums in double.
  template <int Width>
  __device__ static void points(const Context& c, std::uint32_t first, std::uint32_t count, double (&sums)[Width],
                                const cuda::Bins<std::uint32_t>& bins) {
    float terms[Width];
    if constexpr (!is_fit) {
#pragma unroll
      for (int k = 0; k < Width; ++k) terms[k] = 0;
    }
#pragma unroll 1
    for (unsigned round = 0; round < rounds; ++round) {
      // With so many sums the compiler must not prepare rounds ahead: what it keeps for them pushes sums out of
      // registers.
      if constexpr (Width > 64) asm volatile("");
      const std::uint32_t i = first + round * cuda::threads;
      if (i >= count) break;
      chamfer::Look<float, D> look;
      if (!chamfer::look_up<D, M::projective>(c.data.field, c.map, c.data.points, i, look)) continue;
      if constexpr (is_fit) {
        bins.add(M::add_point(c.settings, look, [&](int k, double value) { sums[k] += value; }), 1u);
      } else if constexpr (chamfer::is_alignment<M>) {
        chamfer::look_terms<typename M::Typed>(look, c.settings, [&](int k, float value) { terms[k] += value; });
      } else {
        chamfer::scatter_terms<typename M::Typed>(look, c.settings, [&](int k, float value) { terms[k] += value; });
      }
    }
    if constexpr (!is_fit) {
#pragma unroll
      for (int k = 0; k < Width; ++k) sums[k] = static_cast<double>(terms[k]);
    }
  }
};

}  // namespace

void CudaBackend::add_chamfer() { add_passes<ChamferPass>(FieldMethods{}); }

}  // namespace dovetail
