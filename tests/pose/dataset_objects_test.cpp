// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/dataset_objects.h"

#include <gtest/gtest.h>

#include <fstream>

#include "dovetail/scanner.h"
#include "pose/depth_renderer.h"
#include "spatial/farthest_pair.h"
#include "temporary_folder.h"

namespace dovetail::pose {
namespace {

class DatasetObjectsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!depth_renderer_available()) GTEST_SKIP() << "built without Embree";
  }
  /// The T-pipe comes first.
  PoseDatabase database(const std::string& tee, const std::string& bolt) const {
    PoseDatabaseOptions options;
    options.references = 16;
    options.image_size = 16;
    options.sampling = OrientationSampling::uniform;
    const PosePart parts[] = {{tee, &tee_, {}, {}}, {bolt, &bolt_, {}, {}}};
    return build_pose_database(parts, options);
  }
  /// A data set whose objects 1, 2, ... have these diameters.
  PoseDataset dataset(const std::vector<double>& diameters) const {
    std::filesystem::create_directories(folder_.path() / "models");
    std::ofstream file(folder_.path() / "models" / "models_info.json");
    file << '{';
    for (std::size_t i = 0; i < diameters.size(); ++i) {
      file << (i > 0 ? ", " : "") << '"' << i + 1 << R"(": {"diameter": )" << diameters[i]
           << R"(, "min_x": 0, "min_y": 0, "min_z": 0, "size_x": 1, "size_y": 1, "size_z": 1})";
    }
    file << '}';
    PoseDataset set;
    set.folder = folder_.path();
    return set;
  }

  const PointCloud tee_ = built_in_part(BuiltInPart::t_pipe), bolt_ = built_in_part(BuiltInPart::hex_bolt);
  const double tee_size_ = largest_distance(tee_.positions), bolt_size_ = largest_distance(bolt_.positions);
  test::TemporaryFolder folder_;
};

TEST_F(DatasetObjectsTest, PartsAreTheObjectsThatAreAsLarge) {
  const DatasetObjects told = dataset_objects(dataset({bolt_size_, 7, tee_size_}), database("tee", "bolt"));
  EXPECT_EQ(told.ids, (std::vector<int>{3, 1}));
  EXPECT_TRUE(told.warnings.empty());
}

TEST_F(DatasetObjectsTest, WhatIsNotTheSizeOfAnyObjectIsToldByItsPlace) {
  const DatasetObjects told = dataset_objects(dataset({0.001 * tee_size_, bolt_size_}), database("tee", "bolt"));
  EXPECT_EQ(told.ids, (std::vector<int>{1, 2}));
  ASSERT_EQ(told.warnings.size(), 1u);
  EXPECT_NE(told.warnings[0].find("tee is taken for object 1"), std::string::npos) << told.warnings[0];
}

TEST_F(DatasetObjectsTest, AmongEquallyLargeObjectsThePlaceDecides) {
  const DatasetObjects told = dataset_objects(dataset({tee_size_, bolt_size_, tee_size_}), database("tee", "bolt"));
  EXPECT_EQ(told.ids, (std::vector<int>{1, 2}));
  EXPECT_TRUE(told.warnings.empty());
}

TEST_F(DatasetObjectsTest, ANameThatTellsTheNumberIsBelieved) {
  const DatasetObjects told = dataset_objects(dataset({bolt_size_, tee_size_}), database("obj_000009", "obj_000002"));
  EXPECT_EQ(told.ids, (std::vector<int>{9, 2}));
  EXPECT_TRUE(told.warnings.empty());
}

TEST_F(DatasetObjectsTest, WithoutModelsPlacesDoNotSurprise) {
  PoseDataset set;
  set.folder = folder_.path();
  const DatasetObjects told = dataset_objects(set, database("tee", "bolt"));
  EXPECT_EQ(told.ids, (std::vector<int>{1, 2}));
  EXPECT_TRUE(told.warnings.empty());
}

}  // namespace
}  // namespace dovetail::pose
