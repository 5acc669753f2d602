// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "api/option_table.h"
#include "dovetail/options.h"

// One declaration of an option: a field added to a struct must be in the table, or be named here as one that has no
// text form.

namespace dovetail {
namespace {

/// Converts to the type of any field.
struct Anything {
  template <class T>
  operator T() const;
};

template <class T, std::size_t... Index>
constexpr bool takes(std::index_sequence<Index...>) {
  return requires { T{(static_cast<void>(Index), Anything{})...}; };
}

/// How many fields an aggregate has: the most initialisers it takes.
template <class T, std::size_t Count = 0>
constexpr std::size_t field_count() {
  if constexpr (!takes<T>(std::make_index_sequence<Count + 1>{})) {
    return Count;
  } else {
    return field_count<T, Count + 1>();
  }
}

template <class Options>
std::set<std::string> names() {
  std::set<std::string> result;
  for (const OptionInfo& option : list_options<Options>()) {
    EXPECT_TRUE(result.insert(option.name).second) << option.name << " is there twice";
  }
  return result;
}

TEST(OptionFields, EveryFieldOfIcpIsInTheTable) {
  EXPECT_EQ(names<Icp>().size(), field_count<Icp>()) << "a field of Icp is missing from src/api/icp_options.cpp";
}

TEST(OptionFields, EveryFieldOfTheOtherMethodsIsInTheTable) {
  EXPECT_EQ(names<EmIcp>().size(), field_count<EmIcp>());
  EXPECT_EQ(names<Softassign>().size(), field_count<Softassign>());
  EXPECT_EQ(names<Chamfer>().size() + 1, field_count<Chamfer>());  // its field's options have a table of their own
  EXPECT_EQ(names<FieldOptions>().size(), field_count<FieldOptions>());
  EXPECT_EQ(names<SymmetryOptions>().size(), field_count<SymmetryOptions>());
  EXPECT_EQ(names<BinOptions>().size(), field_count<BinOptions>());
  EXPECT_EQ(names<BinImages>().size(), field_count<BinImages>());
  EXPECT_EQ(names<DepthSensor>().size(), field_count<DepthSensor>());
}

TEST(OptionFields, EveryFieldOfRunIsInTheTableOrHasNoTextForm) {
  const std::set<std::string> no_text = {"start",       "starts", "weights",   "start_covariance",       "on_iteration",
                                         "on_progress", "cancel", "workspace", "start_covariance_center"};
  const std::set<std::string> table = names<dovetail::Run>();
  for (const std::string& name : no_text) EXPECT_EQ(table.count(name), 0u) << name;
  EXPECT_EQ(table.size() + no_text.size(), field_count<dovetail::Run>())
      << "a field of Run is missing from src/api/run_options.cpp, or from the list of those without a text form here";
}

template <class Options>
void expect_every_row_has_its_own_field() {
  const auto rows = option_rows<Options>();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      EXPECT_FALSE(rows[i].field == rows[k].field) << rows[i].name << " and " << rows[k].name;
    }
  }
}

TEST(OptionFields, EveryRowHasItsOwnField) {
  expect_every_row_has_its_own_field<Icp>();
  expect_every_row_has_its_own_field<EmIcp>();
  expect_every_row_has_its_own_field<Softassign>();
  expect_every_row_has_its_own_field<Chamfer>();
  expect_every_row_has_its_own_field<FieldOptions>();
  expect_every_row_has_its_own_field<SymmetryOptions>();
  expect_every_row_has_its_own_field<BinOptions>();
  expect_every_row_has_its_own_field<BinImages>();
  expect_every_row_has_its_own_field<DepthSensor>();
  expect_every_row_has_its_own_field<dovetail::Run>();
}

}  // namespace
}  // namespace dovetail
