// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "man_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

namespace dovetail::app {
namespace {

/// Text for roff: nothing in it is taken for a command or a special character, and hyphens can be searched and copied.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool begins_line = out.empty() || out.back() == '\n';
    if (begins_line && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

std::string bold(const std::string& text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + roff(text) + "\\fR"; }

std::string whole_name(const NamedCommand& command) { return fmt::format("{}", fmt::join(command.words, " ")); }

std::string argument_name(const CLI::Option& argument) {
  return argument.get_name(true) + (argument.get_expected_max() > 1 ? "..." : "");
}

std::string synopsis(const NamedCommand& command) {
  std::string line = bold(whole_name(command));
  if (!commands_below(*command.command).empty()) line += ' ' + italic("COMMAND");
  for (const CLI::Option* argument : arguments_of(*command.command)) {
    const std::string name = italic(argument_name(*argument));
    line += argument->get_required() ? ' ' + name : " [" + name + ']';
  }
  for (const CLI::Option* flag : flags_of(*command.command)) {
    if (flag->get_required()) line += ' ' + bold(spellings(*flag).back()) + ' ' + italic(value_of(*flag));
  }
  return line + " [" + italic("FLAG") + "]...\n";
}

std::string item(const std::string& what, const std::string& text) {
  return ".TP\n" + what + "\n" + (text.empty() ? std::string("\\&") : roff(text)) + "\n";
}

std::string flag_item(const CLI::Option& flag) {
  std::string names;
  for (const std::string& name : spellings(flag)) names += (names.empty() ? "" : ", ") + bold(name);
  if (const std::string value = value_of(flag); !value.empty()) names += ' ' + italic(value);
  std::string text = flag.get_description();
  if (!flag.get_default_str().empty()) text += fmt::format(" (default {})", flag.get_default_str());
  return item(names, text);
}

/// The flags under the headings that the help has.
std::string flags(const CLI::App& command) {
  std::vector<std::string> headings;
  for (const CLI::Option* flag : flags_of(command)) {
    if (std::find(headings.begin(), headings.end(), flag->get_group()) == headings.end()) {
      headings.push_back(flag->get_group());
    }
  }
  std::string text = headings.empty() ? "" : ".SH FLAGS\n";
  for (const std::string& heading : headings) {
    text += ".SS " + roff(heading) + "\n";
    for (const CLI::Option* flag : flags_of(command)) {
      if (flag->get_group() == heading) text += flag_item(*flag);
    }
  }
  return text;
}

/// What stands below a command's help: examples, or notes.
std::string footer(const std::string& text) {
  if (text.empty()) return {};
  std::istringstream lines(text);
  std::string line, section, rest;
  while (std::getline(lines, line)) {
    for (const char* const begin : {"Examples:", "Example: "}) {
      if (section.empty() && line.starts_with(begin)) section = "EXAMPLES", line.erase(0, std::string(begin).size());
    }
    if (section.empty()) section = "NOTES";
    if (!line.empty()) rest += roff(line) + '\n';
  }
  return ".SH " + section + "\n.nf\n" + rest + ".fi\n";
}

std::string see_also(const NamedCommand& command) {
  std::vector<std::string> pages;
  if (command.words.size() > 1) {
    pages.push_back(man_page_name({{command.words.begin(), command.words.end() - 1}, nullptr}));
  }
  for (const CLI::App* below : commands_below(*command.command)) {
    pages.push_back(man_page_name(command) + '-' + below->get_name());
  }
  std::string text;
  for (const std::string& page : pages) text += (text.empty() ? "" : ",\n") + bold(page) + "(1)";
  return text.empty() ? text : ".SH SEE ALSO\n" + text + "\n";
}

}  // namespace

std::string man_page_name(const NamedCommand& command) { return fmt::format("{}", fmt::join(command.words, "-")); }

std::string man_page(const NamedCommand& command, const std::string& version) {
  const CLI::App& app = *command.command;
  const std::string description = app.get_description(), name = man_page_name(command);
  const std::string first = description.substr(0, description.find('\n'));
  std::string page = fmt::format(".TH {} 1 \"\" \"dovetail {}\" \"User Commands\"\n", roff(upper(name)), version);
  page += ".SH NAME\n" + roff(name) + " \\- " + roff(first) + "\n";
  page += ".SH SYNOPSIS\n" + synopsis(command);
  if (description.size() > first.size()) {
    page += ".SH DESCRIPTION\n.nf\n" + roff(description.substr(description.find_first_not_of('\n', first.size()))) +
            "\n.fi\n";
  }
  if (const auto below = commands_below(app); !below.empty()) {
    page += ".SH COMMANDS\n";
    for (const CLI::App* one : below) page += item(bold(one->get_name()), one->get_description());
  }
  if (const auto arguments = arguments_of(app); !arguments.empty()) {
    page += ".SH ARGUMENTS\n";
    for (const CLI::Option* one : arguments) page += item(italic(argument_name(*one)), one->get_description());
  }
  return page + flags(app) + footer(app.get_footer()) + see_also(command);
}

}  // namespace dovetail::app
