// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>

namespace dovetail::app {

/// What the program tells the shell.
enum ExitCode : int {
  success = 0,       ///< a usable result
  not_usable = 1,    ///< it ran, but the result is not usable
  usage_error = 2,   ///< flags, options or values that are not allowed
  world_failure = 3  ///< a file or a device failed
};

/// What the chosen command does, once the whole command line has been understood; returns an exit code.
using Action = std::function<int()>;

/// Adds a command that is a value of `Command`: add_to() declares its flags, whose values it holds, and run() is what
/// it does. When it is chosen, it sets `action`.
template <class Command>
void add_command(CLI::App& parent, Action& action, const char* name, const char* what, const std::string& footer) {
  CLI::App* const app = parent.add_subcommand(name, what);
  app->footer(footer);
  const auto command = std::make_shared<Command>();
  command->add_to(*app);
  app->callback([command, &action] { action = [command] { return command->run(); }; });
}

// Each adds its command to the program.
void add_register(CLI::App& program, Action& action);
void add_evaluate(CLI::App& program, Action& action);
void add_find(CLI::App& program, Action& action);
void add_report(CLI::App& program, Action& action);
void add_field(CLI::App& program, Action& action);
void add_bin(CLI::App& program, Action& action);
void add_pose(CLI::App& program, Action& action);
void add_symmetry(CLI::App& program, Action& action);
void add_apply(CLI::App& program, Action& action);
void add_convert(CLI::App& program, Action& action);
void add_options(CLI::App& program, Action& action);
void add_info(CLI::App& program, Action& action);
void add_demo(CLI::App& program, Action& action);
void add_manual(CLI::App& program, Action& action);
void add_completion(CLI::App& program, Action& action);

}  // namespace dovetail::app
