// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "run_argument.h"

#include <pybind11/stl.h>

#include <optional>

#include "arrays.h"
#include "dovetail/error.h"
#include "option_table.h"
#include "pose_argument.h"
#include "shown.h"

namespace dovetail::python {

SharedWorkspace take_workspace(py::dict& keywords) {
  const py::object workspace = take(keywords, "workspace");
  if (workspace.is_none()) return {};
  if (!py::isinstance<SharedWorkspace>(workspace)) {
    throw py::type_error("workspace: " + shown(workspace) + " is no dovetail.Workspace");
  }
  return workspace.cast<SharedWorkspace>();
}

RunArgument::RunArgument(py::dict& keywords) {
  set_options(run, keywords);
  run.cancel = session_.cancel();
  take_starts(keywords);
  take_callbacks(keywords);
  if (const py::object weights = take(keywords, "weights"); !weights.is_none()) {
    run.weights = numbers_from(weights, "weights");
  }
  shared_ = take_workspace(keywords);
  run.workspace = shared_.workspace.get();
}

void RunArgument::take_starts(py::dict& keywords) {
  if (const py::object start = take(keywords, "start"); !start.is_none()) {
    if (py::isinstance<py::str>(start) && start.cast<std::string>() == "centroid") {
      run.start_at_centroid = true;
    } else {
      run.start = pose_from({start}, "start");
    }
  }
  if (const py::object starts = take(keywords, "more_starts"); !starts.is_none()) {
    if (!py::isinstance<py::iterable>(starts) || py::isinstance<py::str>(starts)) {
      throw py::type_error("more_starts: " + shown(starts) + " is no list of poses");
    }
    int number = 0;
    for (const py::handle start : starts) {
      const std::string name = "more_starts[" + std::to_string(number++) + "]";
      run.starts.push_back(pose_from({py::reinterpret_borrow<py::object>(start)}, name.c_str()));
    }
  }
  if (const py::object covariance = take(keywords, "start_covariance"); !covariance.is_none()) {
    run.start_covariance = numbers_from(covariance, "start_covariance");
  }
  if (const py::object center = take(keywords, "start_covariance_center"); !center.is_none()) {
    run.start_covariance_center = vec3_from(center, "start_covariance_center");
  }
}

void RunArgument::take_callbacks(py::dict& keywords) {
  on_iteration_ = take_callable(keywords, "on_iteration");
  on_progress_ = take_callable(keywords, "on_progress");
  if (!on_iteration_.is_none()) {
    run.on_iteration = [this](const Iteration& iteration) {
      return session_.in_python([&] {
        const py::object answer = on_iteration_(iteration);
        return answer.is_none() || py::cast<bool>(py::bool_(answer));
      });
    };
  }
  if (!on_progress_.is_none()) {
    run.on_progress = [this](const Iteration& iteration) {
      session_.in_python([&] {
        on_progress_(iteration);
        return true;
      });
    };
  }
}

void forget_call(Run& run) {
  run.workspace = nullptr;
  run.cancel = nullptr;
  run.on_iteration = {};
  run.on_progress = {};
}

}  // namespace dovetail::python
