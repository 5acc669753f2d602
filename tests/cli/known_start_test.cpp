// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include "cli/program.h"
#include "cli/shapes.h"
#include "dovetail/dovetail.h"
#include "dovetail/pose_file.h"
#include "dovetail/scanner.h"

// A start that comes with its uncertainty, on the command line.

namespace dovetail::test {
namespace {

class KnownStarts : public testing::Test {
 protected:
  void SetUp() override {
    write_points(folder_ / "target.ply", hills());
    write_points(folder_ / "source.ply", small_motion().inverse() * hills());
  }
  Outcome run(std::vector<std::string> more, const std::string& method = "icp") const {
    std::vector<std::string> words = {"register", method, "source.ply", "target.ply", "--json", "run.json", "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(folder_, words);
  }
  nlohmann::json json() const { return read_json(folder_ / "run.json"); }
  void expect_refused(const Outcome& done, int code, const std::string& text) const {
    EXPECT_EQ(done.exit_code, code) << done.err;
    EXPECT_NE(done.err.find(text), std::string::npos) << done.err;
  }

  Folder folder_;
};

TEST_F(KnownStarts, by_two_sigmas) {
  ASSERT_EQ(run({"--start-rotation-sigma", "10", "--start-shift-sigma", "500"}).exit_code, 0);
  EXPECT_EQ(json()["options"]["start_rotation_sigma"], 10);
  EXPECT_EQ(json()["options"]["start_shift_sigma"], 500);
  EXPECT_TRUE(json()["evidence"]["start_sigmas"].is_number());
  EXPECT_TRUE(json()["options"]["start_covariance"].is_null());
}

/// An earlier result with its covariance. The same points again know as much: half the variance is left.
TEST_F(KnownStarts, by_an_earlier_result) {
  // Noise, so that the points do not fit exactly.
  PointCloud noisy = small_motion().inverse() * hills();
  for (std::size_t i = 0; i < noisy.size(); ++i)
    noisy.positions[i][2] += 0.3 * (static_cast<double>((i * 7919) % 13) - 6.0);
  write_points(folder_ / "source.ply", noisy);
  ASSERT_EQ(run({}).exit_code, 0);
  const nlohmann::json first = json();
  std::filesystem::rename(folder_ / "run.json", folder_ / "first.json");
  ASSERT_EQ(run({"--start", "first.json", "--start-covariance", "first.json"}).exit_code, 0);
  EXPECT_EQ(json()["options"]["start_covariance"], first["covariance"]);
  EXPECT_EQ(json()["options"]["start_covariance_center"], first["covariance_center"]);
  for (int i = 0; i < 6; ++i) {
    const double before = first["covariance"][i][i], after = json()["covariance"][i][i];
    EXPECT_NEAR(after / before, 0.5, 0.1) << i;  // about another centre, which the start has moved
  }
}

TEST_F(KnownStarts, by_a_text_file) {
  write_text(folder_ / "six.txt",
             "# from the odometry\n1,0,0,0,0,0\n0 1 0 0 0 0\n0 0 1 0 0 0\n0 0 0 9 0 0\n"
             "0 0 0 0 9 0\n\n0 0 0 0 0 9\n");
  ASSERT_EQ(run({"--start-covariance", "six.txt"}).exit_code, 0);
  EXPECT_EQ(json()["options"]["start_covariance"][3][3], 9);
  EXPECT_TRUE(json()["options"]["start_covariance_center"].is_null());
}

TEST_F(KnownStarts, files_that_hold_no_covariance) {
  write_text(folder_ / "short.txt", "1 0 0 0 0 0\n0 1 0 0 0 0\n");
  expect_refused(run({"--start-covariance", "short.txt"}), 3, "short.txt: line 2: 2 rows of 6 numbers");
  write_text(folder_ / "wide.txt", "1 0 0 0\n");
  expect_refused(run({"--start-covariance", "wide.txt"}), 3, "wide.txt: line 1: row 1 has 4 numbers");
  write_text(folder_ / "flat.txt", "1 0 0\n0 1 0\n0 0 1\n");
  expect_refused(run({"--start-covariance", "flat.txt"}), 3, "flat.txt: the covariance has 9 numbers");
  write_text(folder_ / "none.json", R"({"target_from_source": [[1]], "covariance": null})");
  expect_refused(run({"--start-covariance", "none.json"}), 3, "none.json: the result has no covariance");
  write_text(folder_ / "uneven.json", R"({"covariance": [[1, 0], [1]]})");
  expect_refused(run({"--start-covariance", "uneven.json"}), 3, "uneven.json: \"covariance\": a row of 1 numbers");
  write_text(folder_ / "empty.txt", "");
  expect_refused(run({"--start-covariance", "empty.txt"}), 3, "empty.txt: the file is empty");
  expect_refused(run({"--start-covariance", "nowhere.txt"}), 3, "nowhere.txt");
}

TEST_F(KnownStarts, refused_where_they_do_not_count) {
  expect_refused(run({"--start-shift-sigma", "1"}, "chamfer"), 2,
                 "start_shift_sigma: chamfer alignment does not count it");
  expect_refused(run({"--start-shift-sigma", "1"}, "em-icp"), 2, "set refine to icp");
  expect_refused(run({"--start-rotation-sigma", "-1"}), 2, "start_rotation_sigma");
  write_pose(folder_ / "pose.txt", small_motion());
  EXPECT_EQ(
      run_program(folder_, {"evaluate", "pose.txt", "source.ply", "target.ply", "--start-shift-sigma", "1"}).exit_code,
      2);
}

/// Two scans of a part from both sides of its axis, and a start that is some degrees off.
class KnownStartOfAPart : public testing::Test {
 protected:
  void SetUp() override {
    if (!scanner_available()) GTEST_SKIP() << "built without the virtual scanner";
  }
  void scan_part(BuiltInPart part) {
    const PointCloud mesh = built_in_part(part);
    ScanOptions options;
    options.width = 160;
    options.height = 120;
    options.noise = 0.05;
    options.mesh_from_sensor = look_at({-80, 30, 220}, {0, 0, 0});
    target = options.mesh_from_sensor * scan(mesh, options);
    truth = options.mesh_from_sensor = look_at({60, -50, 220}, {0, 0, 0});
    options.seed = 2;
    source = scan(mesh, options);
    run.machine = Machine::cpu;
    run.start = Transform(Rigid3{exp_so3(Vec3{0.04, -0.03, 0.07}), {1, -2, 1}}) * truth;
  }
  double angle_to_truth(const Transform& pose) const {
    return rotation_angle(pose.as<Rigid3>().rotation * transpose(truth.as<Rigid3>().rotation));
  }

  PointCloud source, target;
  Transform truth;
  dovetail::Run run;
};

/// Turned about their axes these parts fit as well, or better where the scans then show the same side: by the points
/// alone another of their poses wins. A start that is known to ten degrees tells which one it is.
TEST_F(KnownStartOfAPart, tells_its_equivalent_poses_apart) {
  constexpr double right = 5 * 3.14159265358979 / 180, another = 1;  // the least turn onto themselves is 60 degrees
  for (const BuiltInPart part : {BuiltInPart::hex_bolt, BuiltInPart::flange, BuiltInPart::t_pipe}) {
    scan_part(part);
    run.start_rotation_sigma = 0;
    EXPECT_GT(angle_to_truth(register_points(source, target, Icp{}, run).target_from_source), another);
    run.start_rotation_sigma = 10;
    const Registration r = register_points(source, target, Icp{}, run);
    EXPECT_LT(angle_to_truth(r.target_from_source), right) << to_string(part);
    ASSERT_FALSE(r.alternatives.empty());
    for (const Registration& other : r.alternatives) EXPECT_LE(*other.confidence, *r.confidence);
  }
}

}  // namespace
}  // namespace dovetail::test
