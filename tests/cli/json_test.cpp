// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "cli/shapes.h"
#include "dovetail/dovetail.h"

namespace dovetail::test {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> keys_of(const Json& json) {
  std::vector<std::string> keys;
  for (const auto& item : json.items()) keys.push_back(item.key());
  return keys;
}

const std::vector<std::string> answer_keys = {"schema",
                                              "method",
                                              "machine",
                                              "build",
                                              "version",
                                              "source_file",
                                              "target_file",
                                              "model",
                                              "target_from_source",
                                              "target_frame",
                                              "source_frame",
                                              "usable",
                                              "confidence",
                                              "evidence",
                                              "termination",
                                              "message",
                                              "warnings",
                                              "iterations",
                                              "finished_by",
                                              "rmse",
                                              "inlier_distance",
                                              "inlier_ratio",
                                              "overlap",
                                              "score",
                                              "log_odds",
                                              "covariance",
                                              "covariance_center",
                                              "expected_error",
                                              "weak_directions",
                                              "margin",
                                              "alternatives",
                                              "points",
                                              "time_ms"};

Registration registered() {
  Run run;
  run.machine = Machine::cpu;
  run.starts = {Transform::identity(Model::rigid3), Transform(Rigid3{exp_so3(Vec3{0, 0, 3.0}), {100, 80, 0}})};
  return register_points(small_motion().inverse() * hills(), hills(), {}, run);
}

TEST(ToJson, has_the_contracts_names_in_its_order) {
  const Registration result = registered();
  const Json json = Json::parse(to_json(result));
  std::vector<std::string> expected = answer_keys;
  expected.insert(expected.end(), {"options", "trace"});
  EXPECT_EQ(keys_of(json), expected);
  EXPECT_EQ(json["schema"], "dovetail.registration/1");
  EXPECT_TRUE(json["target_frame"].is_null());
  EXPECT_EQ(keys_of(json["points"]),
            (std::vector<std::string>{"source", "target", "dropped_non_finite", "dropped_at_origin"}));
  EXPECT_EQ(keys_of(json["time_ms"]), (std::vector<std::string>{"read", "prepare", "loop", "total"}));
  ASSERT_FALSE(json["trace"].empty());
  EXPECT_EQ(keys_of(json["trace"][0]), (std::vector<std::string>{"iteration", "level", "rmse", "used_ratio",
                                                                 "max_distance", "target_from_source"}));
  ASSERT_FALSE(json["alternatives"].empty());
  EXPECT_EQ(keys_of(json["alternatives"][0]), answer_keys);
}

TEST(ToJson, numbers_read_back_as_the_same_bits) {
  const Registration result = registered();
  const Json json = Json::parse(to_json(result, -1));
  for (int i = 0; i < 16; ++i) {
    const auto row = static_cast<std::size_t>(i / 4), column = static_cast<std::size_t>(i % 4);
    EXPECT_EQ(json["target_from_source"][row][column].get<double>(), result.target_from_source.matrix[i]);
  }
  EXPECT_EQ(json["rmse"].get<double>(), result.rmse);
  ASSERT_EQ(result.covariance.size(), 36u);
  for (std::size_t i = 0; i < 36; ++i) {
    EXPECT_EQ(json["covariance"][i / 6][i % 6].get<double>(), result.covariance[i]);
  }
  EXPECT_EQ(json["trace"].size(), result.trace.size());
}

TEST(ToJson, options_are_typed_and_complete) {
  const Registration result = registered();
  const Json options = Json::parse(to_json(result))["options"];
  const auto check = [&](const std::vector<OptionInfo>& list) {
    for (const OptionInfo& info : list) {
      ASSERT_TRUE(options.contains(info.name)) << info.name;
      const Json& value = options[info.name];
      EXPECT_TRUE(info.kind == "number"    ? value.is_number()
                  : info.kind == "integer" ? value.is_number_integer()
                  : info.kind == "flag"    ? value.is_boolean()
                                           : value.is_string())
          << info.name;
    }
  };
  check(list_options<Icp>());
  check(list_options<dovetail::Run>());
  EXPECT_EQ(options["machine"], "cpu");
  EXPECT_EQ(options["tolerance"], 1e-5);
  EXPECT_TRUE(options["start"].is_null());
  EXPECT_EQ(options["more_starts"].size(), 2u);
}

TEST(ToJson, what_is_not_a_number_or_not_known_is_null) {
  Registration result;
  result.rmse = std::numeric_limits<double>::quiet_NaN();
  result.inlier_distance = std::numeric_limits<double>::infinity();
  const Json json = Json::parse(to_json(result));
  for (const char* key : {"rmse", "inlier_distance", "covariance", "margin"}) EXPECT_TRUE(json[key].is_null()) << key;
  EXPECT_TRUE(json["alternatives"].is_array());
}

TEST(ToJson, large_seeds_and_broken_text_survive) {
  Registration result;
  result.run.seed = std::numeric_limits<std::uint64_t>::max();
  result.message = "caf\xe9";  // Latin-1, no UTF-8
  const Json json = Json::parse(to_json(result));
  EXPECT_EQ(json["options"]["seed"].get<std::uint64_t>(), result.run.seed);
  EXPECT_TRUE(json["message"].get<std::string>().starts_with("caf"));
}

TEST(ToJson, two_dimensions_are_three_by_three) {
  Registration result;
  result.target_from_source = Rigid2{exp_so2(0.5), {7, 8}};
  const Json json = Json::parse(to_json(result));
  EXPECT_EQ(json["model"], "rigid2");
  ASSERT_EQ(json["target_from_source"].size(), 3u);
  EXPECT_EQ(json["target_from_source"][0][2], 7.0);
  EXPECT_EQ(json["target_from_source"][2], Json::array({0.0, 0.0, 1.0}));
}

TEST(ToJson, an_evaluation_has_no_method_options) {
  const Json json = Json::parse(to_json(evaluate_pose(hills(), hills(), Transform())));
  EXPECT_EQ(json["method"], "evaluate");
  EXPECT_FALSE(json["options"].contains("metric"));
  EXPECT_TRUE(json["options"].contains("inlier_distance"));
}

}  // namespace
}  // namespace dovetail::test
