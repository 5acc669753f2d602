// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "device_buffer.h"
#include "limits_cuda.h"

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <vector>

#include "backend/cuda/check.h"
#include "harness.h"

namespace dovetail::bench {
namespace {

const char* const name = "limit";
constexpr unsigned block_size = 256;

void check(cudaError_t status) { check_cuda(status, "CUDA: measuring limits"); }

/// Milliseconds of what `work` puts on the stream, by the device's own clock.
template <class Work>
double device_ms(cudaStream_t stream, const Work& work) {
  cudaEvent_t began, ended;
  check(cudaEventCreate(&began));
  check(cudaEventCreate(&ended));
  check(cudaEventRecord(began, stream));
  work();
  check(cudaEventRecord(ended, stream));
  check(cudaEventSynchronize(ended));
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, began, ended));
  cudaEventDestroy(began);
  cudaEventDestroy(ended);
  return static_cast<double>(milliseconds);
}

__global__ void read_kernel(const float4* values, std::size_t count, float* out) {
  float sum = 0;
  for (std::size_t i = blockIdx.x * std::size_t{block_size} + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * block_size) {
    const float4 v = values[i];
    sum += v.x + v.y + v.z + v.w;
  }
  if (sum == 1.2345f) *out = sum;  // never; keeps the loads
}

/// An iteration of the library's loop with nothing to do: a grid-wide wait after the pass, another after the advance.
__global__ void __launch_bounds__(block_size) empty_loop_kernel(int iterations) {
  const auto grid = cooperative_groups::this_grid();
  for (int i = 0; i < iterations; ++i) {
    grid.sync();
    grid.sync();
  }
}

__global__ void empty_kernel() {}

/// Each load's address is the value loaded before: the time of a step down a tree.
__global__ void chase_kernel(const unsigned* next, int steps, unsigned* out) {
  unsigned at = 0;
  for (int i = 0; i < steps; ++i) at = __ldcg(next + at);
  *out = at;
}

void bandwidth(const Arguments& arguments, const std::string& machine, cudaStream_t stream, int multiprocessors) {
  const std::size_t count = (arguments.quick ? std::size_t{1} << 26 : std::size_t{1} << 30) / sizeof(float4);
  DeviceBuffer<float4> from(count, stream), to(count, stream);
  DeviceBuffer<float> out(1, stream);
  from.fill_bytes(0);
  const double bytes = static_cast<double>(count * sizeof(float4));
  const Timing copy = measure_own(arguments, [&] {
    return device_ms(stream, [&] {
      check(cudaMemcpyAsync(to.data(), from.data(), count * sizeof(float4), cudaMemcpyDeviceToDevice, stream));
    });
  });
  Line(name, "device copy").machine(machine).value(2 * bytes / copy.fastest_ms / 1e6, "GB/s");
  const unsigned blocks = static_cast<unsigned>(multiprocessors) * 8;
  const Timing read = measure_own(arguments, [&] {
    return device_ms(stream, [&] { read_kernel<<<blocks, block_size, 0, stream>>>(from.data(), count, out.data()); });
  });
  Line(name, "device read").machine(machine).value(bytes / read.fastest_ms / 1e6, "GB/s");
}

void transfers(const Arguments& arguments, const std::string& machine, cudaStream_t stream) {
  const std::size_t count = arguments.quick ? 1 << 22 : 1 << 26;
  std::vector<char> host(count, 1);
  DeviceBuffer<char> device(count, stream);
  const Timing up = measure(arguments, [&] {
    device.upload(host);
    check(cudaStreamSynchronize(stream));
  });
  const double gigabytes = static_cast<double>(count) / 1e6;
  Line(name, "pageable host to device").machine(machine).value(gigabytes / up.fastest_ms, "GB/s");
}

void latencies(const Arguments& arguments, const std::string& machine, cudaStream_t stream, int multiprocessors) {
  const Timing launch = measure(arguments, [&] {
    empty_kernel<<<1, 1, 0, stream>>>();
    check(cudaStreamSynchronize(stream));
  });
  Line(name, "launch and wait").machine(machine).value(1000 * launch.median_ms, "us");

  for (const int blocks_an_sm : {0, 1, 2, 4}) {
    const auto blocks = static_cast<unsigned>(blocks_an_sm == 0 ? 20 : multiprocessors * blocks_an_sm);
    int iterations = 10'000;
    void* kernel_arguments[] = {&iterations};
    const Timing loop = measure_own(arguments, [&] {
      return device_ms(stream, [&] {
        check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(empty_loop_kernel), dim3(blocks),
                                          dim3(block_size), kernel_arguments, 0, stream));
      });
    });
    Line(name, "empty iteration, two grid waits")
        .machine(machine)
        .number("blocks", blocks)
        .value(1000 * loop.median_ms / iterations, "us");
  }

  // A cycle through 4 MiB in jumps: in the L2 cache, not in L1.
  constexpr unsigned words = 1 << 20, jump = 33 * 37;
  std::vector<unsigned> next(words);
  for (unsigned i = 0; i < words; ++i) next[i] = (i + jump) % words;
  const DeviceBuffer<unsigned> device(std::span<const unsigned>(next), stream);
  DeviceBuffer<unsigned> out(1, stream);
  constexpr int steps = 100'000;
  const Timing chase = measure_own(arguments, [&] {
    return device_ms(stream, [&] { chase_kernel<<<1, 1, 0, stream>>>(device.data(), steps, out.data()); });
  });
  Line(name, "dependent load from L2").machine(machine).value(1e6 * chase.median_ms / steps, "ns");
}

}  // namespace

void cuda_limits(const Arguments& arguments) {
  const std::string machine = cuda_machines().front();
  const DeviceScope scope(0);
  const Stream stream;
  int multiprocessors = 0;
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  bandwidth(arguments, machine, stream.get(), multiprocessors);
  transfers(arguments, machine, stream.get());
  latencies(arguments, machine, stream.get(), multiprocessors);
}

}  // namespace dovetail::bench
