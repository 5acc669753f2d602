// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <memory>

#include "backend/backend.h"
#include "dovetail/machines.h"
#include "dovetail/run.h"

namespace dovetail {

/// The machine a run asks for. Throws MachineError where it is not there.
std::unique_ptr<Backend> make_backend(const Run& run);

}  // namespace dovetail
