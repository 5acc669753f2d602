// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "harness.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "dovetail/machines.h"

namespace dovetail::bench {
namespace {

std::string json_number(double value) {
  if (!std::isfinite(value)) return "null";
  char buffer[40];
  const bool whole = value == std::floor(value) && std::abs(value) < 1e15;
  std::snprintf(buffer, sizeof buffer, whole ? "%.0f" : "%.6g", value);
  return buffer;
}

}  // namespace

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return result + '"';
}

NamedArguments::NamedArguments(int argc, char** argv, const char* usage) : usage_(usage) {
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 == argc || std::string_view(argv[i]).rfind("--", 0) != 0) refuse();
    given_[argv[i] + 2] = argv[i + 1];
  }
}

void NamedArguments::refuse() const {
  std::fputs(usage_, stderr);
  std::exit(2);
}

bool NamedArguments::take(const std::string& name, std::string& to) {
  const auto at = given_.find(name);
  if (at == given_.end()) return false;
  to = at->second;
  given_.erase(at);
  return true;
}

bool NamedArguments::take(const std::string& name, std::uint64_t& to) {
  std::string text;
  if (!take(name, text)) return false;
  if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos) refuse();
  to = std::stoull(text);
  return true;
}

bool NamedArguments::take(const std::string& name, Machine& to) {
  std::string text;
  if (!take(name, text)) return false;
  if (text != "cpu" && text != "cuda") refuse();
  to = text == "cuda" ? Machine::cuda : Machine::cpu;
  return true;
}

void NamedArguments::refuse_others() const {
  if (!given_.empty()) refuse();
}

Arguments parse_arguments(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--quick") {
      arguments.quick = true;
    } else if (word == "--gpu-only") {
      arguments.gpu_only = true;
    } else if (word == "--no-peers") {
      arguments.peers = false;
    } else {
      std::fprintf(stderr, "usage: %s [--quick] [--gpu-only] [--no-peers]\n", argv[0]);
      std::exit(2);
    }
  }
  return arguments;
}

Timing timing_of(std::vector<double> milliseconds) {
  std::sort(milliseconds.begin(), milliseconds.end());
  const std::size_t count = milliseconds.size();
  const double median = 0.5 * (milliseconds[(count - 1) / 2] + milliseconds[count / 2]);
  return {median, milliseconds.front(), milliseconds.back(), static_cast<int>(count), 0};
}

Line::Line(const std::string& benchmark, const std::string& what) {
  json_ = "{\"benchmark\": " + quoted(benchmark) + ", \"what\": " + quoted(what);
}

Line& Line::text(const std::string& key, const std::string& value) {
  json_ += ", " + quoted(key) + ": " + quoted(value);
  return *this;
}

Line& Line::number(const std::string& key, double value) {
  json_ += ", " + quoted(key) + ": " + json_number(value);
  return *this;
}

Line& Line::machine(const std::string& name, int threads) {
  text("machine", name);
  return threads > 0 ? number("threads", threads) : *this;
}

void Line::value(double value, const std::string& unit) {
  number("value", value).text("unit", unit);
  std::printf("%s}\n", json_.c_str());
  std::fflush(stdout);
}

void Line::value(const Timing& timing) {
  number("fastest", timing.fastest_ms).number("slowest", timing.slowest_ms).number("runs", timing.runs);
  if (timing.processor_ms > 0) number("processor_ms", timing.processor_ms);
  value(timing.median_ms, "ms");
}

void describe_machine(const std::string& benchmark) {
  for (const MachineInfo& machine : available_machines()) {
    if (machine.name == "reference") continue;
    std::fprintf(stderr, "%s: %s: %s\n", benchmark.c_str(), machine.name.c_str(), machine.description.c_str());
  }
}

std::vector<std::string> cuda_machines() {
  std::vector<std::string> names;
  for (const MachineInfo& machine : available_machines()) {
    if (machine.name.starts_with("cuda")) names.push_back(machine.name);
  }
  return names;
}

std::vector<int> thread_counts() {
  std::vector<int> counts = {1};
  if (all_threads() > 1) counts.push_back(all_threads());
  return counts;
}

}  // namespace dovetail::bench
