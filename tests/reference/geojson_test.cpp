// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/reference_formats.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "dovetail/error.h"
#include "support/messages.h"

namespace dovetail::test {
namespace {

Reference read(const std::string& text, const ReferenceOptions& options = {}) {
  return io::read_geojson("a.json", text, options);
}

/// A geometry around Monaco.
std::string geometry(const std::string& type, const std::string& coordinates) {
  return R"({"type":")" + type + R"(","coordinates":)" + coordinates + "}";
}

std::vector<std::uint32_t> line(const Reference& reference, std::size_t i) {
  const Faces& lines = reference.lines;
  return {lines.index.begin() + lines.start[i], lines.index.begin() + lines.start[i + 1]};
}

using Indices = std::vector<std::uint32_t>;

TEST(GeoJson, ReadsEveryGeometry) {
  const Reference one = read(geometry("LineString", "[[7.4,43.7],[7.41,43.7],[7.41,43.71]]"));
  EXPECT_EQ(one.points.size(), 3u);
  EXPECT_EQ(one.points.dimension, 2);
  ASSERT_EQ(one.lines.size(), 1u);
  EXPECT_EQ(line(one, 0), (Indices{0, 1, 2}));
  const Reference two = read(geometry("MultiLineString", "[[[7.4,43.7],[7.41,43.7]],[[7.41,43.7],[7.4,43.71,120.5]]]"));
  EXPECT_EQ(two.points.size(), 3u) << "lines that meet share a vertex";
  ASSERT_EQ(two.lines.size(), 2u);
  EXPECT_EQ(line(two, 1), (Indices{1, 2}));
  const std::string ring = "[[7.4,43.7],[7.41,43.7],[7.41,43.71],[7.4,43.7]]";
  const Reference polygon = read(geometry("Polygon", "[" + ring + "]"));
  ASSERT_EQ(polygon.lines.size(), 1u);
  EXPECT_EQ(line(polygon, 0), (Indices{0, 1, 2, 0}));
  const Reference open = read(geometry("MultiPolygon", "[[[[7.4,43.7],[7.41,43.7],[7.41,43.71]]],[" + ring + "]]"));
  ASSERT_EQ(open.lines.size(), 2u);
  EXPECT_EQ(line(open, 0), line(open, 1)) << "an open ring is closed";
  const Reference points = read(geometry("MultiPoint", "[[7.4,43.7],[7.41,43.7]]"));
  EXPECT_EQ(points.points.size(), 2u);
  EXPECT_TRUE(points.lines.empty());
  EXPECT_EQ(read(geometry("Point", "[7.4,43.7]")).points.size(), 1u);
}

TEST(GeoJson, ReadsFeaturesAndCollections) {
  const std::string a = geometry("LineString", "[[7.4,43.7],[7.41,43.7]]"), b = geometry("Point", "[7.5,43.7]");
  const auto feature = [](const std::string& g) {
    return R"({"geometry":)" + g + R"(,"properties":null,"type":"Feature"})";
  };
  const std::string collection = R"({"type":"GeometryCollection","geometries":[)" + a + "," + b + "]}";
  for (const std::string& text :
       {collection, feature(collection),
        R"({"type":"FeatureCollection","features":[)" + feature(a) + "," + feature("null") + "," + feature(b) + "]}",
        R"({"features":[)" + feature(collection) + "," + feature(geometry("LineString", "[]")) +
            R"(],"type":"FeatureCollection"})"}) {
    const Reference reference = read(text);
    EXPECT_EQ(reference.points.size(), 3u) << text;
    EXPECT_EQ(reference.lines.size(), 1u) << text;
    EXPECT_TRUE(io::is_geojson(text)) << text;
  }
}

TEST(GeoJson, ProjectsAboutItsMiddleOrWhereAsked) {
  const std::string text = geometry("LineString", "[[7.4,43.7],[7.42,43.72]]");
  const Reference middle = read(text);
  ASSERT_TRUE(middle.frame);
  EXPECT_NEAR(middle.frame->longitude, 7.41, 1e-4);
  EXPECT_NEAR(middle.frame->latitude, 43.71, 1e-4);
  // By the length of a degree there: 111.1 km to the north, 80.5 km to the east.
  EXPECT_NEAR(middle.points.positions[1][0] - middle.points.positions[0][0], 1611, 2);
  EXPECT_NEAR(middle.points.positions[1][1] - middle.points.positions[0][1], 2222, 2);
  ReferenceOptions options;
  options.frame = GeoFrame{7.4, 43.7};
  const Reference asked = read(text, options);
  EXPECT_EQ(asked.frame, options.frame);
  EXPECT_EQ(norm(asked.points.positions[0]), 0);
}

TEST(GeoJson, GoesOnOverTheAntimeridianAndThePole) {
  for (const char* coordinates :
       {"[[179.9,-17],[-179.9,-17]]", "[[179.9,-17],[180.1,-17]]", "[[-180.1,-17],[-179.9,-17]]"}) {
    const Reference fiji = read(geometry("LineString", coordinates));
    EXPECT_NEAR(std::fabs(fiji.frame->longitude), 180, 1e-4) << coordinates;
    EXPECT_NEAR(measure_reference(fiji).length, 21291, 20) << coordinates;  // 0.2 degrees of the parallel
  }
  const Reference pole = read(geometry("LineString", "[[0,89.5],[90,89.5],[180,89.5],[-90,89.5],[0,89.5]]"));
  const double side = std::sqrt(2.0) * 55847;  // half a degree of latitude is 55.8 km at the pole
  EXPECT_NEAR(measure_reference(pole).length, 4 * side, 30);
}

TEST(GeoJson, AcceptsTheOldMemberForWgs84Only) {
  const auto with = [](const std::string& crs) {
    return R"({"type":"Point","coordinates":[7.4,43.7],"crs":)" + crs + "}";
  };
  const auto named = [&](const std::string& name) {
    return with(R"({"type":"name","properties":{"name":")" + name + R"("}})");
  };
  for (const char* name : {"urn:ogc:def:crs:OGC:1.3:CRS84", "EPSG:4326", "urn:ogc:def:crs:EPSG::4326"}) {
    EXPECT_EQ(read(named(name)).points.size(), 1u) << name;
  }
  EXPECT_EQ(read(with("null")).points.size(), 1u);
  for (const std::string& text : {named("EPSG:3857"), named("urn:ogc:def:crs:EPSG::25832"), with("7"), with("[]"),
                                  with(R"({"type":"link","properties":{"href":"x"}})")}) {
    const std::string refusal = message_of<FileError>([&] { read(text); });
    EXPECT_TRUE(mentions(refusal, "crs") && mentions(refusal, "WGS 84")) << refusal;
  }
}

TEST(GeoJson, IsNotBroughtDownByDepth) {
  const std::size_t depth = 1'000'000;
  const std::string open(depth, '['), close(depth, ']');
  EXPECT_TRUE(mentions(message_of<FileError>([&] { read(geometry("LineString", open + close)); }), "coordinates"));
  EXPECT_TRUE(mentions(message_of<FileError>([&] { read(open); }), "no JSON"));
  const auto repeated = [](const std::string& text) {
    std::string all;
    for (int i = 0; i < 20000; ++i) all += text;
    return all;
  };
  const std::string point = geometry("Point", "[7.4,43.7]");
  const std::string nested = repeated(R"({"type":"GeometryCollection","geometries":[)") + point + repeated("]}");
  EXPECT_TRUE(mentions(message_of<FileError>([&] { read(nested); }), "deep"));
  const std::string features = repeated(R"({"type":"Feature","geometry":)") + point + repeated("}");
  EXPECT_TRUE(mentions(message_of<FileError>([&] { read(features); }), "features within features"));
}

}  // namespace
}  // namespace dovetail::test
