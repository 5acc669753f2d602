// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "backend/cuda/check.h"
#include "device_buffer.h"
#include "paper_em_icp_loop.h"

namespace dovetail::bench {
namespace {

using std::size_t;

constexpr unsigned block_size = 256;
/// A thread has four columns of so many rows: target points are read once for all of them.
constexpr unsigned rows_a_block = 8;

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
class StoredMatrix {
 public:
  explicit StoredMatrix(size_t count) {
    const cudaError_t status = cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(float));
    if (status == cudaErrorMemoryAllocation) {
      cudaGetLastError();
      data_ = nullptr;
    } else {
      check(status);
    }
  }
  ~StoredMatrix() { cudaFree(data_); }
  StoredMatrix(const StoredMatrix&) = delete;
  StoredMatrix& operator=(const StoredMatrix&) = delete;

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

/// How A and the points lie. Strides are padded so that every row of A and every coordinate begins at 128 bytes.
struct Shape {
  Shape(size_t source_points, size_t target_points)
      : rows(static_cast<unsigned>(source_points)),
        columns(static_cast<unsigned>(target_points)),
        row_stride((rows + 31) / 32 * 32),
        column_stride((columns + 31) / 32 * 32) {}

  unsigned rows, columns;  ///< source points, target points
  unsigned row_stride, column_stride;

