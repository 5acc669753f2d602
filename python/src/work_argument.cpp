// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "work_argument.h"

#include "option_table.h"

namespace dovetail::python {

WorkArgument::WorkArgument(py::dict& keywords) : on_progress_(take_callable(keywords, "on_progress")) {
  work_.threads = take_as<int>(keywords, "threads", "a whole number, 0 or more").value_or(0);
  work_.cancel = session_.cancel();
  if (on_progress_.is_none()) return;
  work_.on_progress = [this](double share) {
    session_.in_python([&] {
      on_progress_(share);
      return true;
    });
  };
}

}  // namespace dovetail::python
