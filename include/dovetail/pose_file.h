// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "dovetail/find.h"
#include "dovetail/geo_frame.h"
#include "dovetail/registration.h"
#include "dovetail/transform.h"

namespace dovetail {

/// Reads a pose from a result JSON (its `target_from_source` and `model`), from other JSON with a matrix as
/// "target_from_source" or "T" or as "R" and "t", or from a text file with the matrix row by row: 4x4 or 3x4 for 3D,
/// 3x3 for 2D; numbers are separated by spaces, commas or semicolons, and # begins a comment. Where the file does not
/// name the model it is the narrowest that fits: rigid (a rotation within 1e-4), similarity, affine, in 2D projective.
/// Throws FileError naming the file, the line where there is one, and the reason.
Transform read_pose(const std::filesystem::path& file);

/// A pose from the rows of its matrix, as they stand in such a text file: 4x4, 3x4 or (2D) 3x3, of the narrowest model
/// that fits. Throws InvalidArgument where they are no pose.
Transform pose_from_rows(const std::vector<std::vector<double>>& rows);

/// A pose with what a result JSON says beside it: all empty where the file says nothing.
struct StoredPose {
  Transform target_from_source;
  std::string method;
  std::optional<GeoFrame> source_frame, target_frame;  ///< what the metres of coordinates given in degrees count from
  double inlier_distance = 0;
  bool usable = true;  ///< false where the result says that it is not
};
/// As read_pose().
StoredPose read_stored_pose(const std::filesystem::path& file);

/// An object that a search found, as its result says.
struct StoredObject {
  std::string object;  ///< its name
  Transform scene_from_object;
};
/// Reads `objects` of a dovetail.found/1 JSON: what `dovetail pose find --json` writes. Throws FileError naming the
/// file, the key and the reason.
std::vector<StoredObject> read_found(const std::filesystem::path& file);

/// How well a pose is known, as Run::start_covariance and its centre take it.
struct StoredCovariance {
  std::vector<double> covariance;  ///< row-major, square
  std::optional<Vec3> center;      ///< where the file says it
};
/// Reads a covariance from a result JSON (its `covariance` and `covariance_center`), or from a text file with the
/// matrix row by row: 6 rows of 6 numbers in 3D, 3 of 3 in 2D, written as in read_pose(). Throws FileError likewise,
/// also where a result has no covariance.
StoredCovariance read_covariance(const std::filesystem::path& file);

/// Writes the homogeneous matrix row by row, 4x4 or 3x3, after a comment with the model's name. Every number reads back
/// as the same bits. The file appears whole or not at all. Throws FileError.
void write_pose(const std::filesystem::path& file, const Transform& pose);

/// What write_pose() writes.
std::string to_text(const Transform& pose);

/// Writes to_json(result). The file appears whole or not at all. Throws FileError.
void write_result(const std::filesystem::path& file, const Registration& result, int indent = 2);
void write_result(const std::filesystem::path& file, const Found& found, int indent = 2);

}  // namespace dovetail
