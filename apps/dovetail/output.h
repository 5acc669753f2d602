// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <utility>

#include "dovetail/find.h"
#include "dovetail/io.h"
#include "dovetail/points.h"
#include "dovetail/registration.h"

namespace dovetail::app {

/// Writes a message to stderr, as far as that can be written: nobody can be told that it cannot.
template <class... Args>
void print_error(fmt::format_string<Args...> text, Args&&... args) {
  const std::string whole = fmt::format(text, std::forward<Args>(args)...);
  std::fwrite(whole.data(), 1, whole.size(), stderr);
}

/// Adds a flag that names a file, under a heading in the help. An empty name is refused.
CLI::Option* add_file_flag(CLI::App& command, const char* heading, const char* flag, std::string& file,
                           const char* help, const char* type = "FILE");
/// Adds `--json FILE|-` for a result.
void add_json_flag(CLI::App& command, std::string& json);

/// Refuses what could not be written at the end before any work is done: it tries to make a file there.
void check_writable(const std::filesystem::path& file);
/// The same for a point file: also a name whose ending no format has.
void check_point_file(const std::filesystem::path& file);

/// A flag and the file it names: empty where it was not given, "-" for stdout.
using NamedOutput = std::pair<const char*, const std::string*>;
/// Refuses two outputs that go to one file or both to stdout, and what could not be written.
void check_outputs(std::initializer_list<NamedOutput> outputs);
/// Refuses an output that would take the place of a file that is read.
void check_not_input(const NamedOutput& output, std::initializer_list<std::string> inputs);

/// The moved cloud. A projective pose sends points on its horizon to infinity and those beyond it to the other side of
/// the plane: they become invalid (NaN), and a warning on stderr says how many of `file` they are.
PointCloud move_points(const Transform& pose, const PointCloud& cloud, const std::string& file);

/// `--json FILE|-`: to a file, or to stdout; nothing where there is no name.
void write_json(const std::string& file, const Registration& result);
void write_json(const std::string& file, const Found& found);
/// `--pose FILE|-`.
void write_pose_to(const std::string& file, const Transform& pose);
/// Throws FileError where what was printed did not arrive.
void flush_stdout();

/// Several things to write. What one of them throws is told on stderr, and the others are written all the same.
class Attempts {
 public:
  template <class F>
  void operator()(F&& write) {
    try {
      write();
    } catch (const std::exception& error) {
      tell(error);
    }
  }
  bool failed() const { return failed_; }

 private:
  void tell(const std::exception& error);
  bool failed_ = false;
};

}  // namespace dovetail::app
