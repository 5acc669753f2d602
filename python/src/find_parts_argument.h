// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <mutex>

#include "dovetail/find_parts.h"
#include "run_argument.h"

namespace dovetail::python {

/// How parts are looked for, from keywords: the table's options, `preset`, `workspace`, and of one image `region`,
/// `mask`, `start`, `frame_from_camera`, `reach`, `prefer`.
class FindPartsArgument {
 public:
  /// Takes out of the keywords what goes with any search.
  explicit FindPartsArgument(py::dict& keywords);
  /// And what goes with one image.
  void take_place(py::dict& keywords, const DepthCamera& camera);

  /// Does it(options) when the workspace is free.
  template <class Do>
  auto operator()(Do&& it) const {
    std::unique_lock<std::mutex> lock;
    if (shared_.workspace) lock = std::unique_lock(*shared_.busy);
    return it(options_);
  }

 private:
  FindParts options_;
  SharedWorkspace shared_;
};

/// What a search's copy in a result must not keep: the workspace, which may end with the call.
void forget_call(Found& found);

}  // namespace dovetail::python
