// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
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

/// How many points of each cloud are asked, at the first of some poses and at each other one.
struct PointsAsked {
  std::uint32_t first = 2000, others = 1000;
};

/// The contacts of some poses, in one batch. `full` has all points; points farther apart than `reach` do not touch.
std::vector<Contact> contacts_of(const Level& full, std::span<const Similarity3> poses, double reach,
                                 const NormalSettings& settings, Backend& backend, const PointsAsked& asked = {});

/// The least length that tells anything, of some touches: what noise makes of the points' spacing.
double least_unit(std::span<const Touch> touches, double radius);

/// What a point says of the surface it comes near to, lengths measured by `unit`: docs/confidence.md.
enum class Verdict { none, agrees, contradicts };
Verdict verdict_of(const Touch& touch, double unit);

}  // namespace dovetail
