// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <memory>

#include "backend/backend.h"
#include "dovetail/run.h"
#include "dovetail/workspace.h"

namespace dovetail {

/// The machine of a run: that of its workspace, or one made for it. Throws MachineError where it is not there.
class BackendOfRun {
 public:
  explicit BackendOfRun(const Run& run) {
    if (run.workspace == nullptr) own_ = std::make_unique<Workspace>(run.machine, run.device, run.threads);
    backend_ = &(run.workspace != nullptr ? run.workspace : own_.get())->backend();
  }
  Backend& operator*() const { return *backend_; }
  Backend* operator->() const { return backend_; }

 private:
  std::unique_ptr<Workspace> own_;
  Backend* backend_;
};

}  // namespace dovetail
