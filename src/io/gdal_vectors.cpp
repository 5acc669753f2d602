// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/reference_formats.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <fmt/format.h>
#include <gdal.h>
#include <ogr_api.h>
#include <ogr_srs_api.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <mutex>
#include <vector>

#include "dovetail/error.h"
#include "io/reference_builder.h"

namespace dovetail::io {
namespace {

/// Frees a handle of GDAL's with the function made for it.
template <auto Free>
struct Freer {
  template <class Handle>
  void operator()(Handle* handle) const {
    Free(handle);
  }
};
template <class Handle, auto Free>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Freer<Free>>;

using Dataset = Owned<GDALDatasetH, GDALClose>;
using Feature = Owned<OGRFeatureH, OGR_F_Destroy>;
using Geometry = Owned<OGRGeometryH, OGR_G_DestroyGeometry>;
using SpatialReference = Owned<OGRSpatialReferenceH, OSRRelease>;
using Conversion = Owned<OGRCoordinateTransformationH, OCTDestroyCoordinateTransformation>;

/// Keeps GDAL from printing while it lives; what went wrong last can be asked for.
class QuietErrors {
 public:
  QuietErrors() {
    CPLPushErrorHandler(CPLQuietErrorHandler);
    CPLErrorReset();
  }
  ~QuietErrors() { CPLPopErrorHandler(); }
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;

  static std::string last() {
    const char* const message = CPLGetLastErrorMsg();
    return message && *message ? message : "GDAL gives no reason";
  }
};

void register_drivers() {
  static std::once_flag once;
  std::call_once(once, GDALAllRegister);
}

/// Which kinds of layers to prefer where none was named: the lowest.
int rank_of(OGRwkbGeometryType type) {
  switch (OGR_GT_Flatten(type)) {
    case wkbLineString:
    case wkbMultiLineString:
    case wkbCircularString:
    case wkbCompoundCurve:
    case wkbCurve:
    case wkbMultiCurve:
      return 0;
    case wkbPoint:
    case wkbMultiPoint:
      return 3;
    case wkbUnknown:
    case wkbGeometryCollection:
      return 1;
    case wkbNone:
      return 4;
    default:
      return 2;
  }
}

/// A layer that is read, and how its coordinates become longitudes and latitudes; none where they are planar.
struct Layer {
  OGRLayerH handle;
  Conversion to_wgs84;
};

class VectorReader {
 public:
  VectorReader(const std::string& file, const std::string& name, const ReferenceOptions& options)
      : file_(file), options_(options), builder_(file) {
    register_drivers();
    dataset_.reset(GDALOpenEx(name.c_str(), GDAL_OF_VECTOR | GDAL_OF_READONLY, nullptr, nullptr, nullptr));
    if (!dataset_) fail("cannot be opened: " + QuietErrors::last());
  }

