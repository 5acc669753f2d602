// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <string>
#include <vector>

#include "dovetail/pose_database.h"
#include "dovetail/pose_evaluation.h"

namespace dovetail::pose {

/// Which objects of a data set the parts of a database are.
struct DatasetObjects {
  std::vector<int> ids;               ///< part by part
  std::vector<std::string> warnings;  ///< of parts whose object is not certain
};

/// A part named like obj_000005 is object 5. Another is the only object of models_info.json that is as large, up to a
/// thousandth; where there is none, or several, it is that of its place in the database, from 1 on: among several as
/// large as it without a word, else with a warning. Throws FileError.
DatasetObjects dataset_objects(const PoseDataset& dataset, const PoseDatabase& database);

/// The number in a name like obj_000005, else the place in the database, from 1 on.
int object_of(const PoseReferences& part, std::size_t index);

}  // namespace dovetail::pose
