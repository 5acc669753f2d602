// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string>

#include "backend/batch.h"
#include "backend/jobs.h"
#include "backend/memory.h"

namespace dovetail {

/// A machine: a description, a memory, threads on the host, and what it runs: every job of the list in jobs.h.
class Backend {
 public:
  virtual ~Backend() = default;

  /// As the result names it: "cpu", "cuda:0".
  virtual std::string name() const = 0;

  /// What "the same bits" holds for: the instruction set or device that does the arithmetic.
  virtual std::string arithmetic() const = 0;

  Memory& memory() { return *memory_; }

  /// Runs work on the host, on as many threads as this machine may use.
  virtual void on_host(const std::function<void()>& work) { work(); }

  /// Runs a batch, or builds a field.
  template <class Job>
  void run(Job& job) {
    (*runs_[Jobs::index<Job>])(*this, &job);
  }
  /// Whether every job of the list has been given a way to run.
  bool runs_everything() const {
    return std::none_of(runs_.begin(), runs_.end(), [](Run how) { return how == nullptr; });
  }

 protected:
  using Run = void (*)(Backend&, void* job);

  explicit Backend(std::shared_ptr<Memory> memory) : memory_(std::move(memory)) {}

  /// Says how a job is run.
  template <class Job>
  void add(Run how) {
    runs_[Jobs::index<Job>] = how;
  }

 private:
  std::shared_ptr<Memory> memory_;
  std::array<Run, Jobs::count> runs_{};
};

}  // namespace dovetail
