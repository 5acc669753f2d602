// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <cblas.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numbers>
#include <vector>

#include "paper_em_icp_loop.h"
#include "paper_em_icp_rows.h"

extern "C" void openblas_set_num_threads(int);

namespace dovetail::bench {
namespace {

using std::size_t;

class DensePass {
 public:
  DensePass(std::span<const float> source_xyz, std::span<const float> target_xyz, double outlier_squared)
      : rows_(source_xyz.size() / 3),
        columns_(target_xyz.size() / 3),
        outlier_squared_(outlier_squared),
        source_(source_xyz.begin(), source_xyz.end()),
        target_(target_xyz.begin(), target_xyz.end()),
        ones_(std::max(rows_, columns_), 1.0f),
        row_sum_(rows_),
        lambda_(rows_),
        virtual_(3 * rows_),
        centred_(3 * rows_),
        a_(new float[rows_ * columns_]) {
    for (size_t axis = 0; axis < 3; ++axis) {
      axis_[axis].resize(columns_);
      for (size_t j = 0; j < columns_; ++j) axis_[axis][j] = target_[3 * j + axis];
    }
    over_rows([&](size_t i) { std::fill_n(row(i), columns_, 0.0f); });  // the pages are there before the clock starts
  }

  PaperSums operator()(const PaperPose& pose, double sigma_squared) {
    const int n = static_cast<int>(rows_), m = static_cast<int>(columns_);
    const float scale = static_cast<float>(-1 / (std::numbers::ln2 * sigma_squared));
    over_rows([&](size_t i) {
      const float* y = &source_[3 * i];
      float at[3];
      for (int k = 0; k < 3; ++k) {
        const float* r = &pose.rotation[3 * k];
        at[k] = r[0] * y[0] + r[1] * y[1] + r[2] * y[2] + pose.translation[k];
      }
      paper_fill_row(axis_[0].data(), axis_[1].data(), axis_[2].data(), columns_, at, scale, row(i));
    });

    // (9): C = A 1 + outlier; then A = sqrt(A / C).
    std::fill(row_sum_.begin(), row_sum_.end(), static_cast<float>(std::exp(-outlier_squared_ / sigma_squared)));
    over_panels([&](size_t first, int count) {
      cblas_sgemv(CblasRowMajor, CblasNoTrans, count, m, 1, row(first), m, ones_.data(), 1, 1, &row_sum_[first], 1);
    });
    over_rows([&](size_t i) { paper_root_row(row_sum_[i] > 0 ? 1 / row_sum_[i] : 0, columns_, row(i)); });

    // (11): lambda = A 1, lambda x' = A X. They divide by lambda here and multiply by it again in (28) and (29).
    over_panels([&](size_t first, int count) {
      cblas_sgemv(CblasRowMajor, CblasNoTrans, count, m, 1, row(first), m, ones_.data(), 1, 0, &lambda_[first], 1);
    });
    over_panels([&](size_t first, int count) {
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, count, 3, m, 1, row(first), m, target_.data(), 3, 0,
                  &virtual_[3 * first], 3);
    });

    // (28), (29).
    PaperSums sums{};
    sums.weight = cblas_sasum(n, lambda_.data(), 1);
    if (!(sums.weight > 0)) return sums;
    cblas_sgemv(CblasRowMajor, CblasTrans, n, 3, 1, source_.data(), 3, lambda_.data(), 1, 0, sums.source, 1);
    cblas_sgemv(CblasRowMajor, CblasTrans, n, 3, 1, virtual_.data(), 3, ones_.data(), 1, 0, sums.target, 1);
    cblas_scopy(3 * n, source_.data(), 1, centred_.data(), 1);
    cblas_sger(CblasRowMajor, n, 3, -1 / sums.weight, lambda_.data(), 1, sums.target, 1, virtual_.data(), 3);
    cblas_sger(CblasRowMajor, n, 3, -1 / sums.weight, ones_.data(), 1, sums.source, 1, centred_.data(), 3);
    cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, 3, 3, n, 1, virtual_.data(), 3, centred_.data(), 3, 0,
                sums.cross, 3);
    return sums;
  }

 private:
  float* row(size_t i) { return a_.get() + i * columns_; }

  template <class Body>
  void over_rows(const Body& body) {
    tbb::parallel_for(tbb::blocked_range<size_t>(0, rows_, 16), [&](const auto& range) {
      for (size_t i = range.begin(); i < range.end(); ++i) body(i);
    });
  }

  /// A product with A, dealt out to threads as panels of rows. BLAS's own threads, waiting for the next product, would
  /// take half of the machine from the loops over entries.
  template <class Product>
  void over_panels(const Product& product) {
    tbb::parallel_for(tbb::blocked_range<size_t>(0, rows_, 128),
                      [&](const auto& range) { product(range.begin(), static_cast<int>(range.size())); });
  }

  size_t rows_, columns_;
  double outlier_squared_;
  std::vector<float> source_, target_, axis_[3], ones_;
  std::vector<float> row_sum_, lambda_, virtual_, centred_;
  std::unique_ptr<float[]> a_;  ///< source points x target points, row by row
};

}  // namespace

PaperRun paper_em_icp_cpu(std::span<const float> source_xyz, std::span<const float> target_xyz,
                          const PaperSchedule& schedule) {
  openblas_set_num_threads(1);  // TBB has the threads
  DensePass pass(source_xyz, target_xyz, schedule.outlier_squared);
  return paper_anneal(schedule, [&](const PaperPose& pose, double sigma_squared) { return pass(pose, sigma_squared); });
}

}  // namespace dovetail::bench
