// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "harness.h"
#include "limits_cuda.h"

// What the machine can do at best, to hold the other figures against: bytes a second of plain streams, and on a GPU the
// cost of an iteration that does nothing.

namespace dovetail::bench {
namespace {

const char* const name = "limit";

/// The loop in as many large pieces as there are threads: nothing but memory is to be measured.
template <class Body>
void in_pieces(std::size_t count, const Body& body) {
  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(0, count, 1 << 16), [&](const auto& r) { body(r.begin(), r.end()); },
      tbb::static_partitioner());
}

void host_streams(const Arguments& arguments) {
  const std::size_t count = arguments.quick ? 1 << 23 : 1 << 25;  // 32 or 128 MiB an array: beyond every cache
  std::vector<float> a(count), b(count), c(count);
  for (const int threads : thread_counts()) {
    const ThreadLimit limit(threads);
    in_pieces(count, [&](std::size_t i, std::size_t end) {
      for (; i < end; ++i) a[i] = 0, b[i] = 1, c[i] = 2;
    });
    const Timing copy = measure(arguments, [&] {
      in_pieces(count, [&](std::size_t i, std::size_t end) { std::copy(&b[i], &b[0] + end, &a[i]); });
    });
    const Timing triad = measure(arguments, [&] {
      in_pieces(count, [&](std::size_t i, std::size_t end) {
        for (; i < end; ++i) a[i] = b[i] + 3.0f * c[i];
      });
    });
    const double bytes = static_cast<double>(count * sizeof(float));
    Line(name, "copy").machine("cpu", threads).value(2 * bytes / copy.fastest_ms / 1e6, "GB/s");
    Line(name, "triad").machine("cpu", threads).value(3 * bytes / triad.fastest_ms / 1e6, "GB/s");
  }
}

}  // namespace
}  // namespace dovetail::bench

int main(int argc, char** argv) {
  using namespace dovetail::bench;
  const Arguments arguments = parse_arguments(argc, argv);
  describe_machine("limit");
  if (!cuda_machines().empty()) cuda_limits(arguments);
  if (!arguments.gpu_only) host_streams(arguments);
}
