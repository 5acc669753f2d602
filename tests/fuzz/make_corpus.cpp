// SPDX-License-Identifier: MIT
// Part of Dovetail.

// Writes the seeds that fuzzing starts from:  make_corpus tests/fuzz/corpus

#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <vector>

#include "backend/reference/distance_field.h"
#include "dovetail/error.h"
#include "dovetail/io.h"
#include "dovetail/symmetry.h"
#include "io/depth_png.h"
#include "io/endian.h"
#include "io/field_file.h"
#include "io/file.h"
#include "pose/pose_database_layout.h"
#include "support/png_writer.h"

namespace {

using namespace dovetail;

PointCloud bare(Precision precision, int dimension) {
  PointCloud cloud;
  cloud.precision = precision;
  cloud.dimension = dimension;
  for (int i = 0; i < 6; ++i) cloud.positions.push_back(Vec3{0.5 * i, 1.0 / (i + 1), dimension == 2 ? 0.0 : -2.0 * i});
  return cloud;
}

PointCloud rich(Precision precision) {
  PointCloud cloud = bare(precision, 3);
  cloud.positions[2] = Vec3{std::nan(""), std::nan(""), std::nan("")};
  cloud.width = 2;
  cloud.height = 3;
  cloud.normals.assign(6, Vec3f{0, 0, 1});
  cloud.colors.assign(6, {10, 200, 30, 128});
  cloud.has_alpha = true;
  cloud.faces.add({0, 1, 2});
  cloud.faces.add({3, 4, 5, 0});
  cloud.attributes = {{"intensity", 1, std::vector<float>(6, 0.25f)},
                      {"ring", 1, std::vector<std::uint16_t>(6, 7)},
                      {"flow", 2, std::vector<double>(12, -1.5)}};
  return cloud;
}

PointCloud mesh() {
  PointCloud cloud = bare(Precision::float32, 3);
  cloud.faces.add({0, 1, 2});
  cloud.faces.add({2, 3, 4, 5});
  return cloud;
}

void put(const std::filesystem::path& file, const std::string& bytes) {
  std::ofstream out(file, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!out.flush()) throw FileError(file.string() + ": cannot be written");
}

void write_geojson(const std::filesystem::path& folder) {
  const std::string line = R"({"type":"LineString","coordinates":[[7.4,43.7],[7.41,43.7,20],[-7.4e0,4.37E1]]})";
  const std::string ring = "[[7.4,43.7],[7.41,43.7],[7.41,43.71],[7.4,43.7]]";
  put(folder / "line.geojson", line);
  put(folder / "lines.geojson", R"({"type":"MultiLineString","coordinates":[[[179.9,-17],[-179.9,-17]]]})");
  put(folder / "polygon.geojson", R"({"type":"Polygon","coordinates":[)" + ring + "]}");
  put(folder / "polygons.geojson", R"({"coordinates":[[)" + ring + R"(]],"type":"MultiPolygon"})");
  put(folder / "points.geojson", R"({"type":"MultiPoint","coordinates":[[0,90],[180,89]]})");
  put(folder / "features.geojson",
      R"({"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}},)"
      R"("features":[{"type":"Feature","properties":{"a":[true,null,"\u00e9"]},"geometry":null},)"
      R"({"type":"Feature","geometry":{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[7,43]},)" +
          line + "]}}]}");
}

/// The newer formats as we write them, and the older ones, whose records only begin with what format 0 has.
void write_las(const std::filesystem::path& folder) {
  PointCloud cloud = bare(Precision::float64, 3);
  write_points(folder / "format_6.las", cloud);
  cloud.colors.assign(6, {10, 200, 30, 255});
  cloud.attributes = {{"intensity", 1, std::vector<std::uint16_t>(6, 513)},
                      {"return_number", 1, std::vector<std::uint8_t>(6, 1)},
                      {"gps_time", 1, std::vector<double>(6, 1234.5)}};
  write_points(folder / "format_7.las", cloud);
  cloud.attributes.push_back({"nir", 1, std::vector<std::uint16_t>(6, 77)});
  write_points(folder / "format_8.las", cloud);
  const std::size_t sizes[] = {20, 28, 26, 34, 57, 63};
  for (std::size_t format = 0; format < 6; ++format) {
    constexpr std::size_t header = 227, points = 3;
    const std::size_t record = sizes[format] + (format == 3 ? 5 : 0);  // five bytes of the writer's own
    std::string bytes(header + record * points, '\1');
    bytes.replace(0, 4, "LASF");
    const auto put_number = [&](std::size_t at, auto value) { io::store(&bytes[at], value); };
    put_number(24, std::uint8_t{1});
    put_number(25, std::uint8_t{2});
    put_number(94, static_cast<std::uint16_t>(header));
    put_number(96, static_cast<std::uint32_t>(header));
    put_number(104, static_cast<std::uint8_t>(format));
    put_number(105, static_cast<std::uint16_t>(record));
    put_number(107, static_cast<std::uint32_t>(points));
    for (std::size_t axis = 0; axis < 3; ++axis) {
      put_number(131 + 8 * axis, 0.01);
      put_number(155 + 8 * axis, 100.0);
    }
    put(folder / ("format_" + std::to_string(format) + ".las"), bytes);
  }
}

