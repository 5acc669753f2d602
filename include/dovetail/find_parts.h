// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <string_view>

#include "dovetail/find.h"
#include "dovetail/machine.h"
#include "dovetail/pose_database.h"
#include "dovetail/pose_evaluation.h"
#include "dovetail/range_image.h"
#include "dovetail/work.h"

// Known parts in one range image: every one that can be told, with no idea of where they are. docs/pose_find.md tells
// how it works and where it ends. Link dovetail::pose.

namespace dovetail {

class Workspace;

/// What says how well a reference fits at a place.
enum class RoughErrors {
  robust,  ///< depths count up to a limit; a part may be hidden but cannot be before what was measured
  paper,   ///< as Park et al. 2009 have it, from one start in the middle: for comparison
};

struct FindParts {
  /// The most parts that are returned, the most likely ones; 0: all that are found.
  int best = 0;

  /// Parts that are less likely than this are doubtful.
  double min_confidence = 0.5;

  /// Places of the image where a search begins, nearest to the camera first; 0: as many as there are.
  int starts = 0;

  /// Of each place, so many of the most promising references are refined.
  int refined = 40;

  /// What one round leaves unexplained is searched again, at most so often.
  int rounds = 2;

  /// By which rough poses are found.
  RoughErrors rough = RoughErrors::robust;

  /// A machine kept from image to image; `machine` and `device` are then its own. Making one takes a GPU longer than a
  /// search.
  Workspace* workspace = nullptr;

  /// Where rough poses are looked for; the rest runs on the CPU.
  Machine machine = Machine::automatic;
  int device = 0;  ///< which GPU, where there are several
};

/// Settings by name: "paper", as Park et al. 2009 have it (three places, their error from one start in the middle of
/// each reference, the best reference alone refined, the best part returned). Throws InvalidArgument for another name.
FindParts find_parts_preset(std::string_view name);

/// Looks for the database's parts. Poses are camera_from_part in millimetres (FoundObject::scene_from_object). The same
/// bits for the same input and any number of threads. A cancelled search returns what it has (Found::stopped). Throws
/// InvalidArgument for options out of range and an image without a camera, MachineError where rendering was not built
/// in or the machine is not there.
Found find_parts(const RangeImage& image, const PoseDatabase& database, const FindParts& options = {},
                 const Work& work = {});

/// What a whole data set gave.
struct DatasetParts {
  std::size_t images = 0, parts = 0;
  double mean_seconds = 0;  ///< per image, files read
};

/// Looks for parts in every image that a data set of the BOP benchmark names (PoseDataset::detection_targets, or the
/// images of `targets`), and writes its results file. An object's id is the number in a part's name where that is like
/// obj_000005, else its place in the database, from 1. Throws FileError, and Cancelled.
DatasetParts find_parts_in_dataset(const PoseDataset& dataset, const PoseDatabase& database,
                                   const std::filesystem::path& results, const FindParts& options = {},
                                   const Work& work = {});

}  // namespace dovetail
