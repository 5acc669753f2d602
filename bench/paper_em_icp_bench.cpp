// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "paper_em_icp.h"

#include "harness.h"
#include "scans.h"

// EM-ICP as its GPU paper has it, the matrix of all pairs in memory and BLAS over it: what soft_bench is measured by,
// on the same data and schedule.

namespace dovetail::bench {
namespace {

void time_paper(const SizedPair& sized, const std::string& machine, int threads) {
  const ScanPair& pair = sized.pair;
  const double area = sized.size * sized.size;
  PaperSchedule schedule;
  schedule.sigma_squared *= area, schedule.last *= area, schedule.outlier_squared *= area;
  const std::vector<float> source = interleaved(pair.source), target = interleaved(pair.target);
  const auto run = [&] {
    return threads > 0 ? paper_em_icp_cpu(source, target, schedule) : paper_em_icp_cuda(source, target, schedule);
  };
  run();
  const PaperRun result = run();
  if (result.iterations == 0) return;
  Mat4 pose = Mat4::identity();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) pose(i, j) = result.rotation[3 * i + j];
    pose(i, 3) = result.translation[i];
  }
  Line("soft", "paper's schedule, square roots")
      .text("data", pair.name)
      .points(pair.source.size())
      .machine(machine, threads)
      .peer("the paper's dense BLAS design")
      .number("poses", result.iterations)
      .number("degrees_off", pose_error(pair, Transform::from_matrix(Model::rigid3, pose)).degrees)
      .value(result.milliseconds, "ms");
}

}  // namespace
}  // namespace dovetail::bench

int main(int argc, char** argv) {
  using namespace dovetail::bench;
  const Arguments arguments = parse_arguments(argc, argv);
  if (!arguments.peers) return 0;
  describe_machine("paper_em_icp");
  for (const std::size_t count : {5'032, 40'097}) {
    const SizedPair pair = bunny_like_pair(count);
    if (paper_em_icp_cuda_available()) time_paper(pair, "cuda:0", 0);
    if (arguments.gpu_only || !paper_em_icp_cpu_available() || count > 6'000) continue;
    for (const int threads : thread_counts()) {
      const ThreadLimit limit(threads);
      time_paper(pair, "cpu", threads);
    }
  }
}
