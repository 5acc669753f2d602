// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <cuda_runtime_api.h>
#include <cupti.h>

#include <cstdio>
#include <map>
#include <mutex>
#include <string>

#include "dovetail/registration.h"
#include "harness.h"
#include "plain_icp.h"

// Does the host take part in the iterations? Counts the CUDA calls of loops of 10, 40 and 160 iterations over the same
// data. They must be the same: what the host does then happens once per loop, not once per iteration. Exits with 1
// where they are not, with 3 where there is no GPU.

namespace dovetail::bench {
namespace {

using Calls = std::map<std::string, int>;

void check(CUptiResult status) {
  if (status == CUPTI_SUCCESS) return;
  const char* text = nullptr;
  cuptiGetResultString(status, &text);
  std::fprintf(stderr, "loop_profile: CUPTI: %s\n", text != nullptr ? text : "failed");
  std::exit(3);
}

/// Counts the calls of the CUDA runtime by name while it is switched on.
class CallCounter {
 public:
  CallCounter() {
    check(cuptiSubscribe(&subscriber_, reinterpret_cast<CUpti_CallbackFunc>(on_call), this));
    check(cuptiEnableDomain(1, subscriber_, CUPTI_CB_DOMAIN_RUNTIME_API));
  }
  ~CallCounter() { cuptiUnsubscribe(subscriber_); }
  CallCounter(const CallCounter&) = delete;
  CallCounter& operator=(const CallCounter&) = delete;

  template <class Work>
  Calls during(const Work& work) {
    calls_.clear();
    counting_ = true;
    work();
    counting_ = false;
    return calls_;
  }

 private:
  static void CUPTIAPI on_call(void* self, CUpti_CallbackDomain, CUpti_CallbackId, const CUpti_CallbackData* data) {
    auto* counter = static_cast<CallCounter*>(self);
    if (!counter->counting_ || data->callbackSite != CUPTI_API_ENTER) return;
    std::string name = data->functionName;
    name = name.substr(0, name.find("_v"));  // cudaMemcpyAsync_v3020
    if (name.ends_with("_ptsz")) name.resize(name.size() - 5);
    const std::lock_guard lock(counter->mutex_);
    ++counter->calls_[name];
  }

  CUpti_SubscriberHandle subscriber_{};
  std::mutex mutex_;
  Calls calls_;
  bool counting_ = false;
};

/// Calls by which the host starts work, moves data or waits.
bool takes_part(const std::string& name) {
  for (const char* part :
       {"Launch", "Memcpy", "Memset", "Synchronize", "StreamQuery", "EventQuery", "Malloc", "Free"}) {
    if (name.find(part) != std::string::npos) return true;
  }
  return false;
}

void print(const Calls& calls, std::size_t points, int iterations) {
  int all = 0;
  for (const auto& [call, count] : calls) {
    if (!takes_part(call)) continue;
    all += count;
    Line("loop_profile", call).points(points).number("iterations", iterations).value(count, "calls a loop");
  }
  Line("loop_profile", "all")
      .points(points)
      .number("iterations", iterations)
      .number("calls_per_iteration", static_cast<double>(all) / iterations)
      .value(all, "calls a loop");
}

Calls profile(CallCounter& counter, const ScanPair& pair, int iterations) {
  Workspace workspace(Machine::cuda);
  PlainIcp::Settings settings;
  settings.max_distance = 0.3 * radius_of(pair.source);
  settings.max_iterations = iterations;
  settings.tolerance = 0;  // never settled: exactly so many iterations
  PlainIcp icp(pair, settings, workspace);
  icp.run();  // scratch memory is taken by the first loop
  const Calls calls = counter.during([&] { icp.run(); });
  if (icp.iterations() != iterations) {
    std::fprintf(stderr, "loop_profile: %d iterations instead of %d\n", icp.iterations(), iterations);
  }
  return calls;
}

bool run(CallCounter& counter, std::size_t points) {
  const ScanPair pair = synthetic_pair(points);
  const Calls first = profile(counter, pair, 10);
  print(first, points, 10);
  bool same = !first.empty();
  for (const int iterations : {40, 160}) {
    const Calls calls = profile(counter, pair, iterations);
    print(calls, points, iterations);
    same = same && calls == first;
  }
  Workspace workspace(Machine::cuda);
  Run how;
  how.workspace = &workspace;
  Registration result;
  const Calls whole = counter.during([&] { result = register_points(pair.source, pair.target, {}, how); });
  int all = 0;
  for (const auto& [call, count] : whole) all += takes_part(call) ? count : 0;
  Line("loop_profile", "register_points, everything")
      .points(points)
      .number("iterations", result.iterations)
      .value(all, "calls");
  return same;
}

}  // namespace
}  // namespace dovetail::bench

int main(int argc, char** argv) {
  using namespace dovetail::bench;
  const Arguments arguments = parse_arguments(argc, argv);
  if (cuda_machines().empty()) {
    std::fprintf(stderr, "loop_profile: no GPU can be used here\n");
    return 3;
  }
  CallCounter counter;
  bool same = run(counter, 5'000);
  if (!arguments.quick) same = run(counter, 40'000) && same;
  std::fprintf(stderr, "loop_profile: the host %s part in the iterations\n", same ? "takes no" : "TAKES");
  return same ? 0 : 1;
}
