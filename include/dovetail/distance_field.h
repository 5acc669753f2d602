// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "dovetail/points.h"
#include "dovetail/reference.h"
#include "dovetail/run.h"

namespace dovetail {

struct FieldData;

/// How the cells of a distance field are kept.
enum class FieldStorage {
  automatic,  ///< dense where that fits into the memory, else banded
  dense,      ///< every cell of the domain
  banded,     ///< cells near the reference alone, and a coarse dense field for the rest
};

/// How a reference becomes a distance field. Every default follows the reference's own size.
struct FieldOptions {
  /// Side of a cell, in file units; 0: automatic, 1/2048 of the longest side in 2D and 1/256 in 3D, but not less than
  /// the spacing of a reference of points, and larger where the memory does not allow that.
  double cell = 0;

  /// The most memory the field may take, in MiB.
  double memory_mb = 512;

  FieldStorage storage = FieldStorage::automatic;

  /// How far the domain goes beyond the reference, in file units; 0: automatic, a twentieth of its diagonal.
  double margin = 0;

  /// Banded: how many cells away from the reference cells are kept; 0: automatic, 32 in 2D and 16 in 3D.
  int band = 0;
};

/// A reference prepared for chamfer alignment: a grid, each cell with the reference point nearest to it (exactly, cell
/// by cell). Build it once and align many observations to it. Copies share the same memory.
class DistanceField {
 public:
  int dimension() const;
  double cell() const;         ///< side of the finest cells, in file units
  Vec3 low() const;            ///< corner of the domain
  Vec3 high() const;           ///< opposite corner
  bool banded() const;         ///< whether only cells near the reference are kept at the finest resolution
  double reach() const;        ///< distance up to which the finest cells know the reference; infinite where dense
  std::size_t points() const;  ///< of the reference, lines and surfaces sampled
  std::size_t sites() const;   ///< cells of the finest resolution that hold a reference point
  std::size_t cells() const;   ///< kept, over all resolutions
  std::size_t bytes() const;   ///< of memory
  const std::optional<GeoFrame>& frame() const;  ///< where the reference was given in degrees
  const std::string& source() const;             ///< the file it was made from, where it was

  void set_source(std::string name);  ///< for whoever reads the file it is saved to

  explicit DistanceField(std::shared_ptr<FieldData> data) : data_(std::move(data)) {}
  const FieldData& data() const { return *data_; }  ///< for the library's own use

 private:
  std::shared_ptr<FieldData> data_;
};

/// Builds the field of a cloud's points, or of a reference's points, lines and surfaces, on the run's machine.
/// Throws InvalidArgument for options that cannot be met and for a reference without usable points.
DistanceField build_field(const PointCloud& reference, const FieldOptions& options = {}, const Run& run = {});
DistanceField build_field(const Reference& reference, const FieldOptions& options = {}, const Run& run = {});

/// The reference as the field knows it: a point for each cell of the finest resolution that holds any.
PointCloud reference_points(const DistanceField& field);

/// Keeps a field in a file, and reads it back. The file appears whole or not at all; one of another version, cut short
/// or changed is refused with a FileError.
void save_field(const std::filesystem::path& file, const DistanceField& field);
DistanceField load_field(const std::filesystem::path& file);

/// Whether a file begins as a field file does.
bool is_field_file(const std::filesystem::path& file);

}  // namespace dovetail
