// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/bop_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "io/bop_objects.h"
#include "io/cursor.h"
#include "io/file.h"

namespace dovetail::io {
namespace {

constexpr std::string_view header = "scene_id,im_id,obj_id,score,R,t,time";
constexpr double same_time = 1e-3;  // seconds

double finite_number(const Cursor& cursor, std::string_view word, std::string_view name) {
  double value = 0;
  if (!parse_number(word, value) || !std::isfinite(value)) cursor.fail_value(word, name);
  return value;
}

int id_of(const Cursor& cursor, std::string_view word, std::string_view name) {
  int id = -1;
  if (!parse_number(word, id) || id < 0) cursor.fail_value(word, name);
  return id;
}

/// So many numbers separated by blanks.
void read_numbers(const Cursor& cursor, std::string_view field, std::string_view name, double* to, std::size_t count) {
  const std::vector<std::string_view> words = split_words(field);
  if (words.size() != count) cursor.fail("{} has {} numbers; {} were expected", name, words.size(), count);
  for (const std::string_view word : words) *to++ = finite_number(cursor, word, name);
}

BopEstimate estimate_of(const Cursor& cursor, std::string_view line) {
  constexpr std::size_t count = 7;
  if (const auto commas = std::count(line.begin(), line.end(), ','); commas + 1 != count) {
    cursor.fail("{} fields; {} were expected: {}", commas + 1, count, header);
  }
  std::array<std::string_view, count> fields;
  for (std::string_view& field : fields) {
    const std::size_t comma = line.find(',');
    field = trim(line.substr(0, comma));
    line.remove_prefix(comma == std::string_view::npos ? line.size() : comma + 1);
  }
  BopEstimate estimate;
  estimate.image = {id_of(cursor, fields[0], "scene_id"), id_of(cursor, fields[1], "im_id")};
  estimate.object = id_of(cursor, fields[2], "obj_id");
  estimate.score = finite_number(cursor, fields[3], "score");
  read_numbers(cursor, fields[4], "R", estimate.camera_from_object.rotation.data, 9);
  read_numbers(cursor, fields[5], "t", estimate.camera_from_object.translation.data, 3);
  estimate.seconds = finite_number(cursor, fields[6], "time");
  if (estimate.seconds < 0 && estimate.seconds != -1) {
    cursor.fail("time {} is not allowed; allowed: 0 or more, in seconds, or -1 where it is not known",
                estimate.seconds);
  }
  estimate.line = cursor.line_number();
  if (const auto reason = why_no_rotation(estimate.camera_from_object.rotation); !reason.empty()) {
    cursor.fail("R: {}", reason);
  }
  return estimate;
}

}  // namespace

std::vector<BopEstimate> read_bop_results(std::string_view file, std::string_view bytes) {
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);  // a mark that some editors put before a text
  Cursor cursor(file, bytes);
  std::vector<BopEstimate> estimates;
  std::map<BopImageId, std::pair<double, std::size_t>> times;  // the first row's, and its line
  bool first = true;
  for (std::string_view line; cursor.next_content_line(line); first = false) {
    if (first && line.starts_with("scene_id")) {
      if (line != header) cursor.fail("the header is {}; expected: {}", in_quotes(line), header);
      continue;
    }
    const BopEstimate estimate = estimate_of(cursor, line);
    const auto [known, is_new] = times.try_emplace(estimate.image, estimate.seconds, estimate.line);
    if (!is_new && !(std::fabs(known->second.first - estimate.seconds) <= same_time)) {
      cursor.fail("time {} s, and {} s on line {}: the rows of an image have one time", estimate.seconds,
                  known->second.first, known->second.second);
    }
    estimates.push_back(estimate);
  }
  if (first) cursor.fail("the file is empty; expected: {}", header);
  return estimates;
}

void write_bop_results(const std::filesystem::path& file, const std::vector<BopEstimate>& estimates) {
  std::string text = std::string(header) + '\n';
  for (const BopEstimate& e : estimates) {
    const auto list = [](const auto& m) { return fmt::format("{}", fmt::join(m.data, m.data + m.size, " ")); };
    text += fmt::format("{},{},{},{},{},{},{}\n", e.image.scene, e.image.image, e.object, e.score,
                        list(e.camera_from_object.rotation), list(e.camera_from_object.translation), e.seconds);
  }
  AtomicFile out(file);
  out.write(text);
  out.commit();
}

}  // namespace dovetail::io
