// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <cstring>

#include "backend/cuda/cuda_backend_impl.cuh"

namespace dovetail {

namespace {

/// A warp for each shift of a reference: its lanes read pixels side by side.
template <class M>
struct RoughPosePass : cuda::SmallPass<32> {
  __device__ static LaidPixel load(const LaidPixel* from) {
    const unsigned bits = __ldg(reinterpret_cast<const unsigned*>(from));
    LaidPixel pixel;
    std::memcpy(&pixel, &bits, sizeof(pixel));
    return pixel;
  }

  /// Whole numbers, which a lane adds up before it makes doubles of them.
  __device__ static void all(const cuda::Item<M>& item, double (&sums)[doubles_in<typename M::Sums>]) {
    const ReferencesView& part = item.data.part;
    const WindowView window = item.data.window;
    const typename M::Context at = M::context_of(item.data, item.params, item.state, item.hypothesis);
    const LaidReference reference = part.references[item.state.reference];
    const LaidPixel* const pixels = part.pixels + std::size_t{reference.first} * group_pixels;
    const std::uint32_t* const corner = part.corner + reference.first;
    const LaidPixel* const from = window.pixels + at.row * window.stride + at.column;
    const rough::Params params = item.params;
    const std::uint32_t items = M::items(item.data, item.state);
    rough::Answer sum{};
    unsigned long long range = 0;
#pragma unroll 4
    for (std::uint32_t i = item.index; i < items; i += lanes) {
      const std::uint32_t place = __ldg(corner + i / group_pixels);
      const LaidPixel* const on =
          from + static_cast<int>(place >> 16) * window.stride + static_cast<int>((place & 0xffffu) + i % group_pixels);
      const rough::Answer answer = rough::ask(params, load(pixels + i), load(on), at.z);
      sum.agreed += answer.agreed;
      sum.hidden += answer.hidden;
      sum.impossible += answer.impossible;
      sum.unknown += answer.unknown;
      range += answer.range;
      sum.pixels += answer.pixels;
      sum.cover += answer.cover;
    }
    const double as_double[] = {static_cast<double>(sum.agreed),     static_cast<double>(sum.hidden),
                                static_cast<double>(sum.impossible), static_cast<double>(sum.unknown),
                                static_cast<double>(range),          static_cast<double>(sum.pixels),
                                static_cast<double>(sum.cover)};
#pragma unroll
    for (int k = 0; k < doubles_in<typename M::Sums>; ++k) sums[k] = as_double[k];
  }
};

}  // namespace

void CudaBackend::add_rough_pose() { add_passes<RoughPosePass>(List<rough::RoughPose>{}); }

}  // namespace dovetail
