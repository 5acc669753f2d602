// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "output.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <system_error>

#include "dovetail/error.h"
#include "dovetail/pose_file.h"
#include "observed.h"

namespace dovetail::app {
namespace {

namespace fs = std::filesystem;

std::string reason() { return std::generic_category().message(errno); }

/// Where a name leads, links followed.
fs::path resolved(const fs::path& file) {
  std::error_code ignored;
  const fs::path whole = fs::weakly_canonical(fs::absolute(file, ignored), ignored);
  return whole.empty() ? file : whole;
}

bool is_device(const fs::path& file) {
  std::error_code ignored;
  return fs::exists(file, ignored) && !fs::is_regular_file(file, ignored);
}

void to_stdout(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  flush_stdout();
}

}  // namespace

CLI::Option* named_file(CLI::Option* flag) {
  return flag->check(CLI::Validator(
      [](std::string& name) { return name.empty() ? std::string("a file's name is needed, this one is empty") : ""; },
      ""));
}

void check_writable(const fs::path& file) {
  const fs::path target = resolved(file), folder = file.parent_path();
  std::error_code ignored;  // what cannot be looked at cannot be made either, and that tells why
  if (!folder.empty() && !fs::is_directory(folder, ignored)) {
    throw FileError(fmt::format("{}: the folder {} is not there", file.string(), folder.string()));
  }
  if (fs::is_directory(target, ignored)) throw FileError(file.string() + ": is a folder");
  if (is_device(target)) {
    if (::access(target.c_str(), W_OK) != 0) throw FileError(file.string() + ": cannot be written: " + reason());
    return;
  }
  // Files are written under another name in the same folder first: whether that can be made is all there is to know.
  const fs::path trial = target.parent_path() / fmt::format(".{}.{}.part", target.filename().string(), ::getpid());
  const int descriptor = ::open(trial.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) throw FileError(file.string() + ": cannot be written: " + reason());
  ::close(descriptor);
  ::unlink(trial.c_str());
}

void check_point_file(const fs::path& file) {
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  // The list reads "PLY (.ply), XYZ (.xyz .txt)": an ending is a whole word in it.
  const std::string formats = supported_formats();
  bool known = false;
  for (std::size_t at = formats.find(ending); !ending.empty() && at != std::string::npos;
       at = formats.find(ending, at + 1)) {
    const char after = at + ending.size() < formats.size() ? formats[at + ending.size()] : ')';
    known = known || after == ' ' || after == ')';
  }
  if (!known) throw InvalidArgument(fmt::format("{}: the name's ending is none of {}", file.string(), formats));
  check_writable(file);
}

void check_outputs(std::initializer_list<NamedOutput> outputs) {
  for (auto a = outputs.begin(); a != outputs.end(); ++a) {
    const auto& [flag, file] = *a;
    if (file->empty()) continue;
    for (auto b = outputs.begin(); b != a; ++b) {
      const auto& [other_flag, other] = *b;
      if (other->empty() || (*file == "-") != (*other == "-")) continue;
      if (*file == "-") throw InvalidArgument(fmt::format("{} and {} both go to stdout", other_flag, flag));
      if (resolved(*file) == resolved(*other) && !is_device(*file)) {
        throw InvalidArgument(fmt::format("{} and {} both name {}", other_flag, flag, *file));
      }
    }
    if (*file != "-") check_writable(*file);
  }
}

void check_not_input(const NamedOutput& output, std::initializer_list<std::string> inputs) {
  const auto& [flag, file] = output;
  for (const std::string& input : inputs) {
    if (file->empty() || *file == "-" || is_device(*file) || resolved(*file) != resolved(input)) continue;
    throw InvalidArgument(fmt::format("{}: {} is read, and would be lost", flag, *file));
  }
}

void write_json(const std::string& file, const Registration& result) {
  if (file.empty()) return;
  file == "-" ? to_stdout(to_json(result) + '\n') : write_result(file, result);
}

void write_pose_to(const std::string& file, const Transform& pose) {
  if (file.empty()) return;
  file == "-" ? to_stdout(to_text(pose)) : write_pose(file, pose);
}

void flush_stdout() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) throw FileError("stdout: cannot be written: " + reason());
}

void Attempts::tell(const std::exception& error) {
  failed_ = true;
  fmt::print(stderr, "dovetail: {}\n", error.what());
}

PointCloud timed_read(const fs::path& file, double& milliseconds) {
  if (is_field(file.string())) {
    throw InvalidArgument(
        fmt::format("{} is a distance field and no point file; `dovetail register chamfer` takes it as its reference",
                    file.string()));
  }
  const auto began = std::chrono::steady_clock::now();
  PointCloud cloud = read_points(file);
  milliseconds += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
  return cloud;
}

void check_dimensions(const std::string& source, int of_source, const std::string& target, int of_target) {
  if (of_source == of_target) return;
  throw FileError(
      fmt::format("{} has {} dimensions and {} has {}: they must be alike", source, of_source, target, of_target));
}

}  // namespace dovetail::app
