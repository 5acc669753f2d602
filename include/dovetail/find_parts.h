// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dovetail/find.h"
#include "dovetail/machine.h"
#include "dovetail/pose_database.h"
#include "dovetail/pose_evaluation.h"
#include "dovetail/range_image.h"
#include "dovetail/work.h"

// Known parts in one range image: every one that can be told, with no idea of where they are. docs/pose_find.md tells
// how it works and where it ends. Link dovetail::pose.

namespace dovetail {

/// A rectangle of pixels: columns from `left` on and rows from `top` on.
struct PixelBox {
  int left = 0, top = 0, width = 0, height = 0;
};

/// Where a part may be: a pose that is tried before the search begins.
struct PartStart {
  std::string part;  ///< its name in the database
  Transform camera_from_part;
};

class Workspace;

/// What says how well a reference fits at a place.
enum class RoughErrors {
  robust,  ///< depths count up to a limit; a part may be hidden but cannot be before what was measured
  paper,   ///< as Park et al. 2009 have it, from one start in the middle: for comparison
};

/// How parts are looked for. Defaults need no tuning to a part or a camera.
struct FindParts {
  /// The most parts that are returned, the most likely ones; 0: all that are found.
  int best = 0;

  /// Parts that are less likely than this are doubtful. Above a half, for a robot that grasps beside a part costs more
  /// than one that looks again.
  double min_confidence = 0.7;

  /// Places of the image where a search begins, nearest to the camera first; 0: as many as there are.
  int starts = 0;

  /// Of each place, so many of the most promising references are refined.
  int refined = 40;

  /// What one round leaves unexplained is searched again, at most so often.
  int rounds = 2;

  /// Of what was not likely enough, so many are told (Found::doubtful), the likeliest first.
  int doubtful = 3;

  /// The search ends after so many milliseconds with what it has (Found::stopped). 0: no limit.
  double time_limit_ms = 0;

  /// Only parts that mostly lie in these pixels are looked for: where a detector has seen something, say. The rest of
  /// the image still tells what hides a part and where none can be. Absent: the whole image.
  std::optional<PixelBox> region;

  /// The same, pixel by pixel, row by row: 0 where nothing is looked for. Empty: the whole image.
  std::vector<std::uint8_t> mask;

  /// Poses to try first, those of the last image say: where they still hold, nothing is searched there.
  std::vector<PartStart> start;

  /// Of a robot: results are told in its frame as well (FoundObject::frame_from_object). `reach` and `prefer` are in
  /// this frame where it is given, else in the camera's; millimetres. Of a cloud that looks another way than along z
  /// (RangeImage::cloud_from_camera) it is from the cloud's own frame, which also stands in where none is given.
  std::optional<Transform> frame_from_camera;

  /// Parts whose middle is not in this box are left out.
  std::optional<Box> reach;

  /// The order of picking: parts that no other found part covers come first, and of those the ones nearest to this
  /// point. Absent: the most likely first.
  std::optional<Vec3> prefer;

  /// By which rough poses are found.
  RoughErrors rough = RoughErrors::robust;

  /// A machine kept from image to image; `machine` and `device` are then its own. Making one takes a GPU longer than a
  /// search.
  Workspace* workspace = nullptr;

  /// Where rough poses are looked for, refined and held against the image; the rest runs on the CPU.
  Machine machine = Machine::automatic;
  int device = 0;  ///< which GPU, where there are several
};

/// Settings by name: "paper", as Park et al. 2009 have it (three places, their error from one start in the middle of
/// each reference, the best reference alone refined, the best part returned). Throws InvalidArgument for another name.
FindParts find_parts_preset(std::string_view name);

/// Looks for the database's parts. Poses are camera_from_part in millimetres (FoundObject::scene_from_object). The same
/// bits for the same input and any number of threads, where no time limit ended the search. A cancelled search returns
/// what it has (Found::stopped). Throws InvalidArgument for options out of range, a start of another part, a mask of
/// another size, and an image without a camera or of another size than its camera's, MachineError where the machine is
/// not there.
Found find_parts(const RangeImage& image, const PoseDatabase& database, const FindParts& options = {},
                 const Work& work = {});

/// Draws what was found into a picture of the image, a PNG in colours: near is bright, each part has the outline of
/// what is seen of it, and its number in Found::objects from 1 on. The file appears whole or not at all. Throws
/// FileError.
void write_found_picture(const std::filesystem::path& file, const RangeImage& image, const PoseDatabase& database,
                         const Found& found);

/// Writes what was found as a results file of the BOP benchmark (CSV). Scene and image are told by the image's name,
/// 000001/depth/000003.png; where it has no numbers they are 1 and 0. Throws FileError.
void write_found_results(const std::filesystem::path& file, const std::filesystem::path& image,
                         const PoseDatabase& database, const Found& found);

/// What a whole data set gave.
struct DatasetParts {
  std::size_t images = 0, parts = 0;
  double mean_seconds = 0;  ///< per image, files read
  std::vector<std::string> warnings;
};

/// Looks for parts in every image that a data set of the BOP benchmark names (PoseDataset::detection_targets, or the
/// images of `targets`), and writes its results file. A part is the object of the data set that its name tells
/// (obj_000005) or that alone is as large; else that of its place in the database, from 1, with a warning where the two
/// differ in size. Throws FileError, and Cancelled.
DatasetParts find_parts_in_dataset(const PoseDataset& dataset, const PoseDatabase& database,
                                   const std::filesystem::path& results, const FindParts& options = {},
                                   const Work& work = {});

}  // namespace dovetail
