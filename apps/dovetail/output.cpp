// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "output.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <limits>
#include <system_error>
#include <vector>

#include "dovetail/error.h"
#include "dovetail/pose_file.h"

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

/// What a point is divided by; 0 on the horizon, and of the other sign beyond it.
double divisor(const Transform& pose, const Vec3& p) {
  return pose.matrix(3, 0) * p[0] + pose.matrix(3, 1) * p[1] + pose.matrix(3, 3);
}

/// The points on the horizon and beyond it: most are before it.
std::vector<std::size_t> lost_points(const Transform& pose, const PointCloud& cloud) {
  std::size_t positive = 0, negative = 0;
  double largest = 0;
  for (const Vec3& p : cloud.positions) {
    const double w = divisor(pose, p);
    positive += w > 0, negative += w < 0;
    if (std::isfinite(w)) largest = std::max(largest, std::fabs(w));
  }
  const double side = negative > positive ? -1 : 1, rounding = 1e-12 * largest;
  std::vector<std::size_t> lost;
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    if (side * divisor(pose, cloud.positions[i]) <= rounding) lost.push_back(i);  // not so where it is no number
  }
  return lost;
}

bool mirrors(const Transform& pose) {
  if (pose.model == Model::projective2) return false;
  const Mat4& m = pose.matrix;
  return dot(cross(Vec3{m(0, 0), m(1, 0), m(2, 0)}, Vec3{m(0, 1), m(1, 1), m(2, 1)}), Vec3{m(0, 2), m(1, 2), m(2, 2)}) <
         0;
}

/// What is outside of a mesh is inside of its mirror image, unless the corners go round the other way.
void flip_faces(Faces& faces) {
  for (std::size_t face = 0; face < faces.size(); ++face) {
    std::reverse(faces.index.begin() + faces.start[face] + 1, faces.index.begin() + faces.start[face + 1]);
  }
}

}  // namespace

CLI::Option* add_file_flag(CLI::App& command, const char* heading, const char* flag, std::string& file,
                           const char* help, const char* type) {
  const auto refuse_empty = [](std::string& name) {
    return name.empty() ? std::string("a file's name is needed, this one is empty") : "";
  };
  return command.add_option(flag, file, help)->check(CLI::Validator(refuse_empty, ""))->type_name(type)->group(heading);
}

void add_json_flag(CLI::App& command, std::string& json) {
  add_file_flag(command, "Output", "--json", json,
                "write the whole result as JSON; - is stdout, with nothing else on it", "FILE|-");
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

void write_json(const std::string& file, const Found& found) {
  if (file.empty()) return;
  file == "-" ? to_stdout(to_json(found) + '\n') : write_result(file, found);
}

void write_pose_to(const std::string& file, const Transform& pose) {
  if (file.empty()) return;
  file == "-" ? to_stdout(to_text(pose)) : write_pose(file, pose);
}

PointCloud move_points(const Transform& pose, const PointCloud& cloud, const std::string& file) {
  PointCloud moved = pose * cloud;
  if (mirrors(pose)) flip_faces(moved.faces);
  if (pose.model != Model::projective2) return moved;
  const std::vector<std::size_t> lost = lost_points(pose, cloud);
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  for (const std::size_t i : lost) moved.positions[i] = {none, none, 0};
  if (!lost.empty()) {
    print_error(
        "dovetail: warning: {} of the {} points of {} lie on or beyond the horizon of the projective pose; they "
        "become invalid points\n",
        lost.size(), cloud.size(), file);
  }
  return moved;
}

void flush_stdout() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) throw FileError("stdout: cannot be written: " + reason());
}

void Attempts::tell(const std::exception& error) {
  failed_ = true;
  print_error("dovetail: {}\n", error.what());
}

}  // namespace dovetail::app
