// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <cmath>

#include "dovetail/dovetail.h"
#include "io/io_support.h"
#include "support/messages.h"
#include "support/png_writer.h"

namespace dovetail::test {
namespace {

struct Bad {
  const char* name;
  std::string bytes;
  const char* part;  ///< of the message
};

std::string point(const std::string& coordinates) { return R"({"type":"Point","coordinates":)" + coordinates + "}"; }
std::string line(const std::string& coordinates) {
  return R"({"type":"LineString","coordinates":)" + coordinates + "}";
}

const std::vector<Bad>& bad_files() {
  static const std::string png = png_bytes(grey_image(4, 4, std::vector<std::uint16_t>(16, 255)));
  static const std::vector<Bad> files = {
      {"empty.geojson", "", "the file is empty"},
      {"empty.png", "", "the file is empty"},
      {"empty.ply", "", "the file is empty"},
      {"broken.geojson", "{\"type\":\"Point\",\n\"coordinates\":[7,", "line 2: no JSON"},
      {"text.geojson", "roads of Monaco", "line 1: no JSON"},
      {"list.json", "[1, 2]", "a GeoJSON object was expected, found array"},
      {"no_type.json", "{}", "has no \"type\""},
      {"type.json", R"({"type":7})", "its \"type\" is not a text"},
      {"topology.json", R"({"type":"Topology","arcs":[]})", "'Topology' is no type of GeoJSON"},
      {"none.geojson", R"({"type":"FeatureCollection","features":[]})", "has no lines or points"},
      {"null.geojson", R"({"type":"Feature","geometry":null,"properties":{}})", "has no lines or points"},
      {"hollow.geojson", line("[]"), "has no lines or points"},
      {"no_features.geojson", R"({"type":"FeatureCollection"})", "has no \"features\""},
      {"features.geojson", R"({"type":"FeatureCollection","features":{}})", "features: a list of features"},
      {"feature.geojson", R"({"type":"FeatureCollection","features":[7]})", "features[0]: a GeoJSON object"},
      {"no_geometry.geojson", R"({"type":"Feature","properties":{}})", "has no \"geometry\""},
      {"no_coordinates.geojson", R"({"type":"Point"})", "has no \"coordinates\""},
      {"nan.geojson", point("[NaN,43]"), "no JSON"},
      {"huge.geojson", point("[7,1e999]"), "huge.geojson"},
      {"string.geojson", point(R"(["7.4",43])"), "coordinates: a number was expected as longitude, found string"},
      {"null_number.geojson", line("[[7,43],[7,null]]"),
       "coordinates[1]: a number was expected as latitude, found null"},
      {"one_number.geojson", point("[7]"), "found a list of 1"},
      {"flat.geojson", line("[7,43,8,44]"), "coordinates[0]: a position [longitude, latitude] was expected"},
      {"nested.geojson", line("[[[7,43],[8,43]]]"), "a line of 1 positions"},
      {"deep.geojson", line("[[[7,43],[8,43]],[[7,43],[8,43]]]"), "coordinates[0]: a number was expected"},
      {"shallow.geojson", R"({"type":"Polygon","coordinates":[[7,43],[8,43],[8,44],[7,43]]})",
       "coordinates[0]: a ring of 2 positions"},
      {"one_position.geojson", line("[[7,43]]"), "a line of 1 positions, at least 2 were expected"},
      {"latitude.geojson", line("[[7,43],[7,90.5]]"), "coordinates[1]: latitude 90.5 is not within -90 and 90"},
      {"longitude.geojson", point("[361,43]"), "longitude 361 is not within"},
      {"metres.geojson", point("[371234.5,4843210]"), "latitude 4843210"},
      {"continent.geojson", line("[[-10,40],[30,60]]"), "a region of 10 degrees around it, not a continent"},
      {"cut.png", png.substr(0, png.size() / 2), "truncated"},
      {"black.png", png_bytes(grey_image(4, 4, std::vector<std::uint16_t>(16, 0))), "as bright as the threshold 128"},
      {"magic.png", "GIF89a and so on", "not a PNG file"},
      {"cut_in_magic.png", png.substr(0, 5), "not a PNG file"},
      {"unknown.dat", std::string("\x01\x02\x03\x04\xff\xfe", 6), "GeoJSON"},
      {"points.xyz", "1 2 x\n", "points.xyz: line 1"},
  };
  return files;
}

TEST(BadReference, IsRefusedWithFilePlaceAndReason) {
  const TemporaryFolder folder;
  for (const Bad& bad : bad_files()) {
    SCOPED_TRACE(bad.name);
    put_bytes(folder / bad.name, bad.bytes);
    const std::string refusal = message_of<FileError>([&] { read_reference(folder / bad.name); });
    EXPECT_TRUE(mentions(refusal, bad.name)) << refusal;
    EXPECT_TRUE(mentions(refusal, bad.part)) << refusal;
  }
}

TEST(BadReference, IsRefusedWhereThereIsNone) {
  const TemporaryFolder folder;
  for (const char* name : {"none.geojson", "none.png", "none.osm", "none.shp", "none.osm.gz", "none"}) {
    const std::string refusal = message_of<FileError>([&] { read_reference(folder / name); });
    EXPECT_TRUE(mentions(refusal, name) && mentions(refusal, "No such file")) << refusal;
  }
}

TEST(BadReference, OptionsMustMeanSomething) {
  const TemporaryFolder folder;
  put_bytes(folder / "a.png", png_bytes(grey_image(1, 1, {255})));
  put_bytes(folder / "a.xyz", "1 2 3\n");
  put_bytes(folder / "a.geojson", point("[7,43]"));
  const auto refusal = [&](const char* name, const ReferenceOptions& options) {
    return message_of<InvalidArgument>([&] { read_reference(folder / name, options); });
  };
  ReferenceOptions options;
  options.threshold = 256;
  EXPECT_TRUE(mentions(refusal("a.png", options), "threshold: 256"));
  options.threshold = -1;
  EXPECT_TRUE(mentions(refusal("a.png", options), "threshold: -1"));
  options = {};
  options.frame = GeoFrame{7, 91};
  EXPECT_TRUE(mentions(refusal("a.geojson", options), "frame: longitude 7, latitude 91"));
  options.frame = GeoFrame{7, 43};
  EXPECT_TRUE(mentions(refusal("a.png", options), "no longitudes and latitudes"));
  EXPECT_TRUE(mentions(refusal("a.xyz", options), "no longitudes and latitudes"));
  options = {};
  options.layer = "lines";
  EXPECT_TRUE(mentions(refusal("a.png", options), "layer: "));
  options = {};
  options.where = "highway = 'primary'";
  EXPECT_TRUE(mentions(refusal("a.xyz", options), "where: "));
}

TEST(Reference, TypeIsToldByContentFirst) {
  const TemporaryFolder folder;
  put_bytes(folder / "a.txt", "\xef\xbb\xbf" + line("[[7,43],[7.1,43]]"));
  EXPECT_EQ(read_reference(folder / "a.txt").lines.size(), 1u);
  put_bytes(folder / "b.json", png_bytes(grey_image(2, 1, {255, 255})));
  EXPECT_EQ(read_reference(folder / "b.json").points.size(), 2u);
  put_bytes(folder / "c.csv", "x,y\n7,43\n8,43\n9,43\n");
  const Reference planar = read_reference(folder / "c.csv");
  EXPECT_EQ(planar.points.size(), 3u);
  EXPECT_FALSE(planar.frame);
  put_bytes(folder / "d", written("d.stl", [] {
              PointCloud cloud;
              cloud.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
              cloud.faces.add({0, 1, 2});
              return cloud;
            }()));
  EXPECT_EQ(read_reference(folder / "d").points.faces.size(), 1u);
}

TEST(Reference, TablesOfLongitudesAreProjected) {
  const TemporaryFolder folder;
  const GeoFrame frame{7.42, 43.73};
  put_bytes(folder / "a.csv", "lat,height,lon,name\n43.73,12,7.43,harbour\n43.74,,7.42,\"rock, old\"\n,5,,nowhere\n");
  const Reference read = read_reference(folder / "a.csv", ReferenceOptions{frame, 128, false, "", "", false});
  ASSERT_EQ(read.points.size(), 3u);
  EXPECT_EQ(read.frame, frame);
  EXPECT_EQ(read.points.dimension, 2);
  const Vec2 first = project(frame, 7.43, 43.73);
  EXPECT_EQ(read.points.positions[0], (Vec3{first[0], first[1], 0}));
  EXPECT_TRUE(std::isnan(read.points.positions[2][0]));
  ASSERT_EQ(read.points.attributes.size(), 1u);
  EXPECT_EQ(read.points.attributes[0].name, "height");
  EXPECT_EQ(std::get<std::vector<double>>(read.points.attributes[0].values)[0], 12);
  EXPECT_TRUE(read_reference(folder / "a.csv").frame);
  for (const auto& [text, part] : {std::pair{"lon,lat\n7,90.5\n", "point 0: latitude 90.5"},
                                   {"lon,lat\n361,3\n", "point 0: longitude 361"},
                                   {"lon,lat\n,3\n", "no point has a longitude and a latitude"},
                                   {"lon,lat\n-10,40\n30,60\n", "not a continent"}}) {
    put_bytes(folder / "b.csv", text);
    const std::string refusal = message_of<FileError>([&] { read_reference(folder / "b.csv"); });
    EXPECT_TRUE(mentions(refusal, "b.csv") && mentions(refusal, part)) << refusal;
  }
}

TEST(Reference, BuildTellsWhetherGdalIsIn) {
  const bool built = build_info().gdal != "not built";
  EXPECT_EQ(mentions(supported_references(), "OpenStreetMap"), built);
  if (built) return;
  const TemporaryFolder folder;
  put_bytes(folder / "a.osm", "<osm/>");
  const std::string refusal = message_of<FileError>([&] { read_reference(folder / "a.osm"); });
  EXPECT_TRUE(mentions(refusal, "through GDAL, and this build has none") && mentions(refusal, "GeoJSON")) << refusal;
}

}  // namespace
}  // namespace dovetail::test
