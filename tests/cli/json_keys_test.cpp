// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/program.h"
#include "cli/shapes.h"
#include "cli/streets.h"
#include "dovetail/dovetail.h"

// docs/registration_json.md is the schema's description: this compares it with what is written.

namespace dovetail::test {
namespace {

using Json = nlohmann::json;
using Keys = std::set<std::string>;

Keys documented() {
  Keys keys;
  std::ifstream page(DOVETAIL_SOURCE_DIR "/docs/registration_json.md");
  bool in_section = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) in_section = line == "## Keys";
    if (!in_section || !line.starts_with("| `")) continue;
    const std::size_t first = line.find('`') + 1;
    keys.insert(line.substr(first, line.find('`', first) - first));
  }
  return keys;
}

/// Every key of an object and of what is in it: `points.source`, `trace[].level`.
void collect(const Json& json, const std::string& place, Keys& keys) {
  for (const auto& [key, value] : json.items()) {
    const std::string name = place + key;
    if (name == "alternatives" || name == "options") {  // the same again; the list that `dovetail options` shows
      keys.insert(name);
    } else if (value.is_object() && !value.empty()) {
      if (key.ends_with("_frame")) keys.insert(name);
      collect(value, name + '.', keys);
    } else {
      keys.insert(name);
      if (!value.is_array()) continue;
      for (const Json& item : value) {
        if (item.is_object()) collect(item, name + "[].", keys);
      }
    }
  }
}

/// Results that have between them everything a result can have.
std::vector<Json> results() {
  Run run;
  run.machine = Machine::cpu;
  run.starts = {Transform::identity(Model::rigid3), Transform(Rigid3{exp_so3(Vec3{0, 0, 3.0}), {100, 80, 0}})};
  const PointCloud source = small_motion().inverse() * hills();
  std::vector<Json> all;
  const auto add = [&](const Registration& result) { all.push_back(Json::parse(to_json(result))); };
  add(register_points(source, hills(), Icp{}, run));
  PointCloud plane = hills();
  for (Vec3& p : plane.positions) p[2] = 0;
  add(register_points(plane, plane, Icp{}, {}));
  add(evaluate_pose(source, hills(), small_motion()));
  Run from_known;
  from_known.start_rotation_sigma = 10;
  add(register_points(source, hills(), Icp{}, from_known));
  EmIcp soft;
  soft.starts = 1;
  add(register_points(source, hills(), soft, {}));

  const Folder folder;
  const Streets made = streets();
  write_text(folder / "roads.geojson", made.geojson);
  write_text(folder / "seen.csv", degrees_table(made.frame, made.seen, "lon,lat"));
  EXPECT_EQ(run_program(folder, {"register", "chamfer", "seen.csv", "roads.geojson", "--json", "run.json"}).exit_code,
            0);
  all.push_back(read_json(folder / "run.json"));
  return all;
}

TEST(JsonKeys, are_those_that_the_documentation_names) {
  Keys written;
  const std::vector<Json> all = results();
  for (const Json& json : all) collect(json, "", written);
  Keys told = documented();
  for (const char* key :
       {"options.start", "options.more_starts", "options.start_covariance", "options.start_covariance_center"}) {
    EXPECT_EQ(told.erase(key), 1u) << key;
    EXPECT_TRUE(all.front()["options"].contains(std::string(key).substr(8))) << key;
  }
  ASSERT_GT(told.size(), 50u);
  for (const std::string& key : written) EXPECT_EQ(told.count(key), 1u) << key << " is not documented";
  for (const std::string& key : told) EXPECT_EQ(written.count(key), 1u) << key << " is documented and not written";
}

TEST(JsonKeys, of_alternatives_are_the_results_own) {
  const Json json = results().front();
  ASSERT_FALSE(json["alternatives"].empty());
  Keys of_result, of_alternative;
  for (const auto& item : json.items()) of_result.insert(item.key());
  for (const auto& item : json["alternatives"][0].items()) of_alternative.insert(item.key());
  of_result.erase("options"), of_result.erase("trace");
  EXPECT_EQ(of_alternative, of_result);
}

/// What the table of the covariance says, found by the models' own tangents.
TEST(JsonKeys, of_the_covariance_have_the_sizes_told) {
  const Folder folder;
  const Streets made = streets();
  write_text(folder / "roads.geojson", made.geojson);
  write_points(folder / "seen.csv", made.seen);
  const std::string page = read_text(DOVETAIL_SOURCE_DIR "/docs/registration_json.md");
  for (const char* model : {"rigid", "similarity", "affine", "projective"}) {
    ASSERT_EQ(run_program(folder, {"register", "chamfer", "seen.csv", "roads.geojson", "--json", "run.json", "--model",
                                   model, "--quiet"})
                  .exit_code,
              0);
    const Json json = read_json(folder / "run.json");
    const std::string size = std::to_string(json["covariance"].size());
    EXPECT_NE(page.find("| `" + std::string(model) + "2` | " + size + " × " + size), std::string::npos) << model;
  }
  for (const Model model : {Model::rigid3, Model::similarity3, Model::affine3}) {
    const std::string size = std::to_string(degrees_of_freedom(model));
    EXPECT_NE(page.find("| `" + std::string(to_string(model)) + "` | " + size + " × " + size), std::string::npos);
  }
}

}  // namespace
}  // namespace dovetail::test
