// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "confidence/cases.h"
#include "confidence/run_case.h"
#include "harness.h"

// Runs cases whose right answer is known and writes a line of JSON for each: what tools/fit_confidence reads.

namespace dovetail::bench::confidence {
namespace {

constexpr const char* usage =
    "usage: confidence_corpus --set synthetic|cad|real --out FILE.jsonl [--runs N] [--first K] [--seed S]\n"
    "                         [--kind K] [--method icp|em_icp|softassign|chamfer|evaluate] [--threads T]\n"
    "                         [--index K] [--save DIR]\n"
    "  --first K  the first case's number, 0\n"
    "  --index K  case K alone, as it is among all others\n"
    "  --save DIR the clouds of each case, as PLY, with its truth and start\n";

struct Options {
  std::string set = "synthetic", out, save;
  Wanted wanted;
  std::uint64_t runs = 100, first = 0, seed = 1;
  int threads = all_threads();
};

Options parse(int argc, char** argv) {
  NamedArguments given(argc, argv, usage);
  Options o;
  given.take("set", o.set), given.take("out", o.out), given.take("save", o.save);
  given.take("kind", o.wanted.kind), given.take("method", o.wanted.method);
  given.take("runs", o.runs), given.take("first", o.first), given.take("seed", o.seed);
  std::uint64_t threads = 0;
  if (given.take("threads", threads)) o.threads = static_cast<int>(std::max<std::uint64_t>(1, threads));
  if (given.take("index", o.first)) o.runs = 1;
  given.refuse_others();
  if (o.out.empty() && o.save.empty() && o.runs != 1) given.refuse();
  return o;
}

/// Lines as they come, written in the order of the cases.
class OrderedLines {
 public:
  explicit OrderedLines(const std::string& file) : file_(file.empty() ? "/dev/stdout" : file) {}

  void put(std::uint64_t at, std::string line) {
    const std::lock_guard lock(mutex_);
    waiting_[at] = std::move(line);
    for (auto next = waiting_.find(written_); next != waiting_.end(); next = waiting_.find(written_)) {
      if (!next->second.empty()) file_ << next->second << '\n';
      waiting_.erase(next);
      ++written_;
      if (written_ % 50 == 0)
        file_.flush(), std::fprintf(stderr, "%llu cases\n", static_cast<unsigned long long>(written_));
    }
  }

 private:
  std::mutex mutex_;
  std::ofstream file_;
  std::map<std::uint64_t, std::string> waiting_;
  std::uint64_t written_ = 0;
};

/// The line of one case; empty where it could not be run, which is told.
std::string line_of(const Options& o, std::uint64_t index, Workspace& workspace) {
  try {
    const Case the_case = make_case(o.set, index, o.seed, o.wanted);
    const nlohmann::ordered_json line = run_case(the_case, workspace);
    if (!o.save.empty()) save_case(the_case, line, o.save);
    return line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "case %llu: %s\n", static_cast<unsigned long long>(index), e.what());
    return {};
  }
}

}  // namespace

int run(int argc, char** argv) {
  const Options o = parse(argc, argv);
  const ThreadLimit limit(o.threads);
  OrderedLines lines(o.out);
  std::atomic<std::uint64_t> next = 0;
  std::vector<std::thread> workers;
  for (int t = 0; t < o.threads; ++t) {
    workers.emplace_back([&] {
      Workspace workspace(Machine::cpu, 0, 1);
      for (std::uint64_t i = next++; i < o.runs; i = next++) lines.put(i, line_of(o, o.first + i, workspace));
    });
  }
  for (std::thread& worker : workers) worker.join();
  return 0;
}

}  // namespace dovetail::bench::confidence

int main(int argc, char** argv) {
  try {
    return dovetail::bench::confidence::run(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "confidence_corpus: %s\n", e.what());
    return 1;
  }
}
