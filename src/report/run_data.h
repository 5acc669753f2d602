// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <string>

#include "dovetail/report.h"

namespace dovetail::report {

/// How much of a run is kept.
struct Budget {
  std::size_t points = 0;          ///< of all its clouds; 0: all
  std::size_t residual_bytes = 0;  ///< for residuals at poses other than the answer
  std::size_t image_bytes = 0;     ///< for a range image

  /// The clouds of a run that has an image as well.
  Budget beside_image() const {
    Budget rest = *this;
    if (points > 0) rest.points = points / 2 + 1;
    return rest;
  }
};

/// What the page shows of a run, as JSON in one line; appends the points it speaks of to `bytes`.
std::string run_data(const ReportedRegistration& run, const Budget& budget, std::string& bytes);
std::string run_data(const ReportedSearch& run, const Budget& budget, std::string& bytes);
std::string run_data(const ReportedImage& run, const Budget& budget, std::string& bytes);
std::string run_data(const ReportedSymmetry& run, const Budget& budget, std::string& bytes);
std::string run_data(const ReportedScores& run);

/// JSON for a page: in ASCII, and with nothing that ends or begins an element.
std::string page_text(const std::string& json_in_ascii);

}  // namespace dovetail::report
