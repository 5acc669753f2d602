// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <span>

namespace dovetail::bench {

// EM-ICP as Tamaki et al. wrote it for GPUs (docs/methods tells their equations and what is wrong in them), as a peer:
// the matrix A of all pairs lies in memory, BLAS makes sums and products of it. Corrected where the print is wrong, and
// a row that underflows is left out instead of getting uniform weights; otherwise theirs, in float throughout.

/// Their annealing: sigma^2 from first to last, times `factor` per iteration, and an outlier at a fixed distance.
struct PaperSchedule {
  double sigma_squared = 0.01, last = 1e-5, factor = 0.9, outlier_squared = 0.01;
  int max_iterations = 66;
};

struct PaperRun {
  int iterations;                      ///< 0: A does not fit into the device's memory, nothing was done
  double milliseconds;                 ///< of the iterations alone: memory is taken and points are placed before
  double rotation[9], translation[3];  ///< target from source, row by row
};

/// Points as x, y, z, x, ...; from the identity. Needs OpenBLAS; the threads are TBB's.
#ifdef DOVETAIL_BENCH_OPENBLAS
inline bool paper_em_icp_cpu_available() { return true; }
PaperRun paper_em_icp_cpu(std::span<const float> source_xyz, std::span<const float> target_xyz,
                          const PaperSchedule& schedule);
#else
inline bool paper_em_icp_cpu_available() { return false; }
inline PaperRun paper_em_icp_cpu(std::span<const float>, std::span<const float>, const PaperSchedule&) { return {}; }
#endif

/// The same with cuBLAS on the current device.
#ifdef DOVETAIL_BENCH_CUBLAS
bool paper_em_icp_cuda_available();
PaperRun paper_em_icp_cuda(std::span<const float> source_xyz, std::span<const float> target_xyz,
                           const PaperSchedule& schedule);
#else
inline bool paper_em_icp_cuda_available() { return false; }
inline PaperRun paper_em_icp_cuda(std::span<const float>, std::span<const float>, const PaperSchedule&) { return {}; }
#endif

}  // namespace dovetail::bench
