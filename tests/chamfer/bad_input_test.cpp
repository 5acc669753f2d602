// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <filesystem>
#include <fstream>
#include <limits>

#include "chamfer/property_cases.h"
#include "support/messages.h"

namespace dovetail {
namespace {

using namespace test;

PointCloud planar(std::initializer_list<Vec3> points) {
  PointCloud cloud;
  cloud.dimension = 2;
  cloud.positions = points;
  return cloud;
}

PointCloud some_observed() { return made_up_detections(ChamferModel::rigid, 200, 3).observed; }

TEST(ChamferBadInput, AnEmptyReferenceIsRefused) {
  EXPECT_TRUE(mentions(message_of<InvalidArgument>([] { register_points(some_observed(), planar({}), Chamfer{}); }),
                       "no points"));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(mentions(message_of<InvalidArgument>([&] {
                         register_points(some_observed(), planar({{nan, 0, 0}, {0, nan, 0}}), Chamfer{});
                       }),
                       "none of its points"));
}

TEST(ChamferBadInput, LinesThatNameNoVertexAreRefused) {
  Reference roads;
  roads.points = planar({{0, 0, 0}, {10, 0, 0}});
  roads.lines.add({0, 99});
  EXPECT_TRUE(mentions(message_of<InvalidArgument>([&] { build_field(roads); }), "name vertex 99"));
  EXPECT_TRUE(mentions(message_of<InvalidArgument>([&] { register_points(some_observed(), roads, Chamfer{}); }),
                       "name vertex 99"));
}

TEST(ChamferBadInput, OneReferencePointIsDegenerate) {
  for (const PointCloud& reference : {planar({{3, 4, 0}}), planar({{3, 4, 0}, {3, 4, 0}})}) {
    const Registration r = register_points(some_observed(), reference, Chamfer{});
    EXPECT_EQ(r.termination, Termination::degenerate);
    EXPECT_FALSE(r.usable());
    EXPECT_TRUE(mentions(r.message, "single point")) << r.message;
  }
}

TEST(ChamferBadInput, ObservedPointsAllOutsideHaveNoCorrespondences) {
  PointCloud far = some_observed();
  for (Vec3& p : far.positions) p += Vec3{1e7, 0, 0};
  const Registration r = register_points(far, made_up_roads(4), Chamfer{});
  EXPECT_EQ(r.termination, Termination::no_correspondences);
  EXPECT_FALSE(r.usable());
  EXPECT_TRUE(mentions(r.message, "near the reference")) << r.message;
  for (int i = 0; i < 16; ++i) EXPECT_TRUE(std::isfinite(r.target_from_source.matrix[i]));
}

TEST(ChamferBadInput, AStartThatCannotBeInvertedIsRefused) {
  dovetail::Run run;
  run.start = Transform(Model::affine2, Mat4{1, 2, 0, 0, 2, 4, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
  EXPECT_TRUE(mentions(message_of<InvalidArgument>([&] {
                         register_points(some_observed(), made_up_roads(4), of_model(ChamferModel::affine), run);
                       }),
                       "inverse"));
}

TEST(ChamferBadInput, AStartOfAWiderModelOrAnotherDimensionIsRefused) {
  dovetail::Run run;
  run.start = Transform(Affine2{{1, 0.1, 0, 1}, {0, 0}});
  EXPECT_TRUE(
      mentions(message_of<InvalidArgument>([&] { register_points(some_observed(), made_up_roads(4), Chamfer{}, run); }),
               "affine2"));
  run.start = Transform::identity(Model::rigid3);
  EXPECT_TRUE(
      mentions(message_of<InvalidArgument>([&] { register_points(some_observed(), made_up_roads(4), Chamfer{}, run); }),
               "rigid3"));
}

TEST(ChamferBadInput, TooFewOrCoincidingPointsAreDegenerate) {
  const Registration few = register_points(planar({{0, 0, 0}, {50, 0, 0}, {0, 50, 0}}), made_up_roads(4),
                                           of_model(ChamferModel::projective));
  EXPECT_EQ(few.termination, Termination::degenerate);
  EXPECT_TRUE(mentions(few.message, "needs 4")) << few.message;
  const Registration same =
      register_points(planar({{1, 1, 0}, {1, 1, 0}, {1, 1, 0}, {1, 1, 0}}), made_up_roads(4), Chamfer{});
  EXPECT_EQ(same.termination, Termination::degenerate);
  EXPECT_TRUE(mentions(same.message, "coincide")) << same.message;
}

TEST(ChamferBadInput, DimensionsMustAgree) {
  EXPECT_TRUE(mentions(
      message_of<InvalidArgument>([] { register_points(reference_points<3>(100, 1), made_up_roads(4), Chamfer{}); }),
      "dimensions"));
  EXPECT_TRUE(mentions(message_of<InvalidArgument>([] {
                         register_points(reference_points<3>(100, 1), reference_points<3>(100, 2),
                                         of_model(ChamferModel::projective));
                       }),
                       "projective"));
}

TEST(ChamferBadInput, OptionsOutOfRangeAreNamed) {
  Chamfer options;
  options.search_rotation = 200;
  EXPECT_TRUE(
      mentions(message_of<InvalidArgument>([&] { register_points(some_observed(), made_up_roads(4), options); }),
               "search_rotation"));
  Chamfer fine;
  fine.field.cell = 0.05;
  fine.field.memory_mb = 1;
  EXPECT_TRUE(
      mentions(message_of<InvalidArgument>([&] { register_points(some_observed(), made_up_roads(4), fine); }), "cell"));
  fine.field = {};
  fine.field.cell = 0.5;
  fine.field.memory_mb = 8;
  fine.field.storage = FieldStorage::dense;
  EXPECT_TRUE(mentions(message_of<InvalidArgument>([&] { register_points(some_observed(), made_up_roads(4), fine); }),
                       "memory_mb"));
}

TEST(ChamferBadInput, ViewsThatMakeNoSenseAreRefused) {
  const DistanceField field = build_field(made_up_roads(4));
  PointsView view;
  EXPECT_TRUE(mentions(message_of<InvalidArgument>([&] { register_points(view, field, Chamfer{}); }), "no points"));
  const float data[4] = {0, 0, 1, 1};
  view = {data, 2, 2, 1, false};
  EXPECT_TRUE(mentions(message_of<InvalidArgument>([&] { register_points(view, field, Chamfer{}); }), "stride"));
  view = {data, 2, 5, 0, false};
  EXPECT_TRUE(mentions(message_of<InvalidArgument>([&] { register_points(view, field, Chamfer{}); }), "dimension"));
  view = {data, 2, 2, 0, true};
  EXPECT_TRUE(
      mentions(message_of<InvalidArgument>([&] { register_points(view, field, Chamfer{}, on(Machine::cpu)); }), "GPU"));
}

TEST(ChamferBadInput, NonFiniteObservedPointsAreDroppedAndCounted) {
  Detections d = made_up_detections(ChamferModel::similarity, 1500, 8);
  for (std::size_t i = 0; i < d.observed.size(); i += 10) d.observed.positions[i][0] = std::nan("");
  const Registration r = register_points(d.observed, made_up_roads(4), of_model(ChamferModel::similarity));
  EXPECT_EQ(r.points.dropped_non_finite, 150u);
  EXPECT_EQ(r.points.source, 1350u);
  std::vector<float> floats;
  for (const Vec3& p : d.observed.positions) {
    floats.insert(floats.end(), {static_cast<float>(p[0]), static_cast<float>(p[1])});
  }
  const Registration view = register_points(PointsView{floats.data(), d.observed.size(), 2, 0, false},
                                            build_field(made_up_roads(4)), of_model(ChamferModel::similarity));
  EXPECT_EQ(view.points.dropped_non_finite, 150u);
  EXPECT_EQ(view.points.source, 1350u);
}

TEST(FieldFiles, KeepAFieldAndRefuseWhatIsNone) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "dovetail_field_files_test";
  std::filesystem::create_directories(folder);
  const std::filesystem::path file = folder / "roads.field";
  Reference roads = made_up_roads(4);
  roads.frame = GeoFrame{7.42, 43.73};
  FieldOptions options;
  options.cell = 2;
  DistanceField field = build_field(roads, options);
  field.set_source("roads.geojson");
  save_field(file, field);
  EXPECT_TRUE(is_field_file(file));
  const DistanceField loaded = load_field(file);
  EXPECT_EQ(loaded.frame(), field.frame());
  EXPECT_EQ(loaded.source(), "roads.geojson");
  EXPECT_EQ(loaded.cell(), field.cell());
  EXPECT_EQ(loaded.sites(), field.sites());
  const Detections d = made_up_detections(ChamferModel::similarity, 1000, 8);
  const Registration a = register_points(d.observed, field, of_model(ChamferModel::similarity));
  const Registration b = register_points(d.observed, loaded, of_model(ChamferModel::similarity));
  expect_same_answer(a, b);
  EXPECT_EQ(b.target_frame, roads.frame);

  std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
  EXPECT_TRUE(mentions(message_of<FileError>([&] { load_field(file); }), file.string()));
  std::ofstream(folder / "text.field") << "no field at all";
  EXPECT_FALSE(is_field_file(folder / "text.field"));
  EXPECT_TRUE(mentions(message_of<FileError>([&] { load_field(folder / "text.field"); }), "field"));
  EXPECT_THROW(load_field(folder / "absent.field"), FileError);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace dovetail
