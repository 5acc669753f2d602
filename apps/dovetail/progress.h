// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <atomic>
#include <chrono>

#include "dovetail/find.h"
#include "dovetail/registration.h"
#include "dovetail/run.h"

namespace dovetail::app {

/// A bar on stderr while a registration runs, where stderr is a terminal.
class Progress {
 public:
  /// Hooks the bar into the run. `this` has to outlive it.
  Progress(Run& run, const MethodOptions& options, bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

 private:
  void show(const Iteration& at);

  int levels_ = 1;
  bool shown_ = false;
  int level_ = 0;
  int first_of_level_ = 0;
  std::chrono::steady_clock::time_point last_{};
};

/// A line on stderr while objects are looked for, where stderr is a terminal.
class FindLine {
 public:
  explicit FindLine(bool quiet);
  ~FindLine();
  FindLine(const FindLine&) = delete;
  FindLine& operator=(const FindLine&) = delete;

  void show(const FindProgress& at);

 private:
  bool visible_;
  std::size_t width_ = 0;
};

/// A bar on stderr for work of which it is known how much is done, where stderr is a terminal.
class ShareBar {
 public:
  ShareBar(const char* what, bool quiet);
  ~ShareBar();
  ShareBar(const ShareBar&) = delete;
  ShareBar& operator=(const ShareBar&) = delete;
  void show(double share);  ///< 0 to 1

 private:
  const char* what_;
  bool shows_ = false, shown_ = false;
  std::chrono::steady_clock::time_point last_{};
};

/// From now on the first Ctrl-C sets the returned flag, so that a run ends with the pose it has; a second one ends the
/// program.
const std::atomic<bool>& stop_on_interrupt();

}  // namespace dovetail::app
