// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "usage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "dovetail/error.h"
#include "dovetail/options.h"

namespace dovetail::app {
namespace {

std::string with_hyphens(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

bool is_method(const std::string& name) {
  const std::vector<std::string> names = method_names();
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_digits(const std::string& word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Whether a word is meant as a flag: `--metric`, `-q`, but not `-`, `-3` or `-.5`.
bool is_flag(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && std::isdigit(static_cast<unsigned char>(word[1])) == 0 && word[1] != '.';
}

std::vector<const CLI::App*> commands_of(const CLI::App& command) {
  return command.get_subcommands([](const CLI::App*) { return true; });
}

/// How far the words name commands: `register icp` of `register icp a.ply b.ply`.
struct Place {
  const CLI::App* command;
  std::string name = "dovetail";
  std::size_t next = 0;
};

Place find_place(const CLI::App& program, const std::vector<std::string>& words) {
  Place place{&program};
  for (; place.next < words.size(); ++place.next) {
    const CLI::App* below = nullptr;
    for (const CLI::App* command : commands_of(*place.command)) {
      if (command->get_name() == words[place.next]) below = command;
    }
    if (!below) break;
    place.command = below;
    place.name += ' ' + words[place.next];
  }
  return place;
}

/// How many letters have to be put in, left out, changed or swapped with their neighbour.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = last;
    last = row;
  }
  return last.back();
}

}  // namespace

std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
  std::string best;
  std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : known) {
    // A word that was cut short is near as well: `--max-dist`.
    const bool beginning = word.size() >= 4 && candidate.starts_with(word);
    const std::size_t d = beginning ? 1 : edit_distance(word, candidate);
    if (d < least) least = d, best = candidate;
  }
  return best.empty() ? std::string() : "; did you mean " + best + "?";
}

namespace {

/// "there is no method 'ipc'; did you mean icp? There are: ..."
std::string no_such(const char* kind, const std::string& word, const std::vector<std::string>& known) {
  const std::string meant = suggestion(word, known);
  return fmt::format("there is no {} '{}'{}{} {}", kind, word, meant,
                     meant.empty() ? "; there are:" : " There are:", fmt::join(known, ", "));
}

std::string help_of(const Place& place) { return fmt::format(" (see {} --help)", place.name); }

/// The first flag that the command does not have, in words; empty where it has all.
std::string unknown_flag(const Place& place, const std::vector<std::string>& words) {
  std::vector<std::string> known;
  for (const CLI::Option* option : place.command->get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  for (std::size_t i = place.next; i < words.size() && words[i] != "--"; ++i) {
    const std::string flag = words[i].substr(0, words[i].find('='));
    if (!is_flag(flag) || place.command->get_option_no_throw(flag) != nullptr) continue;
    return fmt::format("there is no flag {}{}", flag, suggestion(flag, known));
  }
  return {};
}

/// "Could not convert: --bins = 1.5" as this program says it; other messages as they are.
std::string conversion_in_words(const std::string& message) {
  constexpr std::string_view begin = "Could not convert: ", middle = " = ";
  const std::size_t at = message.find(middle);
  if (!message.starts_with(begin) || at == std::string::npos) return message;
  const std::string flag = message.substr(begin.size(), at - begin.size()), value = message.substr(at + middle.size());
  char* end = nullptr;
  std::strtod(value.c_str(), &end);
  const bool is_number = !value.empty() && *end == '\0';  // but not one that a count may be
  return fmt::format("{}: '{}' is not allowed; allowed: {}", flag, value,
                     is_number ? "whole numbers up to 2147483647" : "a number");
}

}  // namespace

std::vector<std::string> arguments(int count, char** values) {
  std::vector<std::string> words(values + 1, values + count);
  if (!words.empty() && words.front() == "help") {
    words.erase(words.begin());
    words.push_back("--help");
  }
  if (words.size() > 1 && words[0] == "register" && is_method(with_hyphens(words[1])))
    words[1] = with_hyphens(words[1]);
  // The number of --normals may be left out, so that what follows could be a file as well.
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] != "--normals" || !is_digits(words[i + 1])) continue;
    words[i] += '=' + words[i + 1];
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
  return words;
}

void check_command(const CLI::App& program, const std::vector<std::string>& words) {
  const Place place = find_place(program, words);
  std::vector<std::string> known;
  for (const CLI::App* command : commands_of(*place.command)) known.push_back(command->get_name());
  if (known.empty()) return;
  const char* const kind = place.command->get_name() == "register" ? "method" : "command";
  if (place.next == words.size()) {
    throw InvalidArgument(fmt::format("name a {}: {}{}", kind, fmt::join(known, ", "), help_of(place)));
  }
  const std::string& word = words[place.next];
  if (word.starts_with('-')) {
    const std::string wrong = unknown_flag(place, words);
    if (!wrong.empty()) throw InvalidArgument(wrong + help_of(place));
  } else {
    throw InvalidArgument(no_such(kind, word, known) + help_of(place));
  }
}

std::string explain(const CLI::App& program, const std::vector<std::string>& words, const CLI::ParseError& error) {
  const Place place = find_place(program, words);
  const std::string wrong = unknown_flag(place, words);
  if (!wrong.empty()) return wrong + help_of(place);
  const std::vector<std::string> rest = place.command->remaining();
  if (!rest.empty()) return fmt::format("not expected: {}{}", fmt::join(rest, " "), help_of(place));
  return conversion_in_words(error.what()) + help_of(place);
}

std::string method_named(const std::string& name) {
  if (is_method(with_hyphens(name))) return with_hyphens(name);
  throw InvalidArgument(no_such("method", name, method_names()));
}

}  // namespace dovetail::app
