// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <pybind11/pybind11.h>

#include "dovetail/work.h"
#include "session.h"

namespace dovetail::python {

namespace py = pybind11;

/// How work on the host is done, from the keywords `threads` and `on_progress`.
class WorkArgument {
 public:
  /// Takes them out of the keywords.
  explicit WorkArgument(py::dict& keywords);
  WorkArgument(const WorkArgument&) = delete;  // what it hands on points to it
  WorkArgument& operator=(const WorkArgument&) = delete;

  /// Does it(work) without Python's lock; callbacks and signals work.
  template <class Do>
  auto operator()(Do&& it) {
    return session_.run([&] { return it(work_); });
  }

 private:
  Session session_;
  py::object on_progress_;
  Work work_;
};

}  // namespace dovetail::python
