// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/options.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "dovetail/error.h"
#include "dovetail/registration.h"
#include "support/messages.h"

namespace dovetail {
namespace {

using namespace test;

template <class Options>
class OptionTable : public testing::Test {};
using OptionStructs = testing::Types<Icp, Run>;
TYPED_TEST_SUITE(OptionTable, OptionStructs);

TYPED_TEST(OptionTable, EveryOptionIsDescribed) {
  for (const OptionInfo& option : list_options<TypeParam>()) {
    SCOPED_TRACE(option.name);
    EXPECT_FALSE(option.kind.empty());
    EXPECT_FALSE(option.default_value.empty());
    EXPECT_GT(option.help.size(), 10u);
    EXPECT_FALSE(option.allowed.empty());
  }
}

TYPED_TEST(OptionTable, DefaultsAreAllowedAndSurviveTheRoundTripThroughText) {
  const TypeParam defaults{};
  EXPECT_NO_THROW(validate(defaults));
  for (const OptionInfo& option : list_options<TypeParam>()) {
    TypeParam other{};
    ASSERT_NO_THROW(set_option(other, option.name, option.default_value)) << option.name;
    EXPECT_EQ(get_option(other, option.name), option.default_value) << option.name;
    EXPECT_EQ(get_option(defaults, option.name), option.default_value) << option.name;
  }
}

TYPED_TEST(OptionTable, NonsenseIsRefusedWithTheOptionTheValueAndWhatIsAllowed) {
  for (const OptionInfo& option : list_options<TypeParam>()) {
    for (const char* nonsense : {"", "purple", "1e", "--", "nan", "inf", "-inf", "0x10", "1 2"}) {
      TypeParam options{};
      const std::string message = message_of<InvalidArgument>([&] { set_option(options, option.name, nonsense); });
      EXPECT_TRUE(mentions(message, option.name)) << option.name << " = '" << nonsense << "': " << message;
      EXPECT_TRUE(mentions(message, nonsense)) << message;
      EXPECT_TRUE(mentions(message, option.allowed)) << message;
      EXPECT_EQ(get_option(options, option.name), option.default_value) << "a refused value is not taken";
    }
  }
}

TEST(Options, HyphensAndUnderscoresMeanTheSame) {
  Icp icp;
  set_option(icp, "max-distance", "0.25");
  EXPECT_EQ(icp.max_distance, 0.25);
  set_option(icp, "metric", "point-to-plane");
  EXPECT_EQ(icp.metric, Metric::point_to_plane);
}

TEST(Options, AnUnknownOptionIsNamedTogetherWithTheKnownOnes) {
  Icp icp;
  const std::string message = message_of<InvalidArgument>([&] { set_option(icp, "max_distnace", "1"); });
  EXPECT_TRUE(mentions(message, "max_distnace"));
  EXPECT_TRUE(mentions(message, "max_distance")) << message;
}

TEST(Options, NumbersKeepEveryBitThroughText) {
  Icp icp, other;
  for (const double value : {0.1, 1.0 / 3, 1e-300, 123456789.123456789, 5e-324, 1e300}) {
    icp.kernel_scale = value;
    set_option(other, "kernel_scale", get_option(icp, "kernel_scale"));
    EXPECT_EQ(other.kernel_scale, value);
  }
  dovetail::Run run, again;
  run.seed = 0xffffffffffffffffu;
  set_option(again, "seed", get_option(run, "seed"));
  EXPECT_EQ(again.seed, run.seed);
}

TEST(Options, EveryChoiceSurvivesTheRoundTrip) {
  const auto expect_choices = [](auto options, const std::string& name) {
    for (const OptionInfo& option : list_options<decltype(options)>()) {
      if (option.name != name) continue;
      std::size_t begin = 0;
      while (begin < option.allowed.size()) {
        const std::size_t end = std::min(option.allowed.find(", ", begin), option.allowed.size());
        const std::string choice = option.allowed.substr(begin, end - begin);
        set_option(options, name, choice);
        EXPECT_EQ(get_option(options, name), choice);
        begin = end + 2;
      }
    }
  };
  expect_choices(Icp{}, "metric");
  expect_choices(Icp{}, "kernel");
  expect_choices(dovetail::Run{}, "machine");
  expect_choices(dovetail::Run{}, "origin_points");
}

TEST(Options, AMachineMayBeNamedWithItsDevice) {
  dovetail::Run run;
  set_option(run, "machine", "cuda:3");
  EXPECT_EQ(run.machine, Machine::cuda);
  EXPECT_EQ(run.device, 3);
  for (const char* wrong : {"cuda:", "cuda:x", "cuda:-1"}) {
    const std::string message = message_of<InvalidArgument>([&] { set_option(run, "machine", wrong); });
    EXPECT_NE(message.find(wrong), std::string::npos) << message;
    EXPECT_NE(message.find("cuda:N"), std::string::npos) << message;
  }
}

TEST(Options, MotionsAreListed) {
  Icp icp;
  set_option(icp, "free", "rz,tx,ty");
  EXPECT_EQ(icp.free, (Freedom{false, false, true, true, true, false}));
  EXPECT_EQ(get_option(icp, "free"), "rz,tx,ty");
  EXPECT_THROW(set_option(icp, "free", "rw"), InvalidArgument);
  icp.free = {false, false, false, false, false, false};
  EXPECT_THROW(validate(icp), InvalidArgument);
}

struct OutOfRange {
  const char* name;
  std::function<void(Icp&, Run&)> spoil;
};

class RangeOf : public testing::TestWithParam<OutOfRange> {};
INSTANTIATE_TEST_SUITE_P(
    Options, RangeOf,
    testing::Values(OutOfRange{"kernel_scale", [](Icp& i, Run&) { i.kernel_scale = -1; }},
                    OutOfRange{"max_distance", [](Icp& i, Run&) { i.max_distance = -0.5; }},
                    OutOfRange{"overlap", [](Icp& i, Run&) { i.overlap = 1.01; }},
                    OutOfRange{"overlap", [](Icp& i, Run&) { i.overlap = -0.1; }},
                    OutOfRange{"levels", [](Icp& i, Run&) { i.levels = 13; }},
                    OutOfRange{"levels", [](Icp& i, Run&) { i.levels = -1; }},
                    OutOfRange{"voxel", [](Icp& i, Run&) { i.voxel = -1; }},
                    OutOfRange{"max_iterations", [](Icp& i, Run&) { i.max_iterations = 0; }},
                    OutOfRange{"max_iterations", [](Icp& i, Run&) { i.max_iterations = 1000001; }},
                    OutOfRange{"tolerance", [](Icp& i, Run&) { i.tolerance = 0; }},
                    OutOfRange{"tolerance", [](Icp& i, Run&) { i.tolerance = std::nan(""); }},
                    OutOfRange{"free", [](Icp& i, Run&) { i.free = {false, false, false, false, false, false}; }},
                    OutOfRange{"starts", [](Icp& i, Run&) { i.starts = -1; }},
                    OutOfRange{"normal_neighbours", [](Icp& i, Run&) { i.normal_neighbours = 2; }},
                    OutOfRange{"normal_neighbours", [](Icp& i, Run&) { i.normal_neighbours = 33; }},
                    OutOfRange{"device", [](Icp&, Run& r) { r.device = -1; }},
                    OutOfRange{"threads", [](Icp&, Run& r) { r.threads = -1; }},
                    OutOfRange{"threads", [](Icp&, Run& r) { r.threads = 5000; }},
                    OutOfRange{"inlier_distance", [](Icp&, Run& r) { r.inlier_distance = -1; }},
                    OutOfRange{"min_inlier_ratio", [](Icp&, Run& r) { r.min_inlier_ratio = 1.5; }},
                    OutOfRange{"time_limit_ms", [](Icp&, Run& r) { r.time_limit_ms = -1; }},
                    OutOfRange{"time_limit_ms",
                               [](Icp&, Run& r) { r.time_limit_ms = std::numeric_limits<double>::infinity(); }}));

TEST_P(RangeOf, IsKeptByRegisterPointsWithTheFieldTheValueAndWhatIsAllowed) {
  Icp icp;
  dovetail::Run run;
  GetParam().spoil(icp, run);
  PointCloud cloud;
  cloud.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const std::string message = message_of<InvalidArgument>([&] { register_points(cloud, cloud, icp, run); });
  const std::string name = GetParam().name;
  EXPECT_TRUE(mentions(message, name)) << message;
  const auto check = [&](const std::vector<OptionInfo>& table, const auto& options) {
    for (const OptionInfo& option : table) {
      if (option.name != name) continue;
      EXPECT_TRUE(mentions(message, option.allowed)) << message;
      EXPECT_TRUE(mentions(message, get_option(options, name))) << message;
    }
  };
  check(list_options<Icp>(), icp);
  check(list_options<dovetail::Run>(), run);
}

TEST(Options, ScaleNeedsPoints) {
  Icp icp;
  icp.estimate_scale = true;
  PointCloud cloud;
  cloud.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const std::string message = message_of<InvalidArgument>([&] { register_points(cloud, cloud, icp); });
  EXPECT_TRUE(mentions(message, "estimate_scale"));
  EXPECT_TRUE(mentions(message, "point_to_point"));
}

TEST(Options, ASchedulesEndIsNotBeforeItsStart) {
  PointCloud cloud;
  cloud.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const auto refused = [&](const MethodOptions& options) {
    return message_of<InvalidArgument>([&] { register_points(cloud, cloud, options); });
  };
  for (const std::string& message : {refused(EmIcp{.sigma_start = 0.25, .sigma_end = 0.5}),
                                     refused(Softassign{.sigma_start = 0.25, .sigma_end = 0.5})}) {
    EXPECT_TRUE(mentions(message, "sigma_end: 0.5")) << message;
    EXPECT_TRUE(mentions(message, "sigma_start, which is 0.25")) << message;
  }
  const std::string caps = refused(Chamfer{.cap_start = 1, .cap_end = 100});
  EXPECT_TRUE(mentions(caps, "cap_end: 100")) << caps;
  EXPECT_NO_THROW(validate(Chamfer{.cap_end = 100}));  // the start is then automatic
}

TEST(Options, TheMethodsAreListed) {
  EXPECT_EQ(method_names(), (std::vector<std::string>{"icp", "em-icp", "softassign", "chamfer", "gpicp"}));
}

}  // namespace
}  // namespace dovetail
