// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "command.h"
#include "completion.h"
#include "dovetail/error.h"
#include "dovetail/machines.h"
#include "man_page.h"
#include "output.h"
#include "usage.h"

namespace dovetail::app {
namespace {

namespace fs = std::filesystem;

void write_pages(const CLI::App& program, const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw FileError(fmt::format("{}: the folder cannot be made: {}", folder.string(), error.message()));
  for (const NamedCommand& command : every_command(program)) {
    const fs::path page = folder / (man_page_name(command) + ".1");
    std::ofstream file(page);
    file << man_page(command, build_info().version);
    if (!file.flush()) throw FileError(page.string() + ": cannot be written");
  }
}

void print_page(const CLI::App& program, std::vector<std::string> words) {
  words.insert(words.begin(), program.get_name());
  std::vector<std::string> pages;
  for (const NamedCommand& command : every_command(program)) {
    if (command.words == words) return fmt::print("{}", man_page(command, build_info().version));
    pages.push_back(fmt::format("{}", fmt::join(command.words, " ")));
  }
  const std::string wanted = fmt::format("{}", fmt::join(words, " "));
  throw InvalidArgument(
      fmt::format("there is no command '{}'{} (see dovetail --help)", wanted, suggestion(wanted, pages)));
}

}  // namespace

void add_manual(CLI::App& program, Action& action) {
  CLI::App* const command = program.add_subcommand("manual", "Print the manual page of the program or of a command");
  command->footer(
      "Examples:\n  dovetail manual | man -l -\n  dovetail manual register icp | man -l -\n"
      "  dovetail manual --out ~/.local/share/man/man1");
  const auto words = std::make_shared<std::vector<std::string>>();
  const auto folder = std::make_shared<std::string>();
  command->add_option("COMMAND", *words, "the command, as it is called: register icp")->type_name("NAME");
  add_file_flag(*command, "Output", "--out", *folder, "write the pages of all commands to a folder", "FOLDER");
  command->callback([words, folder, &program, &action] {
    action = [words, folder, &program]() -> int {
      if (!folder->empty() && !words->empty()) throw InvalidArgument("--out: writes every page; name no command");
      folder->empty() ? print_page(program, *words) : write_pages(program, *folder);
      return success;
    };
  });
}

void add_completion(CLI::App& program, Action& action) {
  CLI::App* const command =
      program.add_subcommand("completion", "Print what a shell needs to complete commands and flags");
  command->footer(
      "Examples:\n  source <(dovetail completion bash)\n"
      "  dovetail completion zsh > ~/.zfunc/_dovetail   # a folder that is in $fpath before compinit");
  const auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash or zsh")->type_name("NAME")->required();
  command->callback([shell, &program, &action] {
    action = [shell, &program]() -> int {
      if (*shell != "bash" && *shell != "zsh") {
        throw InvalidArgument(fmt::format("SHELL: '{}' is not allowed; allowed: bash, zsh", *shell));
      }
      fmt::print("{}", *shell == "bash" ? bash_completion(program) : zsh_completion(program));
      return success;
    };
  });
}

}  // namespace dovetail::app
