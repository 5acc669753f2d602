// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "completion.h"

#include <fmt/format.h>

#include <algorithm>

#include "command_tree.h"

namespace dovetail::app {
namespace {

std::string path_of(const NamedCommand& command) { return fmt::format("{}", fmt::join(command.words, " ")); }

std::vector<std::string> names_below(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* below : commands_below(command)) names.push_back(below->get_name());
  return names;
}

/// For single quotes of a shell.
std::string in_quotes(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return "'" + out + "'";
}

/// Patterns of a case that all paths to commands below some command match.
std::string command_paths(const CLI::App& program) {
  std::string patterns;
  for (const NamedCommand& command : every_command(program)) {
    if (command.words.size() > 1) patterns += (patterns.empty() ? "" : " | ") + in_quotes(path_of(command));
  }
  return patterns;
}

/// What zsh would read in an argument's description: brackets and colons mean something there.
std::string for_arguments(const std::string& text) {
  std::string out;
  for (const char c : text.substr(0, text.find('\n'))) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

/// What completes a value: names, folders, files, or nothing of numbers.
std::string zsh_action(const CLI::Option& option, const std::string& value) {
  if (const auto choices = choices_of(option); !choices.empty()) return fmt::format("({})", fmt::join(choices, " "));
  if (value == "FOLDER") return "_files -/";
  return value == "NUMBER" || value == "NAME" || value == "LIST" ? " " : "_files";
}

std::string zsh_flag(const CLI::Option& flag) {
  const std::string value = value_of(flag), help = for_arguments(flag.get_description());
  const bool repeated = flag.get_expected_max() > 1;
  std::string lines;
  for (const std::string& name : spellings(flag)) {
    std::string spec = (repeated ? "*" : "") + name + "[" + help + "]";
    if (!value.empty()) spec += ":" + for_arguments(value) + ":" + zsh_action(flag, value);
    lines += " \\\n        " + in_quotes(spec);
  }
  return lines;
}

std::string zsh_command(const NamedCommand& command) {
  std::string text = fmt::format("    {})\n", in_quotes(path_of(command)));
  if (const auto below = commands_below(*command.command); !below.empty()) {
    text += "      local -a commands=(";
    for (const CLI::App* one : below) text += "\n        " + in_quotes(one->get_name() + ":" + one->get_description());
    return text + ")\n      _describe command commands\n      ;;\n";
  }
  text += "      _arguments";
  for (const CLI::Option* flag : flags_of(*command.command)) text += zsh_flag(*flag);
  for (const CLI::Option* argument : arguments_of(*command.command)) {
    const char* const many = argument->get_expected_max() > 1 ? "*" : "";
    text += " \\\n        " + in_quotes(fmt::format("{}:{}:_files", many, for_arguments(argument->get_name(true))));
  }
  return text + "\n      ;;\n";
}

}  // namespace

std::string bash_completion(const CLI::App& program) {
  std::string commands, flags, values;
  for (const NamedCommand& command : every_command(program)) {
    const std::string path = in_quotes(path_of(command));
    if (const auto below = names_below(*command.command); !below.empty()) {
      commands += fmt::format("    {}) words='{}' ;;\n", path, fmt::join(below, " "));
    }
    std::vector<std::string> names;
    for (const CLI::Option* flag : flags_of(*command.command)) {
      for (const std::string& name : spellings(*flag)) names.push_back(name);
      const auto choices = choices_of(*flag);
      if (choices.empty()) continue;
      values += fmt::format("    {}) words='{}' ;;\n", in_quotes(path_of(command) + ' ' + spellings(*flag).back()),
                            fmt::join(choices, " "));
    }
    flags += fmt::format("    {}) words='{}' ;;\n", path, fmt::join(names, " "));
  }
  // Where nothing fits, readline completes the names of files: what all other values are.
  return fmt::format(R"(# bash completion for dovetail; made by: dovetail completion bash
_dovetail() {{
  local path=dovetail current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} words= i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case "$path ${{COMP_WORDS[i]}}" in
    {}) path+=" ${{COMP_WORDS[i]}}" ;;
    esac
  done
  if [[ $current == -* ]]; then
    case $path in
{}    esac
  else
    case "$path $before" in
{}    esac
    case $path in
{}    esac
  fi
  if [[ -n $words ]]; then COMPREPLY=($(compgen -W "$words" -- "$current")); fi
}}
complete -o default -F _dovetail dovetail
)",
                     command_paths(program), flags, values, commands);
}

std::string zsh_completion(const CLI::App& program) {
  std::string commands;
  for (const NamedCommand& command : every_command(program)) commands += zsh_command(command);
  return fmt::format(R"(#compdef dovetail
# made by: dovetail completion zsh

_dovetail() {{
  local command_path=dovetail
  integer i depth=1
  for ((i = 2; i < CURRENT; ++i)); do
    case "$command_path $words[i]" in
      ({}) command_path+=" $words[i]" depth=i ;;
    esac
  done
  words=("${{(@)words[depth,-1]}}")
  (( CURRENT -= depth - 1 ))
  case $command_path in
{}  esac
}}

_dovetail "$@"
)",
                     command_paths(program), commands);
}

}  // namespace dovetail::app
