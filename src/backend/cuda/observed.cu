// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/observed.h"

#include "backend/cuda/cuda_backend_impl.cuh"
#include "backend/cuda/distance_field.h"

namespace dovetail {

namespace {

/// Points as the caller holds them, on the device, and where they go.
struct Conversion {
  const float *raw, *raw_weight;
  const std::uint32_t* sample;  ///< null: all points
  std::size_t stride;
  std::uint32_t count;
  float origin[3], scale;
  float *x, *y, *z, *weight;
};

template <int D>
__global__ void convert_points(const Conversion c) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= c.count) return;
  const std::uint32_t from = c.sample != nullptr ? c.sample[i] : i;
  const float* point = c.raw + from * c.stride;
  // Not fused, as on the host.
  c.x[i] = __fmul_rn(__fsub_rn(point[0], c.origin[0]), c.scale);
  c.y[i] = __fmul_rn(__fsub_rn(point[1], c.origin[1]), c.scale);
  c.z[i] = D == 3 ? __fmul_rn(__fsub_rn(point[D - 1], c.origin[2]), c.scale) : 0.0f;
  if (c.weight != nullptr) c.weight[i] = c.raw_weight[from];
}

__global__ void gather_points(const float* points, std::size_t stride, int dimension, const std::uint32_t* sample,
                              std::uint32_t count, float* out) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  for (int a = 0; a < dimension; ++a) out[i * dimension + a] = points[sample[i] * stride + a];
}

LevelView convert(Conversion c, int dimension, std::uint32_t count, cuda::DeviceObserved::Points& to,
                  cudaStream_t stream) {
  c.count = count;
  c.x = to.x.room(count, stream);
  c.y = to.y.room(count, stream);
  c.z = to.z.room(count, stream);
  c.weight = c.raw_weight != nullptr ? to.weight.room(count, stream) : nullptr;
  if (count > 0) {
    const auto kernel = dimension == 2 ? convert_points<2> : convert_points<3>;
    kernel<<<(count + 255) / 256, 256, 0, stream>>>(c);
    check_cuda(cudaGetLastError(), "CUDA: converting observed points");
  }
  LevelView level;
  level.count = count;
  level.x = c.x;
  level.y = c.y;
  level.z = c.z;
  level.weight = c.weight;
  return level;
}

/// Room for a level's arrays, the host's part of them uploaded.
cuda::DeviceField::Level device_level(const FieldLevel& level, cudaStream_t stream) {
  cuda::DeviceField::Level d;
  d.sites = DeviceBuffer<Site>(std::span<const Site>(level.sites), stream);
  d.nearest = DeviceBuffer<std::uint32_t>(level.stored_cells(), stream);
  d.view = level.view();
  if (level.band > 0) {
    d.tile_slot = DeviceBuffer<std::uint32_t>(std::span<const std::uint32_t>(level.tiles.slot), stream);
    d.view.tile_slot = d.tile_slot.data();
  }
  d.view.sites = d.sites.data();
  d.view.nearest = d.nearest.data();
  return d;
}

}  // namespace

void CudaBackend::build_field(FieldData& field, std::span<const std::vector<std::uint64_t>> keys, bool on_host) {
  const DeviceScope scope(impl_->device);
  const cudaStream_t stream = impl_->workspace.stream();
  impl_->field = {};
  impl_->field.id = field.id;
  for (std::size_t i = 0; i < field.levels.size(); ++i) {
    FieldLevel& level = field.levels[i];
    cuda::DeviceField::Level& d = impl_->field.levels.emplace_back(device_level(level, stream));
    const DeviceBuffer<std::uint64_t> seeds(std::span<const std::uint64_t>(keys[i]), stream);
    const auto count = static_cast<std::uint32_t>(keys[i].size());
    impl_->workspace.reset();
    if (level.band == 0) {
      cuda::build_dense_field(level.grid, seeds.data(), count, d.nearest.data(), impl_->workspace);
    } else {
      const DeviceBuffer<std::uint32_t> stored(std::span<const std::uint32_t>(level.tiles.stored), stream);
      cuda::build_banded_field(level.grid, seeds.data(), count, level.band,
                               {d.tile_slot.data(), stored.data(), static_cast<std::uint32_t>(stored.size())},
                               d.nearest.data(), impl_->workspace);
    }
    if (on_host) {
      level.nearest.resize(level.stored_cells());
      d.nearest.download(level.nearest);
    }
  }
  check_cuda(cudaStreamSynchronize(stream), "CUDA: building a distance field");
}

void CudaBackend::place(const ObservedView& observed, const FieldData& field) {
  const DeviceScope scope(impl_->device);
  const cudaStream_t stream = impl_->workspace.stream();
  if (impl_->field.id != field.id) {
    impl_->field = {};
    for (const FieldLevel& level : field.levels) {
      if (level.nearest.empty()) throw MachineError("CUDA: a distance field was built elsewhere and not brought here");
      impl_->field.levels.push_back(device_level(level, stream));
      impl_->field.levels.back().nearest.upload(level.nearest);
    }
    impl_->field.id = field.id;
  }
  cuda::DeviceObserved& o = impl_->observed;
  const std::size_t floats = observed.count > 0 ? (observed.count - 1) * observed.stride + observed.dimension : 0;
  Conversion c{};
  c.raw = observed.on_device ? observed.points : o.raw.upload({observed.points, floats}, stream);
  c.raw_weight = observed.weight != nullptr ? o.raw_weight.upload({observed.weight, observed.count}, stream) : nullptr;
  c.stride = observed.stride;
  c.scale = observed.scale;
  for (int a = 0; a < 3; ++a) c.origin[a] = observed.origin[a];
  const LevelView all = convert(c, observed.dimension, static_cast<std::uint32_t>(observed.count), o.of_all, stream);
  c.sample = o.sample.upload(observed.sample, stream);
  const LevelView sample =
      convert(c, observed.dimension, static_cast<std::uint32_t>(observed.sample.size()), o.of_sample, stream);

  ProblemView view;
  for (std::size_t f = 0; f < impl_->field.levels.size(); ++f) {
    for (const Share share : {Share::sample, Share::all}) {
      LevelView& level = view.level[observed_level(field, f, share)];
      level = share == Share::all ? all : sample;
      level.field = impl_->field.levels[f].view;
    }
  }
  view.levels = static_cast<int>(2 * impl_->field.levels.size());
  impl_->problems.clear();
  impl_->views = {view};
  impl_->device_views = DeviceBuffer<ProblemView>(std::span<const ProblemView>(impl_->views), stream);
  check_cuda(cudaStreamSynchronize(stream), "CUDA: uploading observed points");
}

std::vector<float> CudaBackend::read_sample(const ObservedView& observed) {
  if (!observed.on_device) return Backend::read_sample(observed);
  const DeviceScope scope(impl_->device);
  const cudaStream_t stream = impl_->workspace.stream();
  const auto count = static_cast<std::uint32_t>(observed.sample.size());
  std::vector<float> out(observed.sample.size() * observed.dimension);
  const DeviceBuffer<std::uint32_t> sample(observed.sample, stream);
  DeviceBuffer<float> gathered(out.size(), stream);
  gather_points<<<(count + 255) / 256, 256, 0, stream>>>(observed.points, observed.stride, observed.dimension,
                                                         sample.data(), count, gathered.data());
  check_cuda(cudaGetLastError(), "CUDA: reading observed points");
  gathered.download(out);
  check_cuda(cudaStreamSynchronize(stream), "CUDA: reading observed points");
  return out;
}

}  // namespace dovetail
