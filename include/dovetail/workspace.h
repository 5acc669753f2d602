// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <memory>
#include <string>

#include "dovetail/machine.h"

namespace dovetail {

class Backend;

/// A machine with what it needs to run: threads, or a GPU with its stream and scratch memory. A run makes its own where
/// none is given; keep one to run many times without paying for that again. One Workspace serves one thread at a time.
class Workspace {
 public:
  /// Throws MachineError where the machine is not there.
  explicit Workspace(Machine machine = Machine::automatic, int device = 0, int threads = 0);
  ~Workspace();
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;

  /// As results name it: "cpu", "cuda:0".
  std::string machine_name() const;

  Backend& backend() const;  ///< for the library's own use

 private:
  std::unique_ptr<Backend> backend_;
};

}  // namespace dovetail
