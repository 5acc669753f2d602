// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <mutex>

#include "dovetail/run.h"
#include "dovetail/workspace.h"
#include "session.h"

namespace dovetail::python {

namespace py = pybind11;

/// A machine kept from run to run. Threads of Python that share one wait for each other.
struct SharedWorkspace {
  std::shared_ptr<Workspace> workspace;
  std::shared_ptr<std::mutex> busy = std::make_shared<std::mutex>();
};

/// Takes `workspace` out of the keywords; one without a machine where it was not given. Throws TypeError.
SharedWorkspace take_workspace(py::dict& keywords);

/// How to run, from keywords: the table's options and what is beside them (start, more_starts, weights, callbacks,
/// ...).
class RunArgument {
 public:
  /// Takes what is the run's out of the keywords.
  explicit RunArgument(py::dict& keywords);

  Run run;

  /// Runs work(run) without Python's lock; callbacks and signals work.
  template <class Work>
  auto operator()(Work&& work) {
    return session_.run([&] {
      std::unique_lock<std::mutex> lock;
      if (shared_.workspace) lock = std::unique_lock(*shared_.busy);
      return work(run);
    });
  }
  Session& session() { return session_; }

 private:
  void take_starts(py::dict& keywords);
  void take_callbacks(py::dict& keywords);

  Session session_;
  SharedWorkspace shared_;
  py::object on_iteration_, on_progress_;
};

/// What a run's copy in a result must not keep: pointers and callbacks that end with the call.
void forget_call(Run& run);

}  // namespace dovetail::python
