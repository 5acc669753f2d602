// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <fstream>

#include "cli/program.h"
#include "cli/streets.h"
#include "dovetail/dovetail.h"
#include "dovetail/pose_file.h"
#include "support/png_writer.h"

namespace dovetail::test {
namespace {

/// Flags that tell how a reference or an image is read: they are followed, or refused where they would mean nothing.
class ChamferFlags : public testing::Test {
 protected:
  void SetUp() override {
    write_text(folder_ / "roads.geojson", streets_.geojson);
    write_points(folder_ / "seen.csv", streets_.seen);
    ASSERT_EQ(run({"field", "build", "roads.geojson", "--out", "roads.field", "--quiet"}).exit_code, 0);
  }
  Outcome run(const std::vector<std::string>& words) const { return run_program(folder_, words); }
  void expect_refusal(const std::vector<std::string>& words, const std::vector<std::string>& parts) const {
    const Outcome done = run(words);
    EXPECT_EQ(done.exit_code, 2) << done.err;
    EXPECT_EQ(done.out, "");
    for (const std::string& part : parts) EXPECT_NE(done.err.find(part), std::string::npos) << part << "\n" << done.err;
  }

  Folder folder_;
  Streets streets_ = streets();
};

TEST_F(ChamferFlags, of_a_reference_are_refused_with_a_field) {
  const std::vector<std::vector<std::string>> flags = {
      {"--cell", "3"},    {"--memory-mb", "1"}, {"--storage", "banded"}, {"--margin", "5"}, {"--band", "7"},
      {"--layer", "foo"}, {"--where", "x = 1"}, {"--threshold", "900"},  {"--dark"}};
  for (const std::vector<std::string>& flag : flags) {
    std::vector<std::string> words = {"register", "chamfer", "seen.csv", "roads.field"};
    words.insert(words.end(), flag.begin(), flag.end());
    expect_refusal(words, {flag[0] + ": roads.field is a field that was built already"});
  }
}

TEST_F(ChamferFlags, of_images_are_refused_without_one) {
  expect_refusal({"register", "chamfer", "seen.csv", "roads.geojson", "--dark"}, {"--dark is for images", "seen.csv"});
  expect_refusal({"field", "build", "roads.geojson", "--out", "b.field", "--threshold", "5"}, {"--threshold"});
}

TEST_F(ChamferFlags, a_field_is_only_a_reference) {
  expect_refusal({"register", "chamfer", "roads.field", "seen.csv"},
                 {"roads.field is a distance field", "a field is a reference", "chamfer seen.csv roads.field"});
  expect_refusal({"field", "build", "roads.field", "--out", "again.field"}, {"roads.field is a field already"});
  expect_refusal({"register", "icp", "roads.field", "seen.csv"}, {"roads.field is a distance field"});
  write_pose(folder_ / "pose.txt", Transform::identity(Model::rigid2));
  expect_refusal({"apply", "pose.txt", "roads.field", "moved.csv"}, {"roads.field is a distance field"});
}

TEST_F(ChamferFlags, help_of_field_build_says_what_it_takes) {
  const std::string help = run({"field", "build", "--help"}).out;
  EXPECT_NE(help.find("GeoJSON"), std::string::npos) << help;
  EXPECT_EQ(help.find("or a field"), std::string::npos) << help;
  EXPECT_EQ(help.find("start-at-centroid"), std::string::npos) << help;
}

/// A drawing in grey 90 on white 200: as bright pixels it would be all but the lines.
PngImage drawing(int shift) {
  PngImage image = grey_image(120, 80, std::vector<std::uint16_t>(120 * 80, 200));
  const auto set = [&](int x, int y) { image.samples[static_cast<std::size_t>((y + shift) * 120 + x + shift)] = 90; };
  for (int x = 20; x < 100; ++x) set(x, 20), set(x, 60 - (x - 20) / 8);
  for (int y = 21; y < 60; ++y) set(20, y), set(99, y / 2 + 10);
  return image;
}

TEST_F(ChamferFlags, of_images_hold_for_the_observed_one_too) {
  std::ofstream(folder_ / "plan.png", std::ios::binary) << png_bytes(drawing(4));
  std::ofstream(folder_ / "seen.png", std::ios::binary) << png_bytes(drawing(0));
  const Outcome done = run(
      {"register", "chamfer", "seen.png", "plan.png", "--dark", "--threshold", "100", "--json", "run.json", "--quiet"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  ReferenceOptions dark;
  dark.threshold = 100, dark.dark = true;
  const std::size_t lines = read_reference(folder_ / "seen.png", dark).points.size();
  EXPECT_EQ(read_json(folder_ / "run.json")["points"]["source"], lines);
  EXPECT_LT(distance_between(read_pose(folder_ / "run.json"), Rigid2{exp_so2(0.0), {4, 4}}, {60, 40, 0}), 0.1);
  // The field was built already, but the observed image is still to be read.
  ASSERT_EQ(run({"field", "build", "plan.png", "--dark", "--threshold", "100", "--out", "plan.field"}).exit_code, 0);
  const Outcome again = run({"register", "chamfer", "seen.png", "plan.field", "--dark", "--threshold", "100", "--json",
                             "again.json", "--quiet"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(read_json(folder_ / "again.json")["target_from_source"],
            read_json(folder_ / "run.json")["target_from_source"]);
}

}  // namespace
}  // namespace dovetail::test
