// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

// What the program's commands say of themselves, for texts that are made of it: man pages, completions.

namespace dovetail::app {

/// A command and its whole name: dovetail, register, icp.
struct NamedCommand {
  std::vector<std::string> words;
  const CLI::App* command;
};

/// The program and all below it, each before those below it.
std::vector<NamedCommand> every_command(const CLI::App& program);

/// Those right below a command.
std::vector<const CLI::App*> commands_below(const CLI::App& command);

/// What stands in no flag: FILE. In the order in which it is given.
std::vector<const CLI::Option*> arguments_of(const CLI::App& command);

/// What has a name with hyphens, less what is hidden.
std::vector<const CLI::Option*> flags_of(const CLI::App& command);

/// Every spelling: -h, --help, or --trace, --no-trace.
std::vector<std::string> spellings(const CLI::Option& flag);

/// What follows a flag: "NUMBER", "FILE"; nothing of one that is on or off.
std::string value_of(const CLI::Option& flag);

/// The names that a value may be; empty where it may be anything.
std::vector<std::string> choices_of(const CLI::Option& flag);

}  // namespace dovetail::app
