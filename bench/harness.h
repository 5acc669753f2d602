// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <tbb/global_control.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "dovetail/machine.h"
#include "scenes/data_folder.h"
#include "stopwatch.h"

// What every benchmark needs: a clock, and one line of JSON a result on stdout. Remarks go to stderr.

namespace dovetail::bench {

struct Arguments {
  bool quick = false;     ///< smaller sizes, fewer repetitions: does it run, not how fast is it
  bool gpu_only = false;  ///< leave out what does not use the GPU
  bool peers = true;      ///< measure other libraries too
};

/// Understands --quick, --gpu-only and --no-peers; anything else prints a usage line and exits with 2.
Arguments parse_arguments(int argc, char** argv);

/// Arguments of the form --name value. What is not one prints the usage and exits with 2.
class NamedArguments {
 public:
  NamedArguments(int argc, char** argv, const char* usage);
  /// Whether it was given; `to` is left as it is where not.
  bool take(const std::string& name, std::string& to);
  bool take(const std::string& name, std::uint64_t& to);
  bool take(const std::string& name, Machine& to);  ///< cpu or cuda
  /// Exits where there is one that nobody took.
  void refuse_others() const;
  [[noreturn]] void refuse() const;

 private:
  std::map<std::string, std::string> given_;
  const char* usage_;
};

struct Timing {
  double median_ms = 0, fastest_ms = 0, slowest_ms = 0;
  int runs = 0;
  double processor_ms = 0;  ///< mean over all runs, all threads together; 0 where it was not measured
};

/// The spread of some durations.
Timing timing_of(std::vector<double> milliseconds);

/// Runs `timed()`, which returns milliseconds, once to warm up and then until there are enough runs: at least three,
/// at most 15, about two seconds in all. What takes longer than ten seconds is run once.
template <class Timed>
Timing measure_own(const Arguments& arguments, const Timed& timed) {
  const double enough_ms = arguments.quick ? 200 : 2000;
  const std::size_t least = arguments.quick ? 1 : 3, most = arguments.quick ? 3 : 15;
  std::vector<double> runs;
  const Stopwatch whole;
  const double first = timed();
  if (first > 5 * enough_ms) return timing_of({first});
  while (runs.size() < least || (runs.size() < most && whole.milliseconds() < enough_ms)) runs.push_back(timed());
  return timing_of(runs);
}

/// The same for work that is timed from the outside.
template <class Work>
Timing measure(const Arguments& arguments, const Work& work) {
  double processor = 0, calls = 0;
  Timing timing = measure_own(arguments, [&] {
    const double before = processor_ms();
    const Stopwatch watch;
    work();
    const double wall = watch.milliseconds();
    processor += processor_ms() - before, ++calls;
    return wall;
  });
  timing.processor_ms = processor / calls;
  return timing;
}

/// One result: {"benchmark": ..., "what": ..., ..., "value": ..., "unit": ...}. Printed by value().
class Line {
 public:
  Line(const std::string& benchmark, const std::string& what);
  Line& text(const std::string& key, const std::string& value);
  Line& number(const std::string& key, double value);
  Line& points(std::size_t count) { return number("points", static_cast<double>(count)); }
  Line& machine(const std::string& name, int threads = 0);
  /// Who did it, where it was not Dovetail.
  Line& peer(const std::string& name) { return text("peer", name); }

  void value(double value, const std::string& unit);
  /// The median, with the fastest and the slowest run and the processor time beside it. A value well above
  /// processor_ms / threads was measured on a busy machine.
  void value(const Timing& timing);

 private:
  std::string json_;
};

/// The same JSON for strings everywhere.
std::string quoted(const std::string& text);

/// As the first line of a run: who measures what on which machine.
void describe_machine(const std::string& benchmark);

/// The names of the GPUs that can be used, "cuda:0" first; empty where there is none.
std::vector<std::string> cuda_machines();

inline int all_threads() { return static_cast<int>(std::max(1u, std::thread::hardware_concurrency())); }

/// Thread counts worth measuring here: 1 and all.
std::vector<int> thread_counts();

/// Holds TBB to so many threads for as long as it lives, whatever a run asks for.
class ThreadLimit {
 public:
  explicit ThreadLimit(int threads)
      : control_(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads)) {}

 private:
  tbb::global_control control_;
};

}  // namespace dovetail::bench
