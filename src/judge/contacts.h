// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <span>
#include <vector>

#include "prepare/levels.h"

namespace dovetail {

/// Where two surfaces meet at a pose, both ways, as some points of each tell it.
struct Contact {
  std::vector<Touch> there;  ///< the source's points at the target
  std::vector<Touch> back;   ///< the target's points at the source, in the source's frame
  double each = 1;           ///< points of the source that one of those asked stands for
};

/// The contacts of some poses, in one batch. `full` has all points; points farther apart than `reach` do not touch.
std::vector<Contact> contacts_of(const Level& full, std::span<const Similarity3> poses, double reach,
                                 const NormalSettings& settings, Backend& backend);

}  // namespace dovetail
