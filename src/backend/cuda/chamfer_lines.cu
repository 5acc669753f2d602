// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cuda/cuda_backend_impl.cuh"

namespace dovetail {

namespace {

template <class M>
struct LinePass : cuda::PointPass {
  static constexpr unsigned rounds = 4, part_size = rounds * cuda::threads;
  static constexpr int blocks = 2;

  struct Context {
    chamfer::LineData data;
    chamfer::FloatMap<2, M::projective> map;
    chamfer::LineSettings settings;
  };

  __device__ static Context context(const chamfer::LineData& data, const typename M::Params& params,
                                    const typename M::State& state) {
    return {data, chamfer::FloatMap<2, M::projective>(chamfer::looked_at<M>(state)), M::settings(params, state)};
  }

  /// The points' terms are added in float, and then to the sums in double.
  template <int Width>
  __device__ static void points(const Context& c, std::uint32_t first, std::uint32_t count, double (&sums)[Width],
                                const cuda::Bins<std::uint32_t>&) {
    float terms[Width];
#pragma unroll
    for (int k = 0; k < Width; ++k) terms[k] = 0;
#pragma unroll 1
    for (unsigned round = 0; round < rounds; ++round) {
      const std::uint32_t i = first + round * cuda::threads;
      if (i >= count) break;
      chamfer::LineLook<float> look;
      if (!chamfer::look_along_lines(c.data, c.map, c.settings, i, look)) continue;
      chamfer::line_terms<typename M::Typed>(look, c.settings, [&](int k, float value) { terms[k] += value; });
    }
#pragma unroll
    for (int k = 0; k < Width; ++k) sums[k] = static_cast<double>(terms[k]);
  }
};

/// As many bins as there are streets: they are counted in where they are.
template <class M>
struct CountPass : cuda::PointPass {
  static constexpr bool shares_bins = false;
  static constexpr unsigned rounds = 4, part_size = rounds * cuda::threads;
  static constexpr int blocks = 2;

  struct Context {
    chamfer::LineData data;
    LineCount::Map map;
    chamfer::LineSettings settings;
    float weight_unit;
  };

  __device__ static Context context(const chamfer::LineData& data, const LineCount::Params& params,
                                    const LineCount::State& state) {
    return {data, LineCount::Map(state.target_from_source), LineCount::settings(params, state),
            static_cast<float>(params.weight_unit)};
  }

  template <int Width>
  __device__ static void points(const Context& c, std::uint32_t first, std::uint32_t count, double (&sums)[Width],
                                const cuda::Bins<std::uint64_t>& bins) {
    for (unsigned round = 0; round < rounds; ++round) {
      const std::uint32_t i = first + round * cuda::threads;
      if (i >= count) break;
      LineCount::share_out(
          c.data, c.map, c.settings, c.weight_unit, i, [&](int k, double points) { sums[k] += points; },
          [&](std::uint32_t stretch, std::uint64_t amount) { bins.add(stretch, amount); });
    }
  }
};

}  // namespace

void CudaBackend::add_chamfer_lines() {
  add_passes<LinePass>(LineMethods{});
  add_passes<CountPass>(List<LineCount>{});
}

}  // namespace dovetail
