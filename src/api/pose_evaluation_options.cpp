// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "api/option_table.h"

namespace dovetail {
namespace {

constexpr OptionRow<PoseEvaluationOptions> rows[] = {
    {"vsd", &PoseEvaluationOptions::vsd, any,
     "score the visible surface (VSD) too; needs depth images and Embree, and BOP19's average needs it"},
    {"vsd_delta", &PoseEvaluationOptions::vsd_delta, zero_or_more,
     "how far a model may lie behind the measured surface and be visible, in mm (BOP: 15; ITODD: 5)"},
    {"estimates_per_image", &PoseEvaluationOptions::estimates_per_image, up_to_a_million,
     "best-scored estimates of an image that count in detection (BOP: 100; XYZ-IBD: 200)"},
};

}  // namespace

template <>
std::span<const OptionRow<PoseEvaluationOptions>> option_rows<PoseEvaluationOptions>() {
  return rows;
}

}  // namespace dovetail
