// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include "cli/program.h"
#include "cli/shapes.h"
#include "dovetail/dovetail.h"

namespace dovetail::test {
namespace {

/// What is told of words that the program does not know.
class Usage : public testing::Test {
 protected:
  void expect_refusal(const std::vector<std::string>& words, const std::vector<std::string>& parts) const {
    const Outcome done = run_program(folder_, words);
    EXPECT_EQ(done.exit_code, 2) << done.err;
    EXPECT_EQ(done.out, "");
    EXPECT_TRUE(done.err.starts_with("dovetail: ")) << done.err;
    for (const std::string& part : parts) EXPECT_NE(done.err.find(part), std::string::npos) << part << "\n" << done.err;
  }

  Folder folder_;
};

TEST_F(Usage, an_unknown_command_is_named_with_the_nearest_one) {
  expect_refusal({"registr", "icp", "a", "b"},
                 {"no command 'registr'", "did you mean register?", "evaluate, find, field"});
  expect_refusal({"xyzzy"}, {"no command 'xyzzy'; there are: register", "(see dovetail --help)"});
  expect_refusal({"field", "biuld", "a"}, {"no command 'biuld'", "did you mean build?", "(see dovetail field --help)"});
  expect_refusal({"field"}, {"name a command: build, info", "(see dovetail field --help)"});
  expect_refusal({"register", "ipc", "a", "b"}, {"no method 'ipc'", "did you mean icp?", "softassign"});
  expect_refusal({"register"}, {"name a method: icp, em-icp"});
  expect_refusal({"help", "registr"}, {"no command 'registr'", "did you mean register?"});
}

TEST_F(Usage, no_command_shows_the_help) {
  const Outcome done = run_program(folder_, {});
  EXPECT_EQ(done.exit_code, 2);
  EXPECT_EQ(done.out, "");
  EXPECT_NE(done.err.find("Usage: dovetail"), std::string::npos) << done.err;
  EXPECT_NE(done.err.find("dovetail: name a command"), std::string::npos) << done.err;
}

TEST_F(Usage, an_unknown_flag_is_named_with_the_nearest_one) {
  const std::string place = "(see dovetail register icp --help)";
  expect_refusal({"register", "icp", "a", "b", "--metrik", "point_to_plane"},
                 {"there is no flag --metrik; did you mean --metric?", place});
  expect_refusal({"register", "icp", "--max-dist=3", "a", "b"}, {"no flag --max-dist; did you mean --max-distance?"});
  expect_refusal({"register", "icp", "a", "b", "--qqq"}, {"there is no flag --qqq " + place});
  expect_refusal({"--foo"}, {"there is no flag --foo (see dovetail --help)"});
  expect_refusal({"register", "icp", "a"}, {"TARGET is required", place});
  expect_refusal({"register", "icp", "a", "b", "c", "d"}, {"not expected: c d " + place});
  expect_refusal({"--", "register"}, {"(see dovetail --help)"});
  expect_refusal({"field", "build", "a.ply", "--ot", "b"}, {"--ot", "--out", "(see dovetail field build --help)"});
}

TEST_F(Usage, help_is_a_command_too) {
  EXPECT_EQ(run_program(folder_, {"help"}).out, run_program(folder_, {"--help"}).out);
  EXPECT_EQ(run_program(folder_, {"help"}).exit_code, 0);
  const Outcome done = run_program(folder_, {"help", "register", "em_icp"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_EQ(done.out, run_program(folder_, {"register", "em-icp", "--help"}).out);
  EXPECT_NE(done.out.find("--annealing"), std::string::npos) << done.out;
}

TEST_F(Usage, a_methods_name_may_have_an_underscore) {
  write_points(folder_ / "target.ply", hills());
  write_points(folder_ / "source.ply", small_motion().inverse() * hills());
  const Outcome done =
      run_program(folder_, {"register", "em_icp", "source.ply", "target.ply", "--starts", "1", "--json", "run.json"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_NE(done.out.find("usable"), std::string::npos) << done.out;
  EXPECT_EQ(read_json(folder_ / "run.json")["method"], "em_icp");
  EXPECT_EQ(run_program(folder_, {"options", "em_icp"}).out, run_program(folder_, {"options", "em-icp"}).out);
}

TEST_F(Usage, options_takes_no_misspelt_method_for_a_file) {
  expect_refusal({"options", "nothing"}, {"no method 'nothing'", "icp", "find", "bin"});
  expect_refusal({"options", "--json", "chamferr"}, {"no method 'chamferr'", "did you mean chamfer?"});
  EXPECT_TRUE(folder_.files().empty());
  EXPECT_EQ(run_program(folder_, {"options", "--json", "em_icp"}).exit_code, 0);
  EXPECT_EQ(run_program(folder_, {"options", "--json", "./list"}).exit_code, 0);
  EXPECT_EQ(folder_.files(), std::vector<std::string>{"list"});
}

}  // namespace
}  // namespace dovetail::test