  Reference read() {
    choose_layers();
    apply_filter();
    const bool geographic = find_conversions();
    CPLErrorReset();
    // Layers take turns, for some files (OpenStreetMap's) hold all of them in one stream.
    OGRLayerH handle = nullptr;
    while (const Feature feature{GDALDatasetGetNextFeature(dataset_.get(), &handle, nullptr, nullptr, nullptr)}) {
      const auto layer =
          std::find_if(layers_.begin(), layers_.end(), [&](const Layer& l) { return l.handle == handle; });
      const OGRGeometryH geometry = OGR_F_GetGeometryRef(feature.get());
      if (layer != layers_.end() && geometry) read_geometry(geometry, *layer);
    }
    if (CPLGetLastErrorType() >= CE_Failure) {
      if (!options_.where.empty()) refuse_filter();  // some formats look at the filter only now
      fail(QuietErrors::last());
    }
    if (geographic) return builder_.take_projected(options_.frame);
    if (options_.frame && !options_.planar_too) {
      throw InvalidArgument("frame: " + file_ + " names no coordinate system from which it could be projected");
    }
    return builder_.take_planar();
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const { throw FileError(file_ + ": " + reason); }

  [[noreturn]] void refuse_filter() const {
    throw InvalidArgument(
        fmt::format("where: \"{}\" cannot be asked of {}: {}", options_.where, file_, QuietErrors::last()));
  }

  void choose_layers() {
    std::string names;
    int best = 4;
    for (int i = 0; i < GDALDatasetGetLayerCount(dataset_.get()); ++i) {
      const OGRLayerH layer = GDALDatasetGetLayer(dataset_.get(), i);
      const int rank = options_.layer.empty() ? rank_of(OGR_L_GetGeomType(layer)) : 0;
      names += (names.empty() ? "" : ", ") + std::string(OGR_L_GetName(layer));
      if (!options_.layer.empty() && options_.layer != OGR_L_GetName(layer)) continue;
      if (rank < best) layers_.clear(), best = rank;
      if (rank == best) layers_.push_back({layer, nullptr});
    }
    if (!layers_.empty()) return;
    if (options_.layer.empty()) fail("has no lines or points");
    throw InvalidArgument(fmt::format("layer: {} has no \"{}\"; its layers are {}", file_, options_.layer, names));
  }

  /// A layer that does not know a field of the filter has nothing that it would let pass.
  void apply_filter() {
    if (options_.where.empty()) return;
    std::erase_if(layers_, [&](const Layer& layer) {
      return OGR_L_SetAttributeFilter(layer.handle, options_.where.c_str()) != OGRERR_NONE;
    });
    if (layers_.empty()) refuse_filter();
  }

  /// Whether the layers have coordinate systems. Either all of them or none.
  bool find_conversions() {
    const SpatialReference wgs84{OSRNewSpatialReference(nullptr)};
    OSRSetWellKnownGeogCS(wgs84.get(), "WGS84");
    OSRSetAxisMappingStrategy(wgs84.get(), OAMS_TRADITIONAL_GIS_ORDER);
    std::size_t geographic = 0;
    for (Layer& layer : layers_) {
      const OGRSpatialReferenceH system = OGR_L_GetSpatialRef(layer.handle);
      if (!system || OSRIsLocal(system)) continue;
      ++geographic;
      layer.to_wgs84.reset(OCTNewCoordinateTransformation(system, wgs84.get()));
      if (!layer.to_wgs84) fail("its coordinate system cannot be brought to WGS 84: " + QuietErrors::last());
    }
    if (geographic != 0 && geographic != layers_.size()) {
      fail("has layers with and without a coordinate system: name one of them");
    }
    return geographic != 0;
  }

  void read_geometry(OGRGeometryH geometry, const Layer& layer) {
    if (OGR_G_HasCurveGeometry(geometry, false)) {
      const Geometry straight{OGR_G_GetLinearGeometry(geometry, 0, nullptr)};
      if (straight) read_straight(straight.get(), layer);
    } else {
      read_straight(geometry, layer);
    }
  }

  void read_straight(OGRGeometryH geometry, const Layer& layer) {
    const int parts = OGR_G_GetGeometryCount(geometry);  // of a collection, rings of a polygon
    for (int i = 0; i < parts; ++i) read_straight(OGR_G_GetGeometryRef(geometry, i), layer);
    if (parts > 0 || OGR_G_IsEmpty(geometry)) return;
    const auto count = static_cast<std::size_t>(OGR_G_GetPointCount(geometry));
    std::vector<double> x(count), y(count);
    constexpr int stride = sizeof(double);
    OGR_G_GetPoints(geometry, x.data(), stride, y.data(), stride, nullptr, 0);
    if (layer.to_wgs84 && !OCTTransform(layer.to_wgs84.get(), static_cast<int>(count), x.data(), y.data(), nullptr)) {
      fail("a vertex cannot be brought to WGS 84: " + QuietErrors::last());
    }
    const bool line = count > 1;
    for (std::size_t i = 0; i < count; ++i) {
      if (!std::isfinite(x[i]) || !std::isfinite(y[i])) fail("a vertex has no finite coordinates");
      line ? builder_.add_line_vertex(x[i], y[i]) : builder_.add_point(x[i], y[i]);
    }
    if (line) builder_.end_line();
  }

  std::string file_;
  const ReferenceOptions& options_;
  QuietErrors quiet_;
  Dataset dataset_;
  std::vector<Layer> layers_;
  ReferenceBuilder builder_;
};

}  // namespace

std::string vector_formats() {
  return fmt::format("through GDAL {} OpenStreetMap (.osm .osm.pbf), Shapefile (.shp), GeoPackage (.gpkg) and others",
                     GDALVersionInfo("RELEASE_NAME"));
}

bool is_vectors(const std::string& file) {
  const QuietErrors quiet;
  register_drivers();
  return GDALIdentifyDriverEx(file.c_str(), GDAL_OF_VECTOR, nullptr, nullptr) != nullptr;
}

Reference read_vectors(const std::string& file, const std::string& name, const ReferenceOptions& options) {
  return VectorReader(file, name, options).read();
}

}  // namespace dovetail::io
