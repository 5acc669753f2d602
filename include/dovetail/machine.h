// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

namespace dovetail {

/// Where the work runs.
enum class Machine {
  automatic,  ///< a GPU when there is one, else the CPU; the result says which
  cpu,        ///< all cores, vector instructions
  cuda,       ///< an NVIDIA GPU; an error where there is none
  reference,  ///< the obvious loops every other machine is tested against: slow, for checking
};

}  // namespace dovetail
