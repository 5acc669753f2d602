// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/format.h>

#include <cmath>

#include "dovetail/error.h"
#include "dovetail/range_image.h"
#include "io/bop_json.h"
#include "io/cursor.h"
#include "io/file.h"

namespace dovetail {
namespace {

void set_matrix(DepthCamera& camera, const Mat3& k) {
  camera.fx = k(0, 0), camera.fy = k(1, 1), camera.cx = k(0, 2), camera.cy = k(1, 2);
}

double more_than_zero(const io::JsonPlace& place) {
  const double value = place.number();
  if (!(value > 0)) place.fail(fmt::format("{} is not allowed; allowed: more than 0", value));
  return value;
}

DepthCamera from_json(const std::string& file, std::string_view bytes) {
  const io::Json json = io::parse_json(file, bytes);
  const io::JsonPlace place(file, json);
  DepthCamera camera;
  if (place.has("cam_K")) {
    set_matrix(camera, place.at("cam_K").matrix<3, 3>());
    if (!(camera.fx > 0) || !(camera.fy > 0)) place.at("cam_K").fail("focal lengths have to be more than 0");
  } else {
    camera.fx = more_than_zero(place.at("fx")), camera.fy = more_than_zero(place.at("fy"));
    camera.cx = place.at("cx").number(), camera.cy = place.at("cy").number();
  }
  if (place.has("width")) camera.width = place.at("width").whole_number(1);
  if (place.has("height")) camera.height = place.at("height").whole_number(1);
  if (place.has("depth_scale")) camera.depth_scale = more_than_zero(place.at("depth_scale"));
  if (place.has("pixel_center")) {
    camera.pixel_center = place.at("pixel_center").number();
    if (camera.pixel_center != 0 && camera.pixel_center != 0.5) {
      place.at("pixel_center").fail(fmt::format("{} is not allowed; allowed: 0 or 0.5", camera.pixel_center));
    }
  }
  if (place.has("distortion")) {
    const auto numbers = place.at("distortion").matrix<5, 1>();
    for (int i = 0; i < 5; ++i) camera.distortion[static_cast<std::size_t>(i)] = numbers[i];
  }
  return camera;
}

DepthCamera from_text(const std::string& file, std::string_view bytes) {
  io::Cursor cursor(file, bytes);
  Mat3 k{};
  int count = 0;
  std::string_view line;
  while (cursor.next_content_line(line, "#")) {
    for (std::string_view word = io::next_word(line); !word.empty(); word = io::next_word(line)) {
      if (count == 9) cursor.fail("more than the nine numbers of a camera's matrix");
      k[count] = cursor.number<double>(word);
      if (!std::isfinite(k[count])) cursor.fail("{} is not finite", word);
      ++count;
    }
  }
  if (count != 9) cursor.fail("{} numbers; nine were expected, the camera's matrix", count);
  if (!(k(0, 0) > 0) || !(k(1, 1) > 0) || k(1, 0) != 0 || k(2, 0) != 0 || k(2, 1) != 0 || k(2, 2) != 1) {
    cursor.fail("is no camera's matrix: fx 0 cx, 0 fy cy, 0 0 1 was expected, with fx and fy more than 0");
  }
  DepthCamera camera;
  set_matrix(camera, k);
  return camera;
}

}  // namespace

DepthCamera read_camera(const std::filesystem::path& file) {
  const io::FileBytes bytes(file);
  const std::string_view text = io::trim(bytes.view());
  return text.starts_with('{') ? from_json(file.string(), text) : from_text(file.string(), bytes.view());
}

}  // namespace dovetail
