// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/options.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "cli/program.h"
#include "dovetail/dovetail.h"

namespace dovetail::test {
namespace {

void expect_same(const nlohmann::json& listed, const std::vector<OptionInfo>& options) {
  ASSERT_EQ(listed.size(), options.size());
  for (std::size_t i = 0; i < options.size(); ++i) {
    EXPECT_EQ(listed[i]["name"], options[i].name);
    EXPECT_EQ(listed[i]["kind"], options[i].kind);
    EXPECT_EQ(listed[i]["default"], options[i].default_value);
    EXPECT_EQ(listed[i]["allowed"], options[i].allowed);
    EXPECT_EQ(listed[i]["help"], options[i].help);
  }
}

TEST(OptionsCommand, json_is_the_librarys_list) {
  const Folder folder;
  for (const std::vector<std::string>& form : std::vector<std::vector<std::string>>{{"options", "icp", "--json"},
                                                                                    {"options", "--json", "icp"},
                                                                                    {"options", "--json", "-"},
                                                                                    {"options", "--json"}}) {
    const Outcome done = run_program(folder, form);
    ASSERT_EQ(done.exit_code, 0) << done.err;
    const nlohmann::json json = nlohmann::json::parse(done.out);
    expect_same(json["methods"]["icp"], list_options<Icp>());
    expect_same(json["run"], list_options<dovetail::Run>());
  }
  EXPECT_TRUE(folder.files().empty());
  EXPECT_EQ(run_program(folder, {"options", "--json", "list.json"}).exit_code, 0);
  EXPECT_EQ(read_json(folder / "list.json")["schema"], "dovetail.options/1");
}

TEST(OptionsCommand, lists_bins_as_their_command_takes_them) {
  const Folder folder;
  const Outcome done = run_program(folder, {"options", "bin"});
  ASSERT_EQ(done.exit_code, 0) << done.err;
  const std::string help = run_program(folder, {"bin", "simulate", "--help"}).out;
  for (const char* flag : {"--friction", "--time-step", "--field-of-view", "--shift-noise"}) {
    EXPECT_NE(done.out.find(flag), std::string::npos) << flag;
    EXPECT_NE(help.find(flag), std::string::npos) << flag;
  }
  EXPECT_EQ(done.out.find("--height"), std::string::npos) << "that is --size";
  EXPECT_EQ(run_program(folder, {"options", "find"}).exit_code, 0);
}

TEST(OptionsCommand, table_and_help_name_every_option) {
  const Folder folder;
  const std::string table = run_program(folder, {"options"}).out;
  const std::string help = run_program(folder, {"register", "icp", "--help"}).out;
  std::vector<OptionInfo> all = list_options<Icp>();
  for (const OptionInfo& info : list_options<dovetail::Run>()) all.push_back(info);
  for (const OptionInfo& info : all) {
    std::string flag = "--" + info.name;
    std::replace(flag.begin(), flag.end(), '_', '-');
    for (const std::string& text : {table, help}) {
      EXPECT_NE(text.find(flag), std::string::npos) << flag;
      EXPECT_NE(text.find(info.help), std::string::npos) << info.help;
    }
  }
}

TEST(InfoCommand, names_machines_methods_and_formats) {
  const Outcome done = run_program(Folder(), {"info"});
  EXPECT_EQ(done.exit_code, 0);
  EXPECT_EQ(done.err, "");
  EXPECT_NE(done.out.find(build_info().version), std::string::npos);
  EXPECT_NE(done.out.find(supported_formats()), std::string::npos);
  for (const MachineInfo& machine : available_machines()) {
    EXPECT_NE(done.out.find(machine.name), std::string::npos) << machine.name;
  }
  EXPECT_NE(done.out.find("scanner"), std::string::npos);
}

}  // namespace
}  // namespace dovetail::test
