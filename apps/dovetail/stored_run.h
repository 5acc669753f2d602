// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "dovetail/pose_file.h"
#include "dovetail/report.h"

namespace dovetail::app {

/// A result that was written before. What it was made of is read again, where it is still there.
class StoredRun {
 public:
  /// Throws FileError for a file that is no result that can be shown.
  explicit StoredRun(const std::string& file);

  void add_to(Report& report);

 private:
  /// Where a file is that the result names: as named, or beside the result. Empty, with a note, where it is in neither.
  std::string found(const std::string& name, const char* what);
  void add_registration(Report& report);
  void add_search(Report& report);
  void add_parts_in_image(Report& report, const std::string& database);
  void add_symmetry(Report& report);

  /// Reads something; what cannot be read is a note.
  template <class F>
  void attempt(F&& read);

  std::string file_, text_, schema_;
  nlohmann::json json_;
  std::vector<std::string> notes_;
};

}  // namespace dovetail::app