  __host__ __device__ unsigned quads() const { return column_stride / 4; }
};

/// A = exp(-d^2 / sigma^2), `scale` being -log2(e) / sigma^2.
__global__ void __launch_bounds__(block_size)
    fill_kernel(Shape shape, const float* source, const float4* target, PaperPose pose, float scale, float4* a) {
  const unsigned column = blockIdx.y * block_size + threadIdx.x, quads = shape.quads();
  if (column >= quads) return;
  const float4 x = target[column], y = target[column + quads], z = target[column + 2 * quads];
  const unsigned first = blockIdx.x * rows_a_block, last = min(first + rows_a_block, shape.rows);
  const float* r = pose.rotation;
  const float* t = pose.translation;
  for (unsigned i = first; i < last; ++i) {
    const float sx = source[i], sy = source[i + shape.row_stride], sz = source[i + 2 * shape.row_stride];
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

/// A = sqrt(A / C), C being the sum of a row and the outlier's term. A sum too small for its inverse leaves the row
/// out.
__global__ void __launch_bounds__(block_size) root_kernel(Shape shape, const float* row_sum, float outlier, float4* a) {
  const unsigned column = blockIdx.y * block_size + threadIdx.x, quads = shape.quads();
  if (column >= quads) return;
  const unsigned first = blockIdx.x * rows_a_block, last = min(first + rows_a_block, shape.rows);
  for (unsigned i = first; i < last; ++i) {
    const float sum = row_sum[i] + outlier, inverse = sum > 0x1p-126f ? 1 / sum : 0.0f;
    const size_t at = size_t{i} * quads + column;
    const float4 v = a[at];
    a[at] = make_float4(sqrtf(v.x * inverse), sqrtf(v.y * inverse), sqrtf(v.z * inverse), sqrtf(v.w * inverse));
  }
}

/// Takes the means off: lambda x' - lambda mean x' in place, y - mean y into `centred`.
__global__ void __launch_bounds__(block_size) centre_kernel(Shape shape, const float* source, const float* lambda,
                                                            const PaperSums* sums, float* weighted, float* centred) {
  const unsigned i = blockIdx.x * block_size + threadIdx.x;
  if (i >= shape.rows) return;
  const float inverse = sums->weight > 0 ? 1 / sums->weight : 0.0f;
  for (unsigned axis = 0; axis < 3; ++axis) {
    const unsigned at = i + axis * shape.row_stride;
    weighted[at] -= lambda[i] * (sums->target[axis] * inverse);
    centred[at] = source[at] - sums->source[axis] * inverse;
  }
}

/// One coordinate after the other, then ones; each padded with zeros to `stride`.
std::vector<float> by_axis(std::span<const float> xyz, size_t stride) {
  std::vector<float> out(4 * stride, 0.0f);
  for (size_t i = 0; i < xyz.size() / 3; ++i) {
    for (size_t axis = 0; axis < 3; ++axis) out[axis * stride + i] = xyz[3 * i + axis];
    out[3 * stride + i] = 1;
  }
  return out;
}

class DensePass {
 public:
  /// `a` has room for shape.rows rows of shape.column_stride floats.
  DensePass(const Shape& shape, std::span<const float> source_xyz, std::span<const float> target_xyz,
            double outlier_squared, float* a, cudaStream_t stream)
      : shape_(shape),
        outlier_squared_(outlier_squared),
        stream_(stream),
        blas_(stream),
        a_(a),
        source_(size_t{4} * shape.row_stride, stream),
        target_(size_t{4} * shape.column_stride, stream),
        row_sum_(shape.rows, stream),
        lambda_(shape.rows, stream),
        weighted_(size_t{3} * shape.row_stride, stream),
        centred_(size_t{3} * shape.row_stride, stream),
        sums_(1, stream) {
    const std::vector<float> source = by_axis(source_xyz, shape.row_stride);
    const std::vector<float> target = by_axis(target_xyz, shape.column_stride);
    source_.upload(source);
    target_.upload(target);
    check(cudaStreamSynchronize(stream));
  }

  PaperSums operator()(const PaperPose& pose, double sigma_squared) {
    const int n = static_cast<int>(shape_.rows), m = static_cast<int>(shape_.columns);
    const int n_stride = static_cast<int>(shape_.row_stride), m_stride = static_cast<int>(shape_.column_stride);
    const dim3 blocks((shape_.rows + rows_a_block - 1) / rows_a_block, (shape_.quads() + block_size - 1) / block_size);
    const float scale = static_cast<float>(-1 / (std::numbers::ln2 * sigma_squared));
    const float outlier = static_cast<float>(std::exp(-outlier_squared_ / sigma_squared));
    float4* const quads = reinterpret_cast<float4*>(a_);
    const float* const target_ones = target_.data() + size_t{3} * shape_.column_stride;
    const float* const source_ones = source_.data() + size_t{3} * shape_.row_stride;
    PaperSums* const sums = sums_.data();

    fill_kernel<<<blocks, block_size, 0, stream_>>>(
        shape_, source_.data(), reinterpret_cast<const float4*>(target_.data()), pose, scale, quads);
    check(cudaGetLastError());
    // (9): A 1. cuBLAS counts down columns first and so sees A transposed; point sets have a column a coordinate.
    transposed_times(m, n, a_, m_stride, target_ones, row_sum_.data());
    root_kernel<<<blocks, block_size, 0, stream_>>>(shape_, row_sum_.data(), outlier, quads);
    check(cudaGetLastError());
    // (11): lambda = A 1, lambda x' = A X. They divide by lambda here and multiply by it again in (28) and (29).
    transposed_times(m, n, a_, m_stride, target_ones, lambda_.data());
    transposed_times(m, n, a_, m_stride, 3, target_.data(), m_stride, weighted_.data(), n_stride);
    // (28): the ones behind the source's coordinates give the sum of lambda as well.
    transposed_times(n, 4, source_.data(), n_stride, lambda_.data(), sums->source);
    transposed_times(n, 3, weighted_.data(), n_stride, source_ones, sums->target);
    centre_kernel<<<(shape_.rows + block_size - 1) / block_size, block_size, 0, stream_>>>(
        shape_, source_.data(), lambda_.data(), sums, weighted_.data(), centred_.data());
    check(cudaGetLastError());
    // (29): transposed, which is row by row to us.
    transposed_times(n, 3, centred_.data(), n_stride, 3, weighted_.data(), n_stride, sums->cross, 3);

    check(cudaMemcpyAsync(host_.get(), sums, sizeof(PaperSums), cudaMemcpyDeviceToHost, stream_));
    check(cudaStreamSynchronize(stream_));
    return *host_.get();
  }

 private:
  static constexpr float one = 1, zero = 0;

  /// y = matrix^T x, the matrix being rows x columns.
  void transposed_times(int rows, int columns, const float* matrix, int stride, const float* x, float* y) {
    check(cublasSgemv(blas_.get(), CUBLAS_OP_T, rows, columns, &one, matrix, stride, x, 1, &zero, y, 1));
  }
  /// The same for x of `count` columns.
  void transposed_times(int rows, int columns, const float* matrix, int stride, int count, const float* x, int x_stride,
                        float* y, int y_stride) {
    check(cublasSgemm(blas_.get(), CUBLAS_OP_T, CUBLAS_OP_N, columns, count, rows, &one, matrix, stride, x, x_stride,
                      &zero, y, y_stride));
  }

  Shape shape_;
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
  const Shape shape(source_xyz.size() / 3, target_xyz.size() / 3);
  const StoredMatrix a(size_t{shape.rows} * shape.column_stride);
  if (a.data() == nullptr) return {};
  DensePass pass(shape, source_xyz, target_xyz, schedule.outlier_squared, a.data(), stream.get());
  return paper_anneal(schedule, [&](const PaperPose& pose, double sigma_squared) { return pass(pose, sigma_squared); });
}

}  // namespace dovetail::bench
