// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace dovetail::app {

/// The words of the command line as the parser takes them: `help register` as `register --help`, `em_icp` as `em-icp`,
/// `--normals 24` as `--normals=24`.
std::vector<std::string> arguments(int count, char** values);

/// "; did you mean icp?", or nothing where none of the words is near.
std::string suggestion(std::string_view word, const std::vector<std::string>& known);

/// Throws InvalidArgument for a word that stands where a command or a method has to and is none: it names the word, the
/// nearest one and all there are.
void check_command(const CLI::App& program, const std::vector<std::string>& words);

/// What a parser's error means, and where to read on.
std::string explain(const CLI::App& program, const std::vector<std::string>& words, const CLI::ParseError& error);

/// A method's name with hyphens, where it may have underscores. Throws InvalidArgument that lists the methods there are
/// where it is none.
std::string method_named(const std::string& name);

}  // namespace dovetail::app
