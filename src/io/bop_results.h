// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>
#include <vector>

#include "dovetail/models.h"
#include "io/bop_targets.h"

namespace dovetail::io {

/// A row of a results file of the BOP benchmark.
struct BopEstimate {
  BopImageId image;
  int object = 0;
  double score = 0;
  Rigid3 camera_from_object = Rigid3::identity();  ///< the file's own numbers; millimetres
  double seconds = -1;                             ///< that the image took; -1: not known
  std::size_t line = 0;                            ///< in the file
};

/// The rows of a results CSV, `scene_id,im_id,obj_id,score,R,t,time`, in their order; the header may be missing. Throws
/// FileError naming the file, the line and the reason: a row that is none, a matrix that is no rotation, rows of one
/// image whose times differ by more than a millisecond.
std::vector<BopEstimate> read_bop_results(std::string_view file, std::string_view bytes);

/// Writes such a file. It appears whole or not at all. Throws FileError.
void write_bop_results(const std::filesystem::path& file, const std::vector<BopEstimate>& estimates);

}  // namespace dovetail::io
