// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "output.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <chrono>

#include "dovetail/error.h"
#include "dovetail/pose_file.h"

namespace dovetail::app {

void check_writable(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder)) {
    throw FileError(fmt::format("{}: the folder {} is not there", file.string(), folder.string()));
  }
  if (std::filesystem::is_directory(file)) throw FileError(file.string() + ": is a folder");
}

void check_point_file(const std::filesystem::path& file) {
  check_writable(file);
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  // The list reads "PLY (.ply), XYZ (.xyz .txt)": an ending is a whole word in it.
  const std::string formats = supported_formats();
  for (std::size_t at = formats.find(ending); !ending.empty() && at != std::string::npos;
       at = formats.find(ending, at + 1)) {
    const char after = at + ending.size() < formats.size() ? formats[at + ending.size()] : ')';
    if (after == ' ' || after == ')') return;
  }
  throw InvalidArgument(fmt::format("{}: the name's ending is none of {}", file.string(), formats));
}

void write_json(const std::string& file, const Registration& result) {
  if (file.empty()) return;
  if (file != "-") return write_result(file, result);
  const std::string text = to_json(result) + '\n';
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw FileError("stdout: cannot be written");
  }
}

PointCloud timed_read(const std::filesystem::path& file, double& milliseconds) {
  const auto began = std::chrono::steady_clock::now();
  PointCloud cloud = read_points(file);
  milliseconds += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
  return cloud;
}

}  // namespace dovetail::app
