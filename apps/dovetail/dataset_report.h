// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <string>

#include "dovetail/dataset_image.h"
#include "dovetail/report.h"

namespace dovetail::app {

/// Images of a data set in a report, with the poses that it knows: the first of them, spread over all.
class DatasetReport {
 public:
  /// Throws FileError.
  explicit DatasetReport(const std::string& folder);

  /// Runs that add_to() will add.
  std::size_t runs() const { return shown_.size(); }
  /// Adds a run for each image that is shown. A model that cannot be read is a note.
  void add_to(Report& report) const;

 private:
  std::string folder_;
  std::size_t images_;
  std::vector<DatasetImageId> shown_;
};

}  // namespace dovetail::app
