// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "progress.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <string>

#include "output.h"

namespace dovetail::app {
namespace {

constexpr int width = 30;
constexpr int automatic_levels = 3;

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

}  // namespace

Progress::Progress(Run& run, const MethodOptions& options, bool quiet) {
  if (const Icp* icp = std::get_if<Icp>(&options)) {
    levels_ = icp->levels > 0 ? icp->levels : automatic_levels;
  }
  if (quiet || isatty(STDERR_FILENO) == 0) return;
  run.on_progress = [this](const Iteration& at) { show(at); };
}

Progress::~Progress() {
  if (shown_) print_error("\r{:{}}\r", "", width + 60);
}

void Progress::show(const Iteration& at) {
  if (at.level != level_) level_ = at.level, first_of_level_ = at.iteration;
  const auto now = std::chrono::steady_clock::now();
  if (shown_ && now - last_ < std::chrono::milliseconds(40)) return;
  last_ = now;
  // How many iterations a level takes is not known beforehand: each fills half of what is left of it in about five.
  const double steps = at.iteration - first_of_level_ + 1;
  const double share = (at.level + steps / (steps + 5)) / std::max(levels_, at.level + 1);
  const int filled = std::clamp(static_cast<int>(share * width), 0, width);
  const std::string width_text =
      at.sigma > 0 ? fmt::format("sigma {:.4g}", at.sigma) : fmt::format("level {}", at.level);
  print_error("\r[{}{}] {}, iteration {}, rmse {:.4g}   ", std::string(static_cast<std::size_t>(filled), '#'),
              std::string(static_cast<std::size_t>(width - filled), '.'), width_text, at.iteration, at.rmse);
  std::fflush(stderr);
  shown_ = true;
}

FindLine::FindLine(bool quiet) : visible_(!quiet && isatty(STDERR_FILENO) != 0) {}

FindLine::~FindLine() {
  if (width_ > 0) print_error("\r{:{}}\r", "", width_);
}

void FindLine::show(const FindProgress& at) {
  if (!visible_) return;
  std::string text = fmt::format("looking for {}", at.object);
  if (at.objects > 1) text += fmt::format(" ({} of {})", at.index + 1, at.objects);
  if (at.found > 0) text += fmt::format(", {} found so far", at.found);
  print_error("\r{:<{}}", text, width_);
  std::fflush(stderr);
  width_ = std::max(width_, text.size());
}

ShareBar::ShareBar(const char* what, bool quiet) : what_(what), shows_(!quiet && isatty(STDERR_FILENO) != 0) {}

ShareBar::~ShareBar() {
  if (shown_) print_error("\r{:{}}\r", "", width + 60);
}

void ShareBar::show(double share) {
  const auto now = std::chrono::steady_clock::now();
  if (!shows_ || (shown_ && now - last_ < std::chrono::milliseconds(40))) return;
  last_ = now;
  const int filled = std::clamp(static_cast<int>(share * width), 0, width);
  print_error("\r[{}{}] {} {:.0f}%   ", std::string(static_cast<std::size_t>(filled), '#'),
              std::string(static_cast<std::size_t>(width - filled), '.'), what_, 100 * share);
  std::fflush(stderr);
  shown_ = true;
}

const std::atomic<bool>& stop_on_interrupt() {
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted = true; };
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, nullptr);
  return interrupted;
}

}  // namespace dovetail::app
