// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "command_tree.h"

namespace dovetail::app {
namespace {

void add_with_those_below(std::vector<NamedCommand>& all, NamedCommand command) {
  all.push_back(command);
  for (const CLI::App* below : commands_below(*command.command)) {
    NamedCommand next = command;
    next.words.push_back(below->get_name());
    next.command = below;
    add_with_those_below(all, std::move(next));
  }
}

}  // namespace

std::vector<NamedCommand> every_command(const CLI::App& program) {
  std::vector<NamedCommand> all;
  add_with_those_below(all, {{program.get_name()}, &program});
  return all;
}

std::vector<const CLI::App*> commands_below(const CLI::App& command) {
  return command.get_subcommands([](const CLI::App* below) { return !below->get_group().empty(); });
}

std::vector<const CLI::Option*> arguments_of(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

std::vector<const CLI::Option*> flags_of(const CLI::App& command) {
  return command.get_options(
      [](const CLI::Option* option) { return option->nonpositional() && !option->get_group().empty(); });
}

std::vector<std::string> spellings(const CLI::Option& flag) {
  std::vector<std::string> names;
  for (const std::string& name : flag.get_snames()) names.push_back("-" + name);
  for (const std::string& name : flag.get_lnames()) names.push_back("--" + name);
  return names;
}

std::string value_of(const CLI::Option& flag) {
  return flag.get_type_size() == 0 ? std::string() : flag.get_type_name();
}

std::vector<std::string> choices_of(const CLI::Option& flag) {
  // The table of options tells them in the help: "(default auto; allowed: auto, cpu, cuda; cuda:N for ...)".
  if (value_of(flag) != "NAME") return {};
  static const std::string before = "; allowed: ";
  const std::string& help = flag.get_description();
  std::size_t at = help.rfind(before);
  if (at == std::string::npos) return {};
  at += before.size();
  const std::size_t end = help.find_first_of(";)", at);
  std::vector<std::string> names;
  while (at < end) {
    const std::size_t comma = std::min(help.find(", ", at), end);
    names.push_back(help.substr(at, comma - at));
    at = comma + 2;
  }
  return names;
}

}  // namespace dovetail::app
