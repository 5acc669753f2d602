// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "pose/scored_images.h"

namespace dovetail::pose {

/// The models of a data set, read as they are asked for.
class ObjectModels {
 public:
  /// Takes `models_eval`, and `models` where there is none. Throws FileError.
  ObjectModels(const std::filesystem::path& dataset, bool with_vsd);

  /// "models_eval" or "models".
  const std::string& folder_name() const { return folder_name_; }
  const std::filesystem::path& info_file() const { return info_file_; }
  bool knows(int object) const { return infos_.count(object) != 0; }
  /// Of an object that is known. The reference stays good. Throws FileError where its mesh cannot be read.
  const ObjectModel& get(int object);
  /// Those that were asked for.
  std::map<int, ObjectModel> take() { return std::move(models_); }

 private:
  std::filesystem::path folder_, info_file_;
  std::string folder_name_;
  bool with_vsd_;
  std::map<int, io::BopObject> infos_;
  std::map<int, ObjectModel> models_;
};

}  // namespace dovetail::pose
