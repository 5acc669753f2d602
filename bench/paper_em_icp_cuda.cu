// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <vector>

#include "backend/cuda/check.h"
#include "backend/cuda/device_buffer.h"
#include "backend/cuda/stream.h"
#include "paper_em_icp_loop.h"

namespace dovetail::bench {
namespace {

using std::size_t;

constexpr unsigned block_size = 256;
constexpr unsigned rows_a_block =
    8;  ///< a thread has four columns of so many rows: target points are read once for all

void check(cudaError_t status) { check_cuda(status, "CUDA: EM-ICP with a matrix in memory"); }
void check(cublasStatus_t status) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw MachineError(std::string("cuBLAS: EM-ICP with a matrix in memory: ") + cublasGetStatusString(status));
}

class Blas {
 public:
  explicit Blas(cudaStream_t stream) {
    check(cublasCreate(&handle_));
    check(cublasSetStream(handle_, stream));
  }
  ~Blas() { cublasDestroy(handle_); }
  Blas(const Blas&) = delete;
  Blas& operator=(const Blas&) = delete;

  cublasHandle_t get() const { return handle_; }

 private:
  cublasHandle_t handle_ = nullptr;
};

/// Memory for A; empty where the device has not enough. Taken by itself, not from a pool, to be told apart from other
/// failures.
class Matrix {
 public:
  explicit Matrix(size_t count) {
    const cudaError_t status = cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(float));
    if (status == cudaErrorMemoryAllocation) {
      cudaGetLastError();
      data_ = nullptr;
    } else {
      check(status);
    }
  }
  ~Matrix() { cudaFree(data_); }
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;

  float* data() const { return data_; }

 private:
  float* data_ = nullptr;
};

/// The sums where the host reads them without a detour.
class PinnedSums {
 public:
  PinnedSums() { check(cudaMallocHost(reinterpret_cast<void**>(&sums_), sizeof(PaperSums))); }
  ~PinnedSums() { cudaFreeHost(sums_); }
  PinnedSums(const PinnedSums&) = delete;
  PinnedSums& operator=(const PinnedSums&) = delete;

  PaperSums* get() const { return sums_; }

 private:
  PaperSums* sums_ = nullptr;
};

/// A = exp(-d^2 / sigma^2), `scale` being -log2(e) / sigma^2. `source` has `rows` points a coordinate, `target` 4
/// `quads`.
__global__ void __launch_bounds__(block_size) fill_kernel(const float* source, const float4* target, PaperPose pose,
                                                          float scale, unsigned rows, unsigned quads, float4* a) {
  const unsigned column = blockIdx.x * block_size + threadIdx.x;
  if (column >= quads) return;
  const float4 x = target[column], y = target[column + quads], z = target[column + 2 * size_t{quads}];
  const unsigned first = blockIdx.y * rows_a_block, last = min(first + rows_a_block, rows);
  const float* r = pose.rotation;
  const float* t = pose.translation;
  for (unsigned i = first; i < last; ++i) {
    const float sx = source[i], sy = source[i + size_t{rows}], sz = source[i + 2 * size_t{rows}];
    const float px = fmaf(r[0], sx, fmaf(r[1], sy, fmaf(r[2], sz, t[0])));
    const float py = fmaf(r[3], sx, fmaf(r[4], sy, fmaf(r[5], sz, t[1])));
    const float pz = fmaf(r[6], sx, fmaf(r[7], sy, fmaf(r[8], sz, t[2])));
    const auto weight = [&](float tx, float ty, float tz) {
      const float dx = tx - px, dy = ty - py, dz = tz - pz;
      return exp2f(fmaf(dx, dx, fmaf(dy, dy, dz * dz)) * scale);
    };
    a[size_t{i} * quads + column] =
        make_float4(weight(x.x, y.x, z.x), weight(x.y, y.y, z.y), weight(x.z, y.z, z.z), weight(x.w, y.w, z.w));
  }
}

/// A = sqrt(A / C), C being the sum of a row and the outlier's term.
__global__ void __launch_bounds__(block_size)
    root_kernel(const float* row_sum, float outlier, unsigned rows, unsigned quads, float4* a) {
  const unsigned column = blockIdx.x * block_size + threadIdx.x;
  if (column >= quads) return;
  const unsigned first = blockIdx.y * rows_a_block, last = min(first + rows_a_block, rows);
  for (unsigned i = first; i < last; ++i) {
    const float sum = row_sum[i] + outlier, inverse = sum > 0 ? 1 / sum : 0.0f;
    float4& at = a[size_t{i} * quads + column];
    float4 v = at;
    v.x = sqrtf(v.x * inverse), v.y = sqrtf(v.y * inverse), v.z = sqrtf(v.z * inverse), v.w = sqrtf(v.w * inverse);
    at = v;
  }
}

/// Takes the means off: lambda x' - lambda mean x' in place, y - mean y into `centred`.
__global__ void centre_kernel(const float* source, const float* lambda, const PaperSums* sums, unsigned rows,
                              float* weighted, float* centred) {
  const unsigned i = blockIdx.x * block_size + threadIdx.x;
  if (i >= rows) return;
  const float inverse = sums->weight > 0 ? 1 / sums->weight : 0.0f;
  for (unsigned axis = 0; axis < 3; ++axis) {
    const size_t at = i + axis * size_t{rows};
    weighted[at] -= lambda[i] * (sums->target[axis] * inverse);
    centred[at] = source[at] - sums->source[axis] * inverse;
  }
}

