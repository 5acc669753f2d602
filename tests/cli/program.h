// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail::test {

/// What a run of the program did.
struct Outcome {
  int exit_code = -1;  ///< 128 + the signal's number where one ended it
  std::string out, err;
};

/// A temporary folder, removed with all in it at the end.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  const std::filesystem::path& path() const { return path_; }
  /// All files in it, by name.
  std::vector<std::string> files() const;

 private:
  std::filesystem::path path_;
};

/// Runs the built program in `folder` and waits for it. With `interrupt`, sends it one Ctrl-C as soon as it listens.
Outcome run_program(const Folder& folder, const std::vector<std::string>& arguments, bool interrupt = false);

/// The program ended with a code, printed nothing, and its message has all these parts.
void expect_refusal(const Outcome& done, int code, const std::vector<std::string>& parts);

std::string read_text(const std::string& file);
void write_text(const std::string& file, std::string_view text);
inline nlohmann::json read_json(const std::string& file) { return nlohmann::json::parse(read_text(file)); }

}  // namespace dovetail::test
