// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cuda/normals.h"

#include "backend/cuda/device_kd_tree.h"
#include "backend/cuda/stream.h"
#include "spatial/kd_search.h"

namespace dovetail {
namespace {

constexpr unsigned block_size = 128;

// A thread a slot: the threads of a warp then walk nearly the same path down the tree.
__global__ void estimate_normals_kernel(KdTreeView tree, NormalSettings settings, const std::uint32_t* order,
                                        float4* normal_and_variation) {
  const std::uint32_t slot = blockIdx.x * block_size + threadIdx.x;
  if (slot >= tree.count) return;
  const TreePoint p = tree.points[slot];
  KNearest<max_normal_neighbours> neighbours(settings.neighbours, INFINITY);
  search(tree, p.x, p.y, p.z, neighbours);
  const NormalEstimate estimate = normal_from_neighbours(tree, Vec3f{p.x, p.y, p.z}, neighbours, settings);
  normal_and_variation[order[slot]] =
      make_float4(estimate.normal[0], estimate.normal[1], estimate.normal[2], estimate.variation);
}

}  // namespace

void estimate_normals_cuda(const KdTree& tree, const NormalSettings& settings, int device, const NormalArrays& out) {
  const DeviceScope scope(device);
  if (tree.empty()) return;
  const Stream stream;
  const DeviceKdTree device_tree(tree, stream.get());
  const DeviceBuffer<std::uint32_t> order(tree.order(), stream.get());
  DeviceBuffer<float4> result(tree.size(), stream.get());

  const unsigned blocks = (tree.size() - 1) / block_size + 1;
  estimate_normals_kernel<<<blocks, block_size, 0, stream.get()>>>(device_tree.view(), settings, order.data(),
                                                                   result.data());
  check_cuda(cudaGetLastError(), "CUDA: starting the estimation of normals");

  std::vector<float4> normals(tree.size());
  result.download(normals);
  stream.synchronize();
  for (std::size_t i = 0; i < normals.size(); ++i) {
    out.nx[i] = normals[i].x;
    out.ny[i] = normals[i].y;
    out.nz[i] = normals[i].z;
    if (!out.variation.empty()) out.variation[i] = normals[i].w;
  }
}

}  // namespace dovetail
