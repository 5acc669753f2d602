// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <sstream>

#include "cli/program.h"
#include "dovetail/dovetail.h"

namespace dovetail::test {
namespace {

std::string text_of(const Folder& folder, const std::vector<std::string>& words) {
  const Outcome done = run_program(folder, words);
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_EQ(done.err, "");
  return done.out;
}

/// As a reader sees it: without what is for roff alone.
std::string shown(std::string page) {
  for (const char* mark : {"\\fB", "\\fI", "\\fR", "\\&"}) {
    for (std::size_t at = page.find(mark); at != std::string::npos; at = page.find(mark, at))
      page.erase(at, 3 - (mark[1] == '&'));
  }
  for (std::size_t at = page.find("\\-"); at != std::string::npos; at = page.find("\\-", at)) page.erase(at, 1);
  return page;
}

bool program_is_there(const char* name) {
  return std::system((std::string("command -v ") + name + " >/dev/null 2>&1").c_str()) == 0;
}

/// What bash would complete: the words of the command line, the last one as far as it is typed.
std::vector<std::string> completed(const Folder& folder, const std::vector<std::string>& words) {
  write_text(folder / "completion.bash", text_of(folder, {"completion", "bash"}));
  std::string line;
  for (const std::string& word : words) line += " '" + word + "'";
  write_text(folder / "ask.sh", "source completion.bash\nCOMP_WORDS=(" + line +
                                    ")\nCOMP_CWORD=" + std::to_string(words.size() - 1) +
                                    "\n_dovetail\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n");
  EXPECT_EQ(std::system(("cd '" + folder.path().string() + "' && bash ask.sh >answer.txt").c_str()), 0);
  std::istringstream answer(read_text(folder / "answer.txt"));
  std::vector<std::string> found;
  for (std::string word; answer >> word;) found.push_back(word);
  return found;
}

TEST(Manual, has_every_flag_with_its_help_from_the_table) {
  const Folder folder;
  const std::string page = shown(text_of(folder, {"manual", "register", "icp"}));
  EXPECT_TRUE(page.starts_with(".TH DOVETAIL-REGISTER-ICP 1")) << page.substr(0, 80);
  EXPECT_NE(page.find("dovetail-register-icp - Iterative closest point"), std::string::npos);
  for (const OptionInfo& option : list_options<Icp>()) {
    std::string flag = "--" + option.name;
    std::replace(flag.begin(), flag.end(), '_', '-');
    EXPECT_NE(page.find(flag), std::string::npos) << flag;
    EXPECT_NE(page.find(option.help + " (default " + option.default_value), std::string::npos) << flag;
  }
  EXPECT_NE(page.find(".SH EXAMPLES\n.nf\n  dovetail register icp scan2.ply"), std::string::npos);
  EXPECT_NE(page.find("dovetail-register(1)"), std::string::npos);
}

TEST(Manual, has_a_page_for_every_command_of_the_help) {
  const Folder folder;
  EXPECT_EQ(text_of(folder, {"manual", "--out", "man1"}), "");
  const std::string page = shown(read_text(folder / "man1/dovetail.1"));
  EXPECT_NE(page.find("Exit codes: 0 usable result"), std::string::npos);
  std::istringstream help(text_of(folder, {"--help"}));
  std::size_t commands = 0;
  bool listed = false;
  for (std::string line; std::getline(help, line);) {
    listed = line == "Subcommands:" || (listed && !line.empty());
    if (!listed || !line.starts_with("  ")) continue;
    const std::string name = line.substr(2, line.find(' ', 2) - 2);
    ++commands;
    EXPECT_TRUE(std::filesystem::exists(folder / ("man1/dovetail-" + name + ".1"))) << name;
    EXPECT_NE(page.find("dovetail-" + name + "(1)"), std::string::npos) << name;
  }
  EXPECT_GT(commands, 10u);
  EXPECT_TRUE(std::filesystem::exists(folder / "man1/dovetail-pose-find.1"));
  EXPECT_EQ(text_of(folder, {"manual", "pose", "find"}), read_text(folder / "man1/dovetail-pose-find.1"));
}

TEST(Manual, is_read_by_man_without_a_complaint) {
  if (!program_is_there("groff")) GTEST_SKIP() << "groff is not installed";
  const Folder folder;
  text_of(folder, {"manual", "--out", "man1"});
  const std::string check = "cd '" + folder.path().string() +
                            "/man1' && for page in *.1; do groff -man -Tutf8 -ww -z \"$page\"; done >../told.txt 2>&1";
  EXPECT_EQ(std::system(check.c_str()), 0);
  EXPECT_EQ(read_text(folder / "told.txt"), "");
}

TEST(Manual, names_the_nearest_command) {
  const Folder folder;
  expect_refusal(run_program(folder, {"manual", "register", "ipc"}), 2,
                 {"no command 'dovetail register ipc'", "did you mean dovetail register icp?"});
  expect_refusal(run_program(folder, {"manual", "pose", "--out", "x"}), 2, {"--out", "every page"});
  expect_refusal(run_program(folder, {"completion", "tcsh"}), 2, {"tcsh", "allowed: bash, zsh"});
}

TEST(Completion, of_commands_flags_and_names) {
  if (!program_is_there("bash")) GTEST_SKIP() << "bash is not installed";
  const Folder folder;
  using Words = std::vector<std::string>;
  EXPECT_EQ(completed(folder, {"dovetail", "regi"}), Words{"register"});
  EXPECT_EQ(completed(folder, {"dovetail", "register", ""}),
            (Words{"icp", "em-icp", "softassign", "gpicp", "chamfer"}));
  EXPECT_EQ(completed(folder, {"dovetail", "register", "icp", "a.ply", "--max-d"}), Words{"--max-distance"});
  EXPECT_EQ(completed(folder, {"dovetail", "register", "icp", "--metric", "point_to_pl"}), Words{"point_to_plane"});
  EXPECT_EQ(completed(folder, {"dovetail", "find", "a.stl", "--machine", ""}),
            (Words{"auto", "cpu", "cuda", "reference"}));
  EXPECT_EQ(completed(folder, {"dovetail", "register", "icp", "--no-tr"}), Words{"--no-trace"});
  EXPECT_EQ(completed(folder, {"dovetail", "register", "icp", "--json", ""}), Words{}) << "readline completes files";
}

TEST(Completion, of_zsh_is_read_by_zsh) {
  if (!program_is_there("zsh")) GTEST_SKIP() << "zsh is not installed";
  const Folder folder;
  write_text(folder / "_dovetail", text_of(folder, {"completion", "zsh"}));
  EXPECT_EQ(std::system(("zsh -n '" + (folder / "_dovetail") + "'").c_str()), 0);
}

}  // namespace
}  // namespace dovetail::test