/// One coordinate after the other, each padded with zeros to `stride`; then, as a fourth, ones.
std::vector<float> by_axis(std::span<const float> xyz, size_t stride) {
  const size_t count = xyz.size() / 3;
  std::vector<float> out(4 * stride, 0.0f);
  for (size_t i = 0; i < count; ++i) {
    for (size_t axis = 0; axis < 3; ++axis) out[axis * stride + i] = xyz[3 * i + axis];
    out[3 * stride + i] = 1;
  }
  return out;
}

class DensePass {
 public:
  /// `a` holds source points x target points, row by row, rows padded to `stride`.
  DensePass(std::span<const float> source_xyz, std::span<const float> target_xyz, double outlier_squared, size_t stride,
            float* a, cudaStream_t stream)
      : rows_(source_xyz.size() / 3),
        columns_(target_xyz.size() / 3),
        stride_(stride),
        outlier_squared_(outlier_squared),
        stream_(stream),
        blas_(stream),
        a_(a),
        source_(by_axis(source_xyz, rows_), stream),
        target_(by_axis(target_xyz, stride), stream),
        row_sum_(rows_, stream),
        lambda_(rows_, stream),
        weighted_(3 * rows_, stream),
        centred_(3 * rows_, stream),
        sums_(1, stream) {
    check(cudaStreamSynchronize(stream));
  }

  PaperSums operator()(const PaperPose& pose, double sigma_squared) {
    const int n = static_cast<int>(rows_), m = static_cast<int>(columns_), lda = static_cast<int>(stride_);
    const unsigned rows = static_cast<unsigned>(rows_), quads = static_cast<unsigned>(stride_ / 4);
    const dim3 blocks((quads + block_size - 1) / block_size, (rows + rows_a_block - 1) / rows_a_block);
    const float scale = static_cast<float>(-1 / (std::numbers::ln2 * sigma_squared));
    const float outlier = static_cast<float>(std::exp(-outlier_squared_ / sigma_squared));
    float4* quad_a = reinterpret_cast<float4*>(a_);
    const float* target_ones = target_.data() + 3 * stride_;
    const float* source_ones = source_.data() + 3 * rows_;
    PaperSums* sums = sums_.data();
    // To cuBLAS, which counts columns first, A is transposed; so are all products with it.
    fill_kernel<<<blocks, block_size, 0, stream_>>>(source_.data(), reinterpret_cast<const float4*>(target_.data()),
                                                    pose, scale, rows, quads, quad_a);
    check(cudaGetLastError());
    // (9): A 1.
    times(CUBLAS_OP_T, m, n, a_, lda, target_ones, row_sum_.data());
    root_kernel<<<blocks, block_size, 0, stream_>>>(row_sum_.data(), outlier, rows, quads, quad_a);
    check(cudaGetLastError());
    // (11): lambda = A 1, lambda x' = A X. They divide by lambda here and multiply by it again in (28) and (29).
    times(CUBLAS_OP_T, m, n, a_, lda, target_ones, lambda_.data());
    check(cublasSgemm(blas_.get(), CUBLAS_OP_T, CUBLAS_OP_N, n, 3, m, &one, a_, lda, target_.data(), lda, &zero,
                      weighted_.data(), n));
    // (28): the ones behind the source's coordinates give the sum of lambda as well.
    times(CUBLAS_OP_T, n, 4, source_.data(), n, lambda_.data(), sums->source);
    times(CUBLAS_OP_T, n, 3, weighted_.data(), n, source_ones, sums->target);
    centre_kernel<<<(rows + block_size - 1) / block_size, block_size, 0, stream_>>>(
        source_.data(), lambda_.data(), sums, rows, weighted_.data(), centred_.data());
    check(cudaGetLastError());
    // (29), row by row.
    check(cublasSgemm(blas_.get(), CUBLAS_OP_T, CUBLAS_OP_N, 3, 3, n, &one, centred_.data(), n, weighted_.data(), n,
                      &zero, sums->cross, 3));
    check(cudaMemcpyAsync(host_.get(), sums, sizeof(PaperSums), cudaMemcpyDeviceToHost, stream_));
    check(cudaStreamSynchronize(stream_));
    return *host_.get();
  }

 private:
  static constexpr float one = 1, zero = 0;

  void times(cublasOperation_t operation, int rows, int columns, const float* matrix, int lda, const float* x,
             float* y) {
    check(cublasSgemv(blas_.get(), operation, rows, columns, &one, matrix, lda, x, 1, &zero, y, 1));
  }

  size_t rows_, columns_, stride_;
  double outlier_squared_;
  cudaStream_t stream_;
  Blas blas_;
  float* a_;
  DeviceBuffer<float> source_, target_, row_sum_, lambda_, weighted_, centred_;
  DeviceBuffer<PaperSums> sums_;
  PinnedSums host_;
};

}  // namespace

bool paper_em_icp_cuda_available() {
  int devices = 0;
  return cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
}

PaperRun paper_em_icp_cuda(std::span<const float> source_xyz, std::span<const float> target_xyz,
                           const PaperSchedule& schedule) {
  const Stream stream;
  const size_t stride = (target_xyz.size() / 3 + 31) / 32 * 32;  // rows begin at 128 bytes
  const Matrix a(source_xyz.size() / 3 * stride);
  if (a.data() == nullptr) return {};
  DensePass pass(source_xyz, target_xyz, schedule.outlier_squared, stride, a.data(), stream.get());
  return paper_anneal(schedule, [&](const PaperPose& pose, double sigma_squared) { return pass(pose, sigma_squared); });
}

}  // namespace dovetail::bench
