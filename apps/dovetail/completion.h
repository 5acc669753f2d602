// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace dovetail::app {

/// What bash sources to complete commands, flags and names of values.
std::string bash_completion(const CLI::App& program);

/// The same for zsh, with what each means: a file _dovetail in a folder of $fpath.
std::string zsh_completion(const CLI::App& program);

}  // namespace dovetail::app
