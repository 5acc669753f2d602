// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "report/depth_picture.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "report/packing.h"

namespace dovetail::report {
namespace {

void append_16_bits(std::string& bytes, std::uint32_t value) {
  bytes += static_cast<char>(value & 255);
  bytes += static_cast<char>(value >> 8 & 255);
}

}  // namespace

RangeImage reduced(const RangeImage& image, std::size_t most_bytes) {
  int step = 1;
  const auto pixels = [&](int side) { return static_cast<std::size_t>((side + step - 1) / step); };
  while (2 * pixels(image.camera.width) * pixels(image.camera.height) > std::max<std::size_t>(most_bytes, 2)) ++step;
  if (step == 1) return image;
  RangeImage small;
  DepthCamera& camera = small.camera = image.camera;
  camera.width = static_cast<int>(pixels(image.camera.width));
  camera.height = static_cast<int>(pixels(image.camera.height));
  // Pixel i of the small image is pixel step * i of the large one: their centres coincide.
  camera.fx /= step, camera.fy /= step;
  camera.cx = (camera.cx - camera.pixel_center) / step + camera.pixel_center;
  camera.cy = (camera.cy - camera.pixel_center) / step + camera.pixel_center;
  for (int y = 0; y < camera.height; ++y) {
    for (int x = 0; x < camera.width; ++x) small.depth.push_back(image.at(step * x, step * y));
  }
  return small;
}

Json pack_depth(std::string& bytes, const RangeImage& image) {
  std::vector<float> depths;
  std::copy_if(image.depth.begin(), image.depth.end(), std::back_inserter(depths), [](float d) { return d > 0; });
  // A few depths far out would leave the others too few of the 16 bits.
  double low = 0, high = 1;
  if (!depths.empty()) {
    std::sort(depths.begin(), depths.end());
    const auto at = [&](double share) {
      return depths[static_cast<std::size_t>(share * static_cast<double>(depths.size() - 1))];
    };
    low = at(0.001), high = std::max(double{at(0.999)}, low + 1e-3);
  }
  align(bytes);
  const std::size_t begin = bytes.size();
  for (const float depth : image.depth) {
    const double share = std::clamp((depth - low) / (high - low), 0.0, 1.0);
    append_16_bits(bytes, depth > 0 ? 1 + static_cast<std::uint32_t>(std::lround(65534 * share)) : 0);
  }
  Json json;
  json["width"] = image.camera.width;
  json["height"] = image.camera.height;
  json["at"] = begin;
  json["low"] = low;
  json["high"] = high;
  json["focal"] = image.camera.fx;
  json["measured"] = depths.size();
  return json;
}

Json pack_spans(std::string& bytes, const std::vector<PixelSpan>& spans) {
  align(bytes);
  const Json json = {{"at", bytes.size()}, {"count", spans.size()}};
  for (const PixelSpan& span : spans) {
    for (const std::uint16_t number : {span.row, span.begin, span.end}) append_16_bits(bytes, number);
  }
  return json;
}

PointCloud points_of(const RangeImage& image) {
  PointCloud cloud;
  for (int y = 0; y < image.camera.height; ++y) {
    for (int x = 0; x < image.camera.width; ++x) {
      const double depth = image.at(x, y);
      if (depth > 0) cloud.positions.push_back(depth * image.camera.direction(x, y));
    }
  }
  return cloud;
}

}  // namespace dovetail::report
