// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "bin_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "command.h"
#include "dovetail/error.h"
#include "progress.h"
#include "summary.h"

namespace dovetail::app {
namespace {

/// Numbers separated by commas: "400,300,200".
template <class Number>
std::vector<Number> numbers_in(const char* flag, const std::string& text) {
  std::vector<Number> numbers;
  const char *at = text.data(), *const end = at + text.size();
  while (true) {
    Number number{};
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc() || (next != end && *next != ',')) {
      throw InvalidArgument(fmt::format("{}: '{}' is not allowed; allowed: numbers separated by commas", flag, text));
    }
    numbers.push_back(number);
    if (next == end) return numbers;
    at = next + 1;
  }
}

std::uint64_t seed_in(const std::string& text) {
  std::uint64_t seed = 0;
  const char* const end = text.data() + text.size();
  if (const auto [next, error] = std::from_chars(text.data(), end, seed); error != std::errc() || next != end) {
    throw InvalidArgument(
        fmt::format("--seed: '{}' is not allowed; allowed: whole numbers from 0 to 18446744073709551615", text));
  }
  return seed;
}

}  // namespace

void BinInput::add_to(CLI::App& command) {
  from.add_to(command, "closed meshes, each a file; or built-in:NAME, e.g. built-in:t_pipe");
  command.add_option("--count", count_, "how many of each part, or one number for each: 20,5 (default 10)")
      ->type_name("LIST")
      ->group("Bin");
  command.add_option("--size", size_, "inner length, width and height of the bin in mm: 400,300,200")
      ->type_name("LIST")
      ->group("Bin");
  bin_flags_.add_to(command, "Bin", {"length", "width", "height"});
  command.add_flag("--quiet", quiet, "no summary")->group("Output");
  command
      .add_option_function<std::string>(
          "--seed", [this](const std::string& text) { seed = seed_in(text); },
          "of the first bin; the next has the next (default 0)")
      ->type_name("NUMBER")
      ->group("Run");
  command.add_option("--threads", threads_, "bins at a time; 0: all processors. The files do not depend on it")
      ->type_name("NUMBER")
      ->group("Run");
}

std::vector<int> BinInput::counts() const {
  std::vector<int> numbers = numbers_in<int>("--count", count_);
  if (numbers.size() == 1) numbers.resize(from.parts.size(), numbers[0]);
  if (numbers.size() != from.parts.size()) {
    throw InvalidArgument(fmt::format("--count: '{}' has {} numbers for {} parts; allowed: one, or one for each",
                                      count_, numbers.size(), from.parts.size()));
  }
  return numbers;
}

std::vector<BinPart> BinInput::wanted(const std::vector<PointCloud>& meshes) const {
  const std::vector<int> how_many = counts();
  std::vector<BinPart> wanted;
  for (std::size_t i = 0; i < meshes.size(); ++i) wanted.push_back({&meshes[i], how_many[i]});
  return wanted;
}

BinOptions BinInput::bin_options() const {
  BinOptions options;
  bin_flags_.apply(options);
  if (size_.empty()) return options;
  const std::vector<double> sides = numbers_in<double>("--size", size_);
  if (sides.size() != 3 && !(options.plane && sides.size() == 2)) {
    throw InvalidArgument(fmt::format("--size: '{}' is not allowed; allowed: length,width,height", size_));
  }
  options.length = sides[0], options.width = sides[1];
  if (sides.size() == 3) options.height = sides[2];
  for (const double side : sides) {
    if (!(side > 0)) throw InvalidArgument(fmt::format("--size: {} is not allowed; allowed: more than 0", side));
  }
  return options;
}

BinRun BinInput::bin_run() const {
  BinRun how;
  how.threads = threads_;
  how.cancel = &stop_on_interrupt();
  return how;
}

void BinInput::check() const {
  bin_options();
  counts();
  from.check();
}

std::vector<std::string> BinInput::names() const {
  std::vector<std::string> names;
  for (const std::string& part : from.parts) names.push_back(part_file_name(part));
  return names;
}

void print_bins(const std::vector<Bin>& bins) {
  int dropped = 0, fell_out = 0, too_deep = 0, restless = 0;
  std::size_t resting = 0, unrest = 0;
  double deepest = 0;
  for (const Bin& bin : bins) {
    dropped += bin.dropped, fell_out += bin.fell_out, too_deep += bin.too_deep, restless += bin.restless;
    resting += bin.parts.size();
    unrest += !bin.at_rest;
    deepest = std::max(deepest, bin.deepest);
  }
  const Bin& first = bins.front();
  print_line("bins", fmt::format("{} of {:.4g} x {:.4g}{} mm", bins.size(), first.length, first.width,
                                 first.wall > 0 ? fmt::format(" x {:.4g}", first.height) : ""));
  print_line("parts", fmt::format("{} at rest of {} dropped{}{}{}", resting, dropped,
                                  fell_out ? fmt::format(", {} fell out", fell_out) : "",
                                  restless ? fmt::format(", {} never rested", restless) : "",
                                  too_deep ? fmt::format(", {} taken out for being inside another", too_deep) : ""));
  if (unrest > 0) print_line("", fmt::format("{} bins did not come to rest", unrest));
  print_line("deepest", fmt::format("{:.3g} of the diameter, of any part in another or in the bin", deepest));
}

int exit_code(const std::vector<Bin>& bins) {
  const auto at_rest = [](const Bin& bin) { return bin.at_rest; };
  return std::all_of(bins.begin(), bins.end(), at_rest) ? success : not_usable;
}

}  // namespace dovetail::app
