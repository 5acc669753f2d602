// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <array>
#include <vector>

#include "pose/matching.h"
#include "pose/mean_errors.h"
#include "pose/scored_images.h"
#include "pose/vsd.h"

namespace dovetail::pose {

/// How far the estimates of an object in an image are from its truths. What no score asks for, and what is beyond all
/// thresholds, is infinite.
struct ObjectErrors {
  ErrorTable mssd;  ///< in millimetres
  ErrorTable mspd;  ///< in pixels of an image 640 wide
  ErrorTable bulk;  ///< Brégier's distance, in millimetres

  // Of localisation: the first `localised` estimates and the truths that are targets.
  std::size_t localised = 0;
  std::vector<std::uint8_t> is_target;     ///< of each truth: among the most visible, as many as are wanted
  ErrorTable add, adi;                     ///< in millimetres
  ErrorTable vertex;                       ///< in diagonals of the bounding box
  std::vector<VertexError> vertex_errors;  ///< of each entry of `vertex`
  std::array<ErrorTable, vsd_tolerances> vsd;
};

/// Of each object of the image. Throws FileError for a depth image that cannot be read.
std::vector<ObjectErrors> errors_of(const ScoredImage& image, bool with_vsd, double vsd_delta);

}  // namespace dovetail::pose
