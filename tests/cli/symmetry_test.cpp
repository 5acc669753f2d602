// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/symmetry.h"

#include <gtest/gtest.h>

#include <limits>

#include "cli/program.h"
#include "dovetail/dovetail.h"
#include "dovetail/scanner.h"

namespace dovetail::test {
namespace {

class SymmetryCommand : public testing::Test {
 protected:
  void SetUp() override { write_points(folder_ / "nut.ply", built_in_part(BuiltInPart::hex_nut)); }
  Outcome run(const std::vector<std::string>& more, const std::string& part = "nut.ply") const {
    std::vector<std::string> words = {"symmetry", part};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(folder_, words);
  }

  Folder folder_;
};

TEST_F(SymmetryCommand, tells_a_person) {
  const Outcome done = run({});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_EQ(done.err, "");
  for (const char* text :
       {"D6: 6-fold about one axis, with half turns about 6 axes across it", "equals its mirror image", "6-fold",
        "2-fold", "deviation", "diameter", "on the faces of the mesh"}) {
    EXPECT_NE(done.out.find(text), std::string::npos) << text << "\n" << done.out;
  }
  EXPECT_EQ(run({"--quiet"}).out, "");
}

/// A box as STL text, and a face more with a corner that is no place.
std::string box_with_a_broken_face(const std::string& corner) {
  const PointCloud box = built_in_part(BuiltInPart::box);
  std::string text = "solid box\n";
  const auto facet = [&](const std::string& a, const std::string& b, const std::string& c) {
    text += "facet normal 0 0 0\nouter loop\nvertex " + a + "\nvertex " + b + "\nvertex " + c + "\nendloop\nendfacet\n";
  };
  const auto place = [&](std::size_t i) {
    const Vec3& p = box.positions[box.faces.index[i]];
    return std::to_string(p[0]) + ' ' + std::to_string(p[1]) + ' ' + std::to_string(p[2]);
  };
  for (std::size_t face = 0; face < box.faces.size(); ++face) {
    for (std::size_t i = box.faces.start[face] + 2; i < box.faces.start[face + 1]; ++i) {
      facet(place(box.faces.start[face]), place(i - 1), place(i));
    }
  }
  facet("1 2 300", "3 2 300", corner);
  return text + "endsolid\n";
}

TEST_F(SymmetryCommand, faces_with_corners_that_are_no_places_are_left_out) {
  for (const char* corner : {"nan 0 0", "0 1e308 0", "0 0 -inf"}) {
    write_text(folder_ / "box.stl", box_with_a_broken_face(corner));
    const Outcome done = run({}, "box.stl");
    EXPECT_EQ(done.exit_code, 0) << done.err;
    EXPECT_NE(done.out.find("D2"), std::string::npos) << corner << done.out;
    EXPECT_NE(done.err.find("box.stl: 1 face is left out"), std::string::npos) << done.err;
  }
  write_text(folder_ / "none.stl",
             "solid none\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex nan 0 0\n"
             "endloop\nendfacet\nendsolid\n");
  expect_refusal(run({}, "none.stl"), 3, {"none.stl", "none of its faces"});
}

TEST_F(SymmetryCommand, built_in_parts_are_known) {
  const Outcome done = run({"--json", "nut.json"}, "built-in:hex_nut");
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_NE(done.out.find("D6"), std::string::npos) << done.out;
  EXPECT_EQ(read_json(folder_ / "nut.json")["part_file"], "built-in:hex_nut");
  expect_refusal(run({}, "built-in:nut"), 2, {"built-in:nut", "there are: "});
}

TEST_F(SymmetryCommand, json_is_what_the_library_finds) {
  const Outcome done = run({"--json", "-"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  const nlohmann::json told = nlohmann::json::parse(done.out);
  nlohmann::json expected = nlohmann::json::parse(to_json(find_symmetry(read_points(folder_ / "nut.ply"))));
  expected["part_file"] = "nut.ply";
  EXPECT_EQ(told, expected);
  EXPECT_EQ(told["schema"], "dovetail.symmetry/1");
  EXPECT_EQ(told["group"], "D6");
  EXPECT_EQ(told["kind"], "dihedral");
  EXPECT_EQ(told["order"], 6);
  EXPECT_EQ(told["rotations"].size(), 12u);
  EXPECT_EQ(told["axes"].size(), 7u);
  EXPECT_EQ(told["mirror"], true);
  EXPECT_EQ(run({"--json", "found.json"}).exit_code, 0);
  EXPECT_EQ(read_json(folder_ / "found.json"), told);
}

TEST_F(SymmetryCommand, tolerance_is_in_the_files_units) {
  // Corners of the nut stand 15 (2/√3 − 1) = 2.3 out of the circle between its flats.
  const nlohmann::json round = nlohmann::json::parse(run({"--tolerance", "2.5", "--json", "-"}).out);
  EXPECT_EQ(round["kind"], "revolution_with_flips");
  EXPECT_EQ(round["tolerance"], 2.5);
  expect_refusal(run({"--tolerance", "-1"}), 2, {"tolerance", "-1", "more than 0, or 0 for automatic"});
}

TEST_F(SymmetryCommand, puts_a_part_into_models_info) {
  write_text(folder_ / "models_info.json", R"({"1": {"diameter": 5}})");
  ASSERT_EQ(run({"--models-info", "models_info.json", "--id", "7", "--scale", "1000", "--quiet"}).exit_code, 0);
  const nlohmann::json all = read_json(folder_ / "models_info.json");
  EXPECT_EQ(all["1"]["diameter"], 5);
  EXPECT_EQ(all["7"]["symmetries_discrete"].size(), 11u);
  EXPECT_NEAR(all["7"]["size_z"].get<double>(), 16000, 1e-6);
  expect_refusal(run({"--models-info", "m.json", "--id", "3", "--scale", "9", "--unit", "m"}), 2,
                 {"--unit", "--scale"});
  expect_refusal(run({"--models-info", "m.json", "--id", "3", "--unit", "ell"}), 2, {"--unit", "mm, cm, m, inch"});
  expect_refusal(run({"--unit", "m"}), 2, {"--models-info"});
  expect_refusal(run({"--models-info", "models_info.json"}), 2, {"--id"});
  expect_refusal(run({"--id", "3"}), 2, {"--models-info"});
  expect_refusal(run({"--models-info", "m.json", "--id", "-3"}), 2, {"--id", "-3"});
  expect_refusal(run({"--models-info", "m.json", "--id", "3", "--scale", "0"}), 2, {"--scale"});
  expect_refusal(run({"--models-info", "nut.ply", "--id", "3"}), 2, {"nut.ply is read"});
  write_text(folder_ / "other.json", "[]");
  const Outcome other = run({"--models-info", "other.json", "--id", "3"});
  EXPECT_EQ(other.exit_code, 3);
  EXPECT_NE(other.err.find("other.json: is no models_info.json"), std::string::npos) << other.err;
  EXPECT_EQ(read_text(folder_ / "other.json"), "[]");
}

TEST_F(SymmetryCommand, models_info_is_in_millimetres) {
  PointCloud small = built_in_part(BuiltInPart::hex_nut);
  for (Vec3& p : small.positions) p *= 0.001;
  write_points(folder_ / "small.ply", small);
  const auto height = [&](const std::string& part, std::vector<std::string> more, const char* told) {
    more.insert(more.end(), {"--models-info", "models_info.json", "--id", "7", "--quiet"});
    const Outcome done = run(more, part);
    EXPECT_EQ(done.exit_code, 0) << done.err;
    EXPECT_TRUE(*told == 0 ? done.err.empty() : done.err.find(told) != std::string::npos) << done.err;
    return read_json(folder_ / "models_info.json")["7"]["size_z"].get<double>();
  };
  constexpr double floats = 1e-5;  // the file's precision
  EXPECT_NEAR(height("small.ply", {}, "small.ply: taken to be in m"), 16, floats);
  EXPECT_NEAR(height("nut.ply", {}, "nut.ply: taken to be in mm"), 16, floats);
  EXPECT_NEAR(height("small.ply", {"--unit", "inch"}, ""), 0.0254 * 16, floats);
  EXPECT_NEAR(height("small.ply", {"--scale", "2"}, ""), 0.032, floats);
}

TEST_F(SymmetryCommand, a_file_without_a_part_is_refused) {
  expect_refusal(run({}, "none.ply"), 3, {"none.ply"});
  PointCloud nothing;
  nothing.positions = {Vec3{1, 1, 1} * std::numeric_limits<double>::quiet_NaN()};
  write_points(folder_ / "nothing.ply", nothing);
  expect_refusal(run({}, "nothing.ply"), 2, {"none of its 1 points is finite"});
}

}  // namespace
}  // namespace dovetail::test
