// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "dovetail/geo_frame.h"
#include "dovetail/points.h"

namespace dovetail {

/// What observed points are aligned to: points, lines, the surface of a mesh, the set pixels of an image.
struct Reference {
  PointCloud points;              ///< all vertices, and `points.faces` where it is a mesh
  Faces lines;                    ///< polylines over `points`; a closed one ends with its first vertex
  std::optional<GeoFrame> frame;  ///< where longitudes and latitudes were projected
};

struct ReferenceOptions {
  /// Project longitudes and latitudes into this frame; absent: into one about the middle of the data.
  std::optional<GeoFrame> frame;

  /// Images: a pixel is set when its brightness, 0 to 255 whatever the depth, is at least this. Never where alpha is 0.
  int threshold = 128;
  /// Images: a pixel is set when it is darker than `threshold` instead.
  bool dark = false;

  /// Vector data, through GDAL: the layer to read. Empty: those with lines; where there are none those of mixed kinds,
  /// else those with polygons, else those with points.
  std::string layer;
  /// Vector data, through GDAL: which features to read, as an OGR attribute filter: "highway = 'primary'".
  std::string where;

  /// With `frame`: a file that holds no longitudes and latitudes is read as it is, not refused.
  bool planar_too = false;
};

/// Reads what points may be aligned to. The type is told by the content first and by the name second:
/// - GeoJSON: lines, rings of polygons as closed lines, points; projected, in metres;
/// - PNG: a point for every set pixel, x its column and y its row, from 0, y downwards;
/// - through GDAL, where it was built in: OpenStreetMap, Shapefile, GeoPackage and others. Coordinates of a known
/// system
///   are projected as in GeoJSON, others taken as they are; `name.gz` and `name.zip` are read as well;
/// - every file that read_points() reads; a table whose columns are called lon and lat is projected, heights aside.
/// Equal vertices of lines become one. Throws FileError naming the file, the place and the reason, and InvalidArgument
/// for an option that is out of range or means nothing for this file.
Reference read_reference(const std::filesystem::path& file, const ReferenceOptions& options = {});

/// What read_reference() reads beside point and mesh files, for help texts.
std::string supported_references();

/// How much there is to sample.
struct ReferenceMeasure {
  double length = 0;  ///< of all lines
  double area = 0;    ///< of all faces
};
ReferenceMeasure measure_reference(const Reference& reference);

/// The reference as points: its vertices, then further ones such that every place of a line has a point within half a
/// `spacing`, and every place of a face has one within `spacing`. Faces of more than three corners are fans of
/// triangles. Edges that several lines or faces share are sampled once; vertices that are not finite are left out, with
/// what hangs on them. Each point has the normal of its line (in 2D) or face (in 3D), zero at corners and where there
/// is none. The same points in the same order every time. Throws InvalidArgument where spacing is not positive, where
/// it would be more than 2^31 points, or where lines or faces name a vertex that is not there.
PointCloud sample_reference(const Reference& reference, double spacing);

}  // namespace dovetail
