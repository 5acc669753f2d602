// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gdal.h>
#include <gtest/gtest.h>
#include <ogr_api.h>
#include <ogr_srs_api.h>

#include <cmath>
#include <cstdio>
#include <numbers>
#include <set>
#include <utility>

#include "core/random.h"
#include "dovetail/dovetail.h"
#include "io/io_support.h"
#include "support/messages.h"
#include "support/test_data.h"

namespace dovetail::test {
namespace {

/// Writes a data set with GDAL: layers of one feature for each well-known text.
class Writer {
 public:
  Writer(const char* driver, const std::filesystem::path& file) {
    GDALAllRegister();
    dataset_ = GDALCreate(GDALGetDriverByName(driver), file.c_str(), 0, 0, 0, GDT_Unknown, nullptr);
    EXPECT_NE(dataset_, nullptr);
  }
  ~Writer() { GDALClose(dataset_); }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /// `epsg` 0: no coordinate system, -1: one of a plane that is nowhere on earth. Feature i has the field number = i.
  void add_layer(const char* name, OGRwkbGeometryType type, int epsg, const std::vector<std::string>& features) {
    OGRSpatialReferenceH system = epsg == 0 ? nullptr : OSRNewSpatialReference(nullptr);
    if (epsg < 0) OSRSetLocalCS(system, "drawing");
    if (epsg > 0) {
      OSRImportFromEPSG(system, epsg);
      OSRSetAxisMappingStrategy(system, OAMS_TRADITIONAL_GIS_ORDER);
    }
    const OGRLayerH layer = GDALDatasetCreateLayer(dataset_, name, system, type, nullptr);
    ASSERT_NE(layer, nullptr);
    OGRFieldDefnH field = OGR_Fld_Create("number", OFTInteger);
    OGR_L_CreateField(layer, field, 1);
    OGR_Fld_Destroy(field);
    for (std::size_t i = 0; i < features.size(); ++i) {
      std::string text = features[i];
      char* rest = text.data();
      OGRGeometryH geometry = nullptr;
      ASSERT_EQ(OGR_G_CreateFromWkt(&rest, nullptr, &geometry), OGRERR_NONE) << text;
      OGRFeatureH feature = OGR_F_Create(OGR_L_GetLayerDefn(layer));
      OGR_F_SetGeometryDirectly(feature, geometry);
      OGR_F_SetFieldInteger(feature, 0, static_cast<int>(i));
      ASSERT_EQ(OGR_L_CreateFeature(layer, feature), OGRERR_NONE) << features[i];
      OGR_F_Destroy(feature);
    }
    if (system) OSRRelease(system);
  }

