// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "dovetail/dovetail.h"
#include "symmetry/symmetry_parts.h"

namespace dovetail::test {
namespace {

class ModelsInfo : public testing::Test {
 protected:
  ModelsInfo() { std::filesystem::create_directories(folder_); }
  ~ModelsInfo() override { std::filesystem::remove_all(folder_); }
  nlohmann::json read() const { return nlohmann::json::parse(std::ifstream(file_)); }
  void write(const char* text) const { std::ofstream(file_) << text; }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("dovetail_models_info_" + std::to_string(::getpid()));
  const std::filesystem::path file_ = folder_ / "models_info.json";
};

/// A brick of 60 × 40 × 20 about (100, 0, 10): D2. In metres.
PointCloud brick() {
  PointCloud part = prism({{70, -20}, {130, -20}, {130, 20}, {70, 20}}, 0, 20, {100, 0});
  for (Vec3& p : part.positions) p *= 1e-3;
  return part;
}

TEST_F(ModelsInfo, HasWhatBopReads) {
  add_to_models_info(file_, 3, find_symmetry(brick()), 1000);
  const nlohmann::json object = read().at("3");
  EXPECT_NEAR(object.at("diameter").get<double>(), std::sqrt(3600.0 + 1600 + 400), 1e-9);
  const std::map<std::string, double> box = {{"min_x", 70},  {"min_y", -20}, {"min_z", 0},
                                             {"size_x", 60}, {"size_y", 40}, {"size_z", 20}};
  for (const auto& [key, value] : box) EXPECT_NEAR(object.at(key).get<double>(), value, 1e-9) << key;
  EXPECT_FALSE(object.contains("symmetries_continuous"));
  ASSERT_EQ(object.at("symmetries_discrete").size(), 3u) << "without the identity";
  // Each is a half turn about the brick's middle, in millimetres: (100, 0, 10) stays, and a corner goes to a corner.
  for (const nlohmann::json& m : object["symmetries_discrete"]) {
    ASSERT_EQ(m.size(), 16u);
    const auto image = [&](double x, double y, double z, std::size_t row) {
      return m[4 * row].get<double>() * x + m[4 * row + 1].get<double>() * y + m[4 * row + 2].get<double>() * z +
             m[4 * row + 3].get<double>();
    };
    const double middle[] = {100, 0, 10}, half[] = {30, 20, 10};
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(image(100, 0, 10, i), middle[i], 1e-4);
      EXPECT_NEAR(std::fabs(image(130, 20, 20, i) - middle[i]), half[i], 1e-4);
    }
    EXPECT_EQ(m[12].get<double>(), 0);
    EXPECT_EQ(m[15].get<double>(), 1);
  }
}

TEST_F(ModelsInfo, TurnsFreelyAboutAnAxisWithAnOffset) {
  add_to_models_info(file_, 1, find_symmetry(moved(prism(polygon(64, 20), -45, 45), {5, 6, 7})));
  const nlohmann::json object = read().at("1");
  EXPECT_EQ(object.at("symmetries_discrete").size(), 1u) << "the half turn";
  ASSERT_EQ(object.at("symmetries_continuous").size(), 1u);
  const auto axis = object["symmetries_continuous"][0].at("axis").get<std::vector<double>>();
  const auto offset = object["symmetries_continuous"][0].at("offset").get<std::vector<double>>();
  EXPECT_NEAR(std::fabs(axis[2]), 1, 1e-5);
  EXPECT_NEAR(offset[0], 5, 0.01);
  EXPECT_NEAR(offset[1], 6, 0.01);
  EXPECT_NEAR(offset[2], 7, 0.01);
  add_to_models_info(file_, 2, find_symmetry(ball(30, 24)));
  EXPECT_EQ(read().at("2").at("symmetries_continuous").size(), 3u);
  EXPECT_FALSE(read().at("2").contains("symmetries_discrete"));
}

TEST_F(ModelsInfo, KeepsWhatIsThere) {
  write(R"({"1": {"diameter": 5.5, "note": "kept"}, "10": {"diameter": 1}})");
  add_to_models_info(file_, 2, find_symmetry(chiral_part()));
  add_to_models_info(file_, 10, find_symmetry(chiral_part()));
  const nlohmann::json all = read();
  EXPECT_EQ(all.size(), 3u);
  EXPECT_EQ(all.at("1").at("note"), "kept");
  EXPECT_EQ(all.at("10"), all.at("2"));
  EXPECT_FALSE(all.at("2").contains("symmetries_discrete"));
}

TEST_F(ModelsInfo, RefusesWhatItWouldSpoil) {
  const Symmetry s = find_symmetry(chiral_part());
  EXPECT_THROW(add_to_models_info(file_, -1, s), InvalidArgument);
  EXPECT_THROW(add_to_models_info(file_, 1, s, 0), InvalidArgument);
  for (const char* text : {"[1, 2]", "{\"camera\": {}}", "{\"1\": 5}", "{\"1\": {", ""}) {
    write(text);
    EXPECT_THROW(add_to_models_info(file_, 1, s), FileError) << text;
  }
  EXPECT_THROW(add_to_models_info(folder_ / "none" / "models_info.json", 1, s), FileError);
}

}  // namespace
}  // namespace dovetail::test
