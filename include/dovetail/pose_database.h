// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dovetail/points.h"
#include "dovetail/symmetry.h"
#include "dovetail/work.h"

// What a part looks like from where a camera is likely to see it: a few hundred to a few thousand small range images,
// each at a known orientation. docs/pose_database.md tells how orientations are chosen and what the file holds. Link
// dovetail::pose.

namespace dovetail {

/// How orientations are spread.
enum class OrientationSampling {
  adaptive,  ///< by how parts lie: more where they lie often
  uniform,   ///< evenly over all orientations
};

struct PoseDatabaseOptions {
  /// Orientations of each part. Symmetric ones are one, so that a part with symmetries gets finer steps.
  int references = 1024;

  /// Width and height of a reference image in pixels.
  int image_size = 64;

  OrientationSampling sampling = OrientationSampling::adaptive;

  /// A camera above a bin does not see every part from right above: a part at the image's border is seen from a slant.
  /// Orientations are seen from anywhere within so many degrees of the vertical.
  double view_cone = 10;

  /// A step of depth between neighbouring pixels is an edge where it is more than this share of the image's width.
  double edge_step = 0.04;

  /// What counts as symmetric, in mm: SymmetryOptions::tolerance. 0: automatic, 1% of the diameter.
  double symmetry_tolerance = 0;

  /// Random numbers of the samples that orientations are chosen from.
  std::uint64_t seed = 0;
};

/// A part that references are to be made of.
struct PosePart {
  std::string name;
  /// In millimetres. A mesh, or a cloud with normals, whose points are then taken for small discs; without resting
  /// poses a cloud's orientations are spread evenly.
  const PointCloud* surface = nullptr;
  /// Found where it is not given.
  std::optional<Symmetry> symmetry;
  /// How the part lies, scene_from_part with z upwards: what adaptive sampling follows. Of simulated bins the rotations
  /// of Bin::parts.
  std::vector<Mat3> resting;
};

/// A pixel of a reference.
struct ReferencePixel {
  std::uint16_t depth;      ///< 0: nothing is seen. 1 to 65535: from the part's nearest possible depth to its farthest
  std::int8_t distance;     ///< to the nearest edge, in steps of PoseReferences::distance_step; negative off the part
  std::uint8_t confidence;  ///< 255 |cos| of the angle between surface normal and view; 1 at least on the part
  friend bool operator==(const ReferencePixel&, const ReferencePixel&) = default;
};
static_assert(sizeof(ReferencePixel) == 4);

/// How a part is turned in one of its reference images, and where in the image it is.
struct PoseReference {
  double orientation[4];        ///< camera_from_part as a unit quaternion (w, x, y, z)
  float share;                  ///< of the parts that lie nearest to this orientation
  std::uint32_t pixels;         ///< that show the part
  std::uint16_t left, top;      ///< the smallest rectangle that has them all
  std::uint16_t width, height;  ///
  std::uint32_t reserved[4];    ///< 0
};
static_assert(sizeof(PoseReference) == 64);

/// The references of one part. The camera looks along z from far away, x to the right and y down: a point p of the part
/// (in mm) is seen at image_size / 2 + (orientation (p - center)) / pixel.
struct PoseReferences {
  std::string name;
  Symmetry symmetry;
  Vec3 center{};              ///< of the sphere that holds the part, mm
  double radius = 0;          ///< of that sphere; depths go from -radius to radius about the centre
  double pixel = 0;           ///< side of a pixel, mm
  int image_size = 0;         ///< in pixels, width and height
  double distance_step = 0;   ///< pixels in a step of ReferencePixel::distance
  double distance_limit = 0;  ///< pixels; distances that are larger are cut to it
  double edge_step = 0;       ///< mm
  OrientationSampling sampling = OrientationSampling::adaptive;
  /// How well orientations that were not used are covered, in degrees up to symmetry: the angle to the nearest
  /// reference, its median and what 95% of them are below. Of uniform sampling those of uniform orientations.
  double cover_median = 0, cover_95 = 0;
  std::size_t resting = 0;  ///< poses that adaptive sampling followed

  std::span<const PoseReference> references;
  std::span<const ReferencePixel> pixels;  ///< image by image, row by row
  std::span<const Vec3f> vertices;         ///< the part's surface: mm, less the centre
  std::span<const std::array<std::uint32_t, 3>> triangles;

  std::span<const ReferencePixel> image(std::size_t reference) const {
    const auto size = static_cast<std::size_t>(image_size) * static_cast<std::size_t>(image_size);
    return pixels.subspan(reference * size, size);
  }
  /// Depth of a pixel that is not 0, about the centre, mm.
  double depth(ReferencePixel p) const { return radius * (2 * (p.depth - 1) / 65534.0 - 1); }
};

namespace pose {
class DatabaseCache;
}

/// References of one or several parts, in one block of memory: a file that is mapped, or what was just built. Copies
/// share it.
class PoseDatabase {
 public:
  /// Maps a file that save() wrote. Throws FileError, naming file, place and reason, where it is none, of another
  /// version, cut short, changed or out of range.
  static PoseDatabase load(const std::filesystem::path& file);
  /// The same of bytes in memory, which are copied; `name` stands for the file in messages.
  static PoseDatabase read(std::string_view name, std::string_view bytes);

  const std::vector<PoseReferences>& parts() const { return parts_; }
  std::size_t references() const;  ///< of all parts
  /// The file's bytes.
  std::string_view bytes() const { return bytes_; }
  /// The file appears whole or not at all. Throws FileError.
  void save(const std::filesystem::path& file) const;

  /// What machines keep of it from search to search; for the library's own use.
  pose::DatabaseCache& cache() const { return *cache_; }

 private:
  PoseDatabase(std::string_view name, std::string_view bytes, std::shared_ptr<const void> memory);

  std::shared_ptr<const void> memory_;
  std::string_view bytes_;
  std::vector<PoseReferences> parts_;
  std::shared_ptr<pose::DatabaseCache> cache_;
};

/// "adaptive", "uniform".
std::string to_string(OrientationSampling sampling);

/// Whether the bytes begin as such a file does.
bool is_pose_database(std::string_view bytes);

/// Chooses orientations and renders them. The same bytes for the same input and any number of threads. Throws
/// InvalidArgument for options out of range, no parts, parts without a name, with a name twice, without faces and
/// normals, or (adaptive) without resting poses, MachineError where rendering was not built in, and Cancelled where
/// work.cancel was set.
PoseDatabase build_pose_database(std::span<const PosePart> parts, const PoseDatabaseOptions& options = {},
                                 const Work& work = {});

}  // namespace dovetail
