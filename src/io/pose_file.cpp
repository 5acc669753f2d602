// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/pose_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "dovetail/error.h"
#include "io/cursor.h"
#include "io/file.h"
#include "io/json_pose.h"

namespace dovetail {
namespace io {
namespace {

/// "similarity3", with or without a colon after it.
std::optional<Model> model_named(std::string_view word) {
  if (word.ends_with(':')) word.remove_suffix(1);
  for (int i = 0; i <= static_cast<int>(Model::affine3); ++i) {
    if (to_string(static_cast<Model>(i)) == word) return static_cast<Model>(i);
  }
  return std::nullopt;
}

/// The words of a line; commas and semicolons count as white space.
std::vector<std::string_view> numbers_of(std::string& line) {
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == ',' || c == ';'; }, ' ');
  return split_words(line);
}

/// A scale that was split off and multiplied in again costs a bit: then the file's own numbers are the better ones.
bool differs_by_rounding(const Mat4& a, const Mat4& b) {
  double largest = 0, difference = 0;
  for (int i = 0; i < Mat4::size; ++i) {
    if (i % 4 != 3) largest = std::max(largest, std::fabs(b[i]));  // shifts may be millions, and are not touched
    difference = std::max(difference, std::fabs(a[i] - b[i]));
  }
  return difference <= 2e-15 * largest;
}

PoseRows rows_from_text(const std::string& file, std::string_view bytes) {
  Cursor cursor(file, bytes);
  PoseRows pose;
  std::string_view raw;
  while (cursor.next_line(raw)) {
    const std::size_t hash = raw.find('#');
    if (hash != std::string_view::npos && !pose.model && pose.rows.empty()) {
      std::string_view comment = raw.substr(hash + 1);
      pose.model = model_named(next_word(comment));
    }
    std::string line(raw.substr(0, hash));
    const std::vector<std::string_view> words = numbers_of(line);
    if (words.empty()) continue;
    if (pose.rows.size() == 4) cursor.fail("there is a fifth row; a pose has at most four");
    if (words.size() != 3 && words.size() != 4) {
      cursor.fail("a row of {} numbers; a pose is 4x4, 3x4 or (2D) 3x3", words.size());
    }
    std::vector<double> row;
    for (const std::string_view word : words) row.push_back(cursor.number<double>(word));
    pose.rows.push_back(std::move(row));
  }
  return pose;
}

/// The transform of the model the file names, else of the narrowest model that fits. Throws InvalidArgument.
Transform pose_from_rows(const PoseRows& pose) {
  const std::size_t height = pose.rows.size(), width = height == 0 ? 0 : pose.rows.front().size();
  const bool even = std::all_of(pose.rows.begin(), pose.rows.end(), [&](const auto& r) { return r.size() == width; });
  const bool flat = height == 3 && width == 3;
  if (!even || !(flat || (width == 4 && (height == 3 || height == 4)))) {
    throw InvalidArgument(fmt::format("the matrix is {}x{}{}; a pose is 4x4, 3x4 or (2D) 3x3", height, width,
                                      even ? "" : " and its rows differ in length"));
  }
  Mat4 m = Mat4::identity();
  Mat3 m2{};
  for (std::size_t i = 0; i < height; ++i) {
    for (std::size_t j = 0; j < width; ++j) {
      (flat ? m2(static_cast<int>(i), static_cast<int>(j)) : m(static_cast<int>(i), static_cast<int>(j))) =
          pose.rows[i][j];
    }
  }
  const Mat4 given = flat ? Transform::embedded(m2) : m;
  const auto as = [&](Model model) {
    const Transform checked = flat ? Transform::from_matrix(model, m2) : Transform::from_matrix(model, m);
    return differs_by_rounding(checked.matrix, given) ? Transform(model, given) : checked;
  };
  if (pose.model) {
    if ((dimension(*pose.model) == 2) != flat) {
      throw InvalidArgument(
          fmt::format("the matrix is {}x{}, but the model is {}", height, width, to_string(*pose.model)));
    }
    return as(*pose.model);
  }
  const Model widest = flat ? Model::projective2 : Model::affine3;
  for (Model model = flat ? Model::rigid2 : Model::rigid3; model != widest;
       model = static_cast<Model>(static_cast<int>(model) + 1)) {
    try {
      return as(model);
    } catch (const InvalidArgument&) {  // not of this model: try the next wider one
    }
  }
  return as(widest);
}

StoredCovariance covariance_from_text(const std::string& file, std::string_view bytes) {
  Cursor cursor(file, bytes);
  StoredCovariance stored;
  std::size_t rows = 0, width = 0;
  std::string_view raw;
  while (cursor.next_line(raw)) {
    std::string line(raw.substr(0, raw.find('#')));
    const std::vector<std::string_view> words = numbers_of(line);
    if (words.empty()) continue;
    if (rows == 0) width = words.size();
    if ((width != 3 && width != 6) || words.size() != width || ++rows > width) {
      cursor.fail("row {} has {} numbers; a covariance is 6x6 or (2D) 3x3", std::max<std::size_t>(rows, 1),
                  words.size());
    }
    for (const std::string_view word : words) stored.covariance.push_back(cursor.number<double>(word));
  }
  if (rows != width) cursor.fail("{} rows of {} numbers; a covariance is 6x6 or (2D) 3x3", rows, width);
  return stored;
}

/// Without the mark that some editors put before a text.
std::string_view without_mark(std::string_view bytes) {
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
  return bytes;
}

/// Reads a pose file that is in memory. `file` is its name for messages.
StoredPose parse_pose(const std::string& file, std::string_view bytes) {
  bytes = without_mark(bytes);
  const std::string_view content = trim(bytes);
  if (content.empty()) throw FileError(file + ": the file is empty; a pose was expected");
  const bool json = content.front() == '{' || content.front() == '[';
  PoseRows rows = json ? rows_from_json(file, bytes) : rows_from_text(file, bytes);
  try {
    rows.origin.target_from_source = pose_from_rows(rows);
    return std::move(rows.origin);
  } catch (const InvalidArgument& error) {
    throw FileError(file + ": " + error.what());
  }
}

void write_whole(const std::filesystem::path& file, std::string_view text) {
  AtomicFile target(file);
  target.write(text);
  target.commit();
}

}  // namespace
}  // namespace io

