// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dovetail/options.h"

namespace dovetail::app {

/// The flags of an option struct, made from the library's own list of options: `--max-distance 3`, `--no-trace`.
template <class Options>
class OptionFlags {
 public:
  /// Adds a flag for every option but those named, under a heading in the help.
  void add_to(CLI::App& command, const std::string& heading, std::initializer_list<std::string_view> leave_out = {});

  /// Sets what was given. Throws InvalidArgument naming the option, the value and what is allowed.
  void apply(Options& options) const;

  /// The flags that were given: "--cell".
  std::vector<std::string> given() const;

 private:
  struct Given {
    std::string text;
    bool on = false;
    CLI::Option* flag = nullptr;
    bool is_flag = false;
  };
  std::map<std::string, std::unique_ptr<Given>> given_;  // CLI11 keeps pointers to the values
};

/// "max_distance" as "--max-distance".
std::string flag_name(std::string_view option);

}  // namespace dovetail::app