 private:
  GDALDatasetH dataset_ = nullptr;
};

TEST(Gdal, ProjectsAsWeDo) {
  OGRSpatialReferenceH wgs84 = OSRNewSpatialReference(nullptr), local = OSRNewSpatialReference(nullptr);
  OSRSetWellKnownGeogCS(wgs84, "WGS84");
  OSRSetAxisMappingStrategy(wgs84, OAMS_TRADITIONAL_GIS_ORDER);
  for (std::uint64_t i = 0; i < 40; ++i) {
    RandomStream random(3, i);
    const GeoFrame frame{random.uniform(-180, 180), random.uniform(-80, 80)};
    ASSERT_EQ(OSRImportFromProj4(local, to_proj_string(frame).c_str()), OGRERR_NONE) << to_proj_string(frame);
    OGRCoordinateTransformationH conversion = OCTNewCoordinateTransformation(wgs84, local);
    ASSERT_NE(conversion, nullptr);
    double x = frame.longitude + random.uniform(-5, 5), y = frame.latitude + random.uniform(-5, 5);
    const Vec2 ours = project(frame, x, y);
    ASSERT_TRUE(OCTTransform(conversion, 1, &x, &y, nullptr));
    EXPECT_NEAR(norm(ours - Vec2{x, y}), 0, 1e-7);
    OCTDestroyCoordinateTransformation(conversion);
  }
  OSRRelease(wgs84);
  OSRRelease(local);
}

TEST(Gdal, BringsCoordinatesOfAnySystemIntoOneFrame) {
  const TemporaryFolder folder;
  // A kilometre to the east on the central meridian of zone 32 N, where the zone's scale is 0.9996.
  {
    Writer writer("GPKG", folder / "a.gpkg");
    writer.add_layer("ways", wkbLineString, 32632, {"LINESTRING(500000 4840000, 501000 4840000)"});
    writer.add_layer("posts", wkbPoint, 32632, {"POINT(500000 4840000)", "POINT(500500 4840000)"});
    writer.add_layer(
        "lots", wkbPolygon, 4326,
        {"POLYGON((9 43, 9.01 43, 9.01 43.01, 9 43),(9.002 43.001, 9.003 43.001, 9.003 43.002, 9.002 43.001))"});
  }
  const Reference ways = read_reference(folder / "a.gpkg");
  ASSERT_TRUE(ways.frame);
  EXPECT_EQ(ways.lines.size(), 1u) << "where there are lines, points and polygons are not taken";
  EXPECT_NEAR(measure_reference(ways).length, 1000 / 0.9996, 1e-4);
  EXPECT_NEAR(ways.frame->longitude, 9.006, 1e-3);
  ReferenceOptions options;
  options.layer = "posts";
  options.frame = GeoFrame{9, 43.7};
  const Reference posts = read_reference(folder / "a.gpkg", options);
  EXPECT_EQ(posts.points.size(), 2u);
  EXPECT_TRUE(posts.lines.empty());
  EXPECT_EQ(posts.frame, options.frame);
  EXPECT_NEAR(posts.points.positions[0][0], 0, 1e-6);
  EXPECT_NEAR(posts.points.positions[1][0], 500 / 0.9996, 1e-6);
  options = {};
  options.layer = "lots";
  const Reference lots = read_reference(folder / "a.gpkg", options);
  EXPECT_EQ(lots.lines.size(), 2u);
  EXPECT_EQ(lots.lines.index.front(), lots.lines.index[lots.lines.start[1] - 1]) << "rings are closed";
  options.where = "number = 7";
  EXPECT_TRUE(
      mentions(message_of<FileError>([&] { read_reference(folder / "a.gpkg", options); }), "no lines or points"));
  options.where = "colour = 7";
  EXPECT_TRUE(mentions(message_of<InvalidArgument>([&] { read_reference(folder / "a.gpkg", options); }), "where: "));
  options = {};
  options.layer = "walls";
  const std::string refusal = message_of<InvalidArgument>([&] { read_reference(folder / "a.gpkg", options); });
  EXPECT_TRUE(mentions(refusal, "layer: ") && mentions(refusal, "ways, posts, lots")) << refusal;
}

TEST(Gdal, TakesPlanarCoordinatesAsTheyAre) {
  const TemporaryFolder folder;
  {
    Writer writer("ESRI Shapefile", folder / "a.shp");
    writer.add_layer("a", wkbLineString, 0, {"LINESTRING(1 2, 3 4)", "LINESTRING(3 4, 1e7 8)", "LINESTRING(0 0, 9 9)"});
  }
  ReferenceOptions options;
  options.where = "number < 2";
  const Reference lines = read_reference(folder / "a.shp", options);
  EXPECT_FALSE(lines.frame);
  EXPECT_EQ(lines.points.positions, (std::vector<Vec3>{{1, 2, 0}, {3, 4, 0}, {1e7, 8, 0}}));
  EXPECT_EQ(lines.lines.index, (std::vector<std::uint32_t>{0, 1, 1, 2}));
  options.frame = GeoFrame{};
  EXPECT_TRUE(mentions(message_of<InvalidArgument>([&] { read_reference(folder / "a.shp", options); }), "frame: "));
}

TEST(Gdal, StraightensCurves) {
  const TemporaryFolder folder;
  {
    Writer writer("GPKG", folder / "a.gpkg");
    writer.add_layer("arcs", wkbCurve, -1, {"CIRCULARSTRING(0 0, 1 1, 2 0)"});
  }
  const Reference arcs = read_reference(folder / "a.gpkg");
  EXPECT_FALSE(arcs.frame);
  EXPECT_NEAR(measure_reference(arcs).length, std::numbers::pi, 2e-3);  // chords of four degrees, GDAL's default
}

TEST(Gdal, AgreesWithOurGeoJsonReader) {
  DOVETAIL_NEEDS_DATA();
  for (const char* name : {"monaco.geojson", "west_oakland.geojson"}) {
    const auto file = data_folder() / "roads" / name;
    const Reference ours = read_reference(file);
    ReferenceOptions options;
    options.where = "highway IS NOT NULL";  // a filter can only be asked of GDAL
    const Reference theirs = read_reference(file, options);
    EXPECT_EQ(ours.frame, theirs.frame);
    EXPECT_EQ(ours.lines.index, theirs.lines.index);
    EXPECT_EQ(ours.points.positions, theirs.points.positions) << name;
  }
}

/// Where the vertices of lines are, in millimetres.
std::set<std::pair<long, long>> places(const Reference& reference) {
  std::set<std::pair<long, long>> found;
  for (const Vec3& p : reference.points.positions) found.insert({std::lround(1e3 * p[0]), std::lround(1e3 * p[1])});
  return found;
}

TEST(Gdal, ReadsOpenStreetMap) {
  DOVETAIL_NEEDS_DATA();
  const TemporaryFolder folder;
  const auto roads = data_folder() / "roads";
  const std::string unpacked = (folder / "oakland.osm").string();
  const std::string command = "bunzip2 -c '" + (roads / "West-Oakland.osm.bz2").string() + "' > '" + unpacked + "'";
  if (std::system(command.c_str()) != 0) GTEST_SKIP() << "bunzip2 was not found";
  for (const auto& [drivable, all] : {std::pair{roads / "monaco.geojson", roads / "monaco.osm.gz"},
                                      std::pair{roads / "west_oakland.geojson", std::filesystem::path(unpacked)}}) {
    const Reference known = read_reference(drivable);
    ReferenceOptions options;
    options.frame = known.frame;
    const Reference everything = read_reference(all, options);
    EXPECT_GT(everything.lines.size(), known.lines.size());
    const auto expected = places(known), found = places(everything);
    std::size_t missing = 0;
    for (const auto& place : expected) missing += found.contains(place) ? 0 : 1;
    EXPECT_EQ(missing, 0u) << all;
    options.where = "highway = 'residential'";
    EXPECT_EQ(places(read_reference(all, options)), places(read_reference(drivable, options))) << all;
  }
}

TEST(Gdal, RefusesBrokenFiles) {
  const TemporaryFolder folder;
  put_bytes(folder / "cut.osm", "<?xml version='1.0'?><osm version='0.6'><node id='1' lat='43' lon='7'/><way id='2'>");
  put_bytes(folder / "text.shp", "roads");
  put_bytes(folder / "none.gpx", "<?xml version='1.0'?><gpx version='1.1'></gpx>");
  for (const char* name : {"cut.osm", "text.shp", "none.gpx"}) {
    EXPECT_TRUE(mentions(message_of<FileError>([&] { read_reference(folder / name); }), name)) << name;
  }
  EXPECT_TRUE(mentions(message_of<FileError>([&] { read_reference("/vsigzip/nothing.osm.gz"); }), "cannot be opened"));
}

}  // namespace
}  // namespace dovetail::test