Transform pose_from_rows(const std::vector<std::vector<double>>& rows) {
  return io::pose_from_rows({.rows = rows, .model = {}, .origin = {}});
}

StoredPose read_stored_pose(const std::filesystem::path& file) {
  const io::FileBytes bytes(file);
  return io::parse_pose(file.string(), bytes.view());
}

StoredCovariance read_covariance(const std::filesystem::path& file) {
  const io::FileBytes bytes(file);
  const std::string_view text = io::without_mark(bytes.view()), content = io::trim(text);
  if (content.empty()) throw FileError(file.string() + ": the file is empty; a covariance was expected");
  return content.front() == '{' ? io::covariance_from_json(file.string(), text)
                                : io::covariance_from_text(file.string(), text);
}

Transform read_pose(const std::filesystem::path& file) { return read_stored_pose(file).target_from_source; }

std::string to_text(const Transform& pose) {
  std::string text = fmt::format("# {}: target_from_source, row by row\n", to_string(pose.model));
  const bool flat = dimension(pose.model) == 2;
  const Mat3 m2 = pose.matrix2();
  const int size = flat ? 3 : 4;
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) {
      io::append_number(text, flat ? m2(i, j) : pose.matrix(i, j));
      text += j + 1 < size ? ' ' : '\n';
    }
  }
  return text;
}

void write_pose(const std::filesystem::path& file, const Transform& pose) { io::write_whole(file, to_text(pose)); }

void write_result(const std::filesystem::path& file, const Registration& result, int indent) {
  io::write_whole(file, to_json(result, indent) + '\n');
}
void write_result(const std::filesystem::path& file, const Found& found, int indent) {
  io::write_whole(file, to_json(found, indent) + '\n');
}

}  // namespace dovetail