void write_obj(const std::filesystem::path& folder) {
  write_points(folder / "rich.obj", rich(Precision::float32));
  write_points(folder / "bare.obj", bare(Precision::float64, 3));
  put(folder / "corners.obj",
      "mtllib a.mtl\no part\nv 0 0 0 1\nv 1 0 0 1\nv 0 1 0 1 # weights\nvt 0.5 0.5\nvn 0 0 1\n"
      "usemtl red\nf 1/1/1 2/1/1 3/1/1\nf -3//-1 -2//-1 -1//-1\nf 1/1 2 3\nl 1 2\n");
  put(folder / "joined.obj", "v 0 0 \\\n 0 1 0 \\\r\n0.5\r\nv 1e3 +2 nan .5 0 1 1\n");
}

void write_off(const std::filesystem::path& folder) {
  write_points(folder / "rich.off", rich(Precision::float32));
  write_points(folder / "mesh.off", mesh());
  put(folder / "texture.off", "STCNOFF\n2 1 0\n1 2 3 0 0 1 0.5 0 1 0.25 0.5\n4 5 6 1 0 0 0 1 1 0 0.5\n2 0 1 9 9 9\n");
  put(folder / "alpha.off", "COFF 1 0\n0 0 0 1 2 3 4\n");
  put(folder / "no_keyword.off", "# comment\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
}

void write_xyz(const std::filesystem::path& folder) {
  write_points(folder / "rich.xyz", rich(Precision::float32));
  write_points(folder / "rich.csv", rich(Precision::float64));
  put(folder / "bare.xyz", "1 2 3\r\n4\t5\t6\n\n// a comment\n-7 +8.5 1e-3");
  put(folder / "guessed.xyz", "0 0 0 7.5 1 2 3 0 1 0\n0 0 1 8.5 4 5 6 1 0 0\n");
  put(folder / "counted.pts", "2\n1 2 3\n4 5 6\n");
  put(folder / "degrees.csv", "\"lat\",\"who\",\"lng\",height\n\"43.7\",\"a, b; c\",\"7.5\",\n43.8,,7.6,12\n");
  put(folder / "semicolons.csv", "northing;easting;id\n43.7;7.5;1700000000123\n43.8;7.6;2;\n");
  put(folder / "comment.txt", "# id x y z r g b\n7 1 2 3 0 128 255\n");
  put(folder / "planar.csv", "1,2\n,4\n");
}

void write_png(const std::filesystem::path& folder) {
  for (const int color : {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_PALETTE, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_GRAY_ALPHA,
                          PNG_COLOR_TYPE_RGB_ALPHA}) {
    for (const int depth : {1, 8, 16}) {
      if ((depth == 1 && color != PNG_COLOR_TYPE_GRAY) || (depth == 16 && color == PNG_COLOR_TYPE_PALETTE)) continue;
      test::PngImage image;
      image.width = 9;
      image.height = 7;
      image.color = color;
      image.depth = depth;
      image.interlaced = color == PNG_COLOR_TYPE_RGB;
      for (std::size_t i = 0; i < 63 * image.channels(); ++i) {
        image.samples.push_back(static_cast<std::uint16_t>(color == PNG_COLOR_TYPE_PALETTE ? i % 3 : 1031 * i));
      }
      if (color == PNG_COLOR_TYPE_PALETTE) {
        image.palette = {{0, 0, 0}, {255, 255, 255}, {200, 20, 20}};
        image.palette_alpha = {255, 128, 0};
      }
      put(folder / ("color" + std::to_string(color) + "_" + std::to_string(depth) + ".png"), test::png_bytes(image));
    }
  }
}

/// Files of the BOP benchmark; of the JSON ones the first letter says which reader is meant (bop_json_fuzz.cpp).
void write_bop(const std::filesystem::path& folder) {
  const std::string header = "scene_id,im_id,obj_id,score,R,t,time\n", row = "1,2,3,0.5,1 0 0 0 1 0 0 0 1,1 2 3,0.1\n";
  put(folder / "bop_results" / "rows.csv", header + row + "1,2,3,-1e-3,0 -1 0 1 0 0 0 0 1,4.5 -6 7e2,0.1004\r\n");
  put(folder / "bop_results" / "no_header.csv", row + "\n48,0,3,1,1 0 0 0 1 0 0 0 1,1 2 3,-1");
  put(folder / "bop_json" / "objects.json",
      R"(o{"1":{"diameter":12.5,"symmetries_discrete":[[-1,0,0,4,0,-1,0,2,0,0,1,0,0,0,0,1]]},)"
      R"("2":{"diameter":1,"symmetries_continuous":[{"axis":[0,3,4],"offset":[1,2,3]}]}})");
  put(folder / "bop_json" / "cameras.json",
      R"(c{"3":{"cam_K":[500,0,320,0,510,240,0,0,1],"depth_scale":0.1},"4":{"cam_K":[5,1,3,0,5,2,0,0,1]}})");
  put(folder / "bop_json" / "truths.json",
      R"(g{"3":[{"obj_id":4,"cam_R_m2c":[0,-1,0,1,0,0,0,0,1],"cam_t_m2c":[1,2,3]}],"10":[]})");
  put(folder / "bop_json" / "visibility.json", R"(v{"0":[{"visib_fract":0.25},{"visib_fract":1}],"1":[]})");
  put(folder / "bop_json" / "targets.json", R"(t[{"scene_id":2,"im_id":9,"obj_id":5,"inst_count":3}])");
  put(folder / "bop_json" / "images.json", R"(i[{"scene_id":2,"im_id":9},{"scene_id":2,"im_id":9}])");
  put(folder / "bop_json" / "size.json", R"(s{"width":640,"height":480,"fx":500})");
  io::write_depth_png(folder / "depth_png" / "depth.png",
                      {5, 3, {0, 1, 255, 256, 65535, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}});
}

/// A level with sites along an L, enough to hold a transform; in 3D its second leg lies deeper.
FieldLevel make_level(int dimension, std::uint32_t band, std::uint32_t cell) {
  FieldLevel level;
  FieldGrid& grid = level.grid;
  grid.dimension = dimension;
  grid.cell = static_cast<float>(cell), grid.per_unit = 1 / grid.cell;
  const std::uint32_t finest[3] = {8, 6, dimension == 2 ? 1u : 4u};
  for (int a = 0; a < 3; ++a) grid.cells[a] = (finest[a] + cell - 1) / cell;
  level.band = band;
  std::vector<std::uint64_t> keys;
  for (std::uint32_t x = 0; x < grid.cells[0]; ++x) keys.push_back(cell_key(x, 0, 0));
  for (std::uint32_t y = 1; y < grid.cells[1]; ++y) keys.push_back(cell_key(0, y, grid.cells[2] - 1));
  if (band > 0) level.tiles = make_tiles(grid, keys, band);
  build_field_reference(level, keys);
  const auto centre = [&](std::uint32_t at) { return (static_cast<float>(at) + 0.5f) * grid.cell; };
  for (const std::uint64_t key : keys) {
    const bool second = key_y(key) > 0;
    level.sites.push_back({centre(key_x(key)), centre(key_y(key)), centre(key_z(key)),
                           pack_normal(dimension, second ? 1.0f : 0.0f, second ? 0.0f : 1.0f, 0)});
  }
  level.sites.front().normal = 0;
  return level;
}

/// A field file behind two bytes that say where its header ends (field_fuzz.cpp).
void write_field(const std::filesystem::path& path, io::FieldFile field) {
  field.crs = "EPSG:25832";
  field.reference_points = 10;
  io::save_field_file(path, field);
  const std::string bytes(io::FileBytes(path).view());
  std::size_t arrays = sizeof(LineSegment) * field.lines.segments.size();
  for (const FieldLevel& level : field.levels) {
    arrays += 4 * level.tiles.slot.size() + sizeof(Site) * level.sites.size() + 4 * level.nearest.size();
  }
  const auto header = static_cast<std::uint16_t>(bytes.size() - arrays - 8);
  put(path, std::string{static_cast<char>(header & 0xff), static_cast<char>(header >> 8)} + bytes);
}

void write_fields(const std::filesystem::path& folder) {
  for (const int dimension : {2, 3}) {
    const std::string name = dimension == 2 ? "2d.field" : "3d.field";
    io::FieldFile field;
    field.levels = {make_level(dimension, 0, 1)};
    write_field(folder / ("dense_" + name), field);
    field.levels = {make_level(dimension, 0, 4), make_level(dimension, 2, 1)};
    write_field(folder / ("banded_" + name), field);
  }
  io::FieldFile lines;
  lines.levels = {make_level(2, 0, 1)};
  lines.lines.segments = {{0.5f, 0.5f, 1, 0, 7, 0}, {0.5f, 0.5f, 0, 1, 5, 1}};
  lines.lines.stretches = 2;
  write_field(folder / "lines_2d.field", lines);
}

/// A database behind a byte that says that its checksums are to be mended (posedb_fuzz.cpp).
void write_databases(const std::filesystem::path& folder) {
  const std::vector<Vec3f> vertices = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}, {0, 0, 1}};
  const std::vector<std::array<std::uint32_t, 3>> triangles = {{0, 1, 2}, {0, 1, 3}};
  for (const std::size_t parts : {1u, 2u}) {
    constexpr std::size_t references = 3, side = 8;
    std::vector<PoseReference> reference(references);
    std::vector<ReferencePixel> pixels(references * side * side);
    for (std::size_t i = 0; i < references; ++i) {
      reference[i].orientation[i] = 1;
      reference[i].share = 0.25f;
      reference[i].pixels = 4, reference[i].width = 2, reference[i].height = 2;
      for (std::size_t k = 0; k < 4; ++k) pixels[i * side * side + k] = {static_cast<std::uint16_t>(k + 1), 3, 200};
    }
    std::vector<PoseReferences> all(parts);
    for (std::size_t i = 0; i < parts; ++i) {
      PoseReferences& part = all[i];
      part.name = i == 0 ? "part" : "other";
      part.symmetry = find_symmetry(mesh());
      part.radius = 1.5, part.pixel = 0.5, part.image_size = side;
      part.distance_step = 0.125, part.distance_limit = 1, part.edge_step = 0.2;
      part.references = reference, part.pixels = pixels, part.vertices = vertices, part.triangles = triangles;
    }
    put(folder / (std::to_string(parts) + ".posedb"), "m" + pose::write_database(all));
  }
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) {
    std::fprintf(stderr, "usage: make_corpus FOLDER\n");
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  for (const char* format : {"ply", "pcd", "npy", "stl", "las", "obj", "off", "xyz", "geojson", "png", "field",
                             "bop_results", "bop_json", "depth_png", "posedb"}) {
    std::filesystem::create_directories(folder / format);
  }
  struct Named {
    const char* name;
    Encoding encoding;
  };
  for (const Named& e : {Named{"ascii", Encoding::ascii}, Named{"little", Encoding::binary},
                         Named{"big", Encoding::binary_big_endian}}) {
    write_points(folder / "ply" / (std::string("rich_") + e.name + ".ply"), rich(Precision::float32),
                 {.encoding = e.encoding});
    write_points(folder / "ply" / (std::string("bare_") + e.name + ".ply"), bare(Precision::float64, 2),
                 {.encoding = e.encoding});
  }
  for (const Named& e : {Named{"ascii", Encoding::ascii}, Named{"binary", Encoding::binary},
                         Named{"compressed", Encoding::binary_compressed}}) {
    write_points(folder / "pcd" / (std::string("rich_") + e.name + ".pcd"), rich(Precision::float64),
                 {.encoding = e.encoding});
    write_points(folder / "pcd" / (std::string("bare_") + e.name + ".pcd"), bare(Precision::float32, 3),
                 {.encoding = e.encoding});
  }
  PointCloud normals = bare(Precision::float32, 3);
  normals.normals.assign(6, Vec3f{0, 1, 0});
  PointCloud image = bare(Precision::float64, 3);
  image.width = 3;
  image.height = 2;
  write_points(folder / "npy" / "planar.npy", bare(Precision::float32, 2));
  write_points(folder / "npy" / "single.npy", bare(Precision::float32, 3));
  write_points(folder / "npy" / "double.npy", bare(Precision::float64, 3));
  write_points(folder / "npy" / "normals.npy", normals);
  write_points(folder / "npy" / "image.npy", image);
  PointCloud one = mesh();
  one.faces = Faces{};
  one.faces.add({0, 1, 2});
  write_points(folder / "stl" / "mesh_binary.stl", mesh(), {.encoding = Encoding::binary});
  write_points(folder / "stl" / "mesh_ascii.stl", mesh(), {.encoding = Encoding::ascii});
  write_points(folder / "stl" / "one_binary.stl", one, {.encoding = Encoding::binary});
  write_points(folder / "stl" / "one_ascii.stl", one, {.encoding = Encoding::ascii});
  PointCloud broad = mesh();
  broad.precision = Precision::float64;
  broad.faces.add({5, 4, 3, 2, 1, 0});
  write_points(folder / "stl" / "polygon_ascii.stl", broad, {.encoding = Encoding::ascii});
  write_las(folder / "las");
  write_obj(folder / "obj");
  write_off(folder / "off");
  write_xyz(folder / "xyz");
  write_geojson(folder / "geojson");
  write_png(folder / "png");
  write_fields(folder / "field");
  write_bop(folder);
  write_databases(folder / "posedb");
  return 0;
} catch (const dovetail::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 3;
}
