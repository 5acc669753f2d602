// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "report/shown_cloud.h"

#include <cmath>
#include <optional>

#include "report/packing.h"
#include "spatial/selection.h"

namespace dovetail::report {
namespace {

Json block(std::size_t at, std::size_t count) { return {{"at", at}, {"count", count}}; }

Json flat(const std::vector<std::array<std::uint8_t, 3>>& colors) {
  Json list = Json::array();
  for (const auto& color : colors) {
    for (const std::uint8_t channel : color) list.push_back(channel);
  }
  return list;
}

}  // namespace

ShownCloud shown_cloud(const PointCloud& cloud, OriginPoints at_origin) {
  ShownCloud shown;
  shown.cloud = &cloud;
  shown.usable = select_usable(cloud, at_origin).kept;
  shown.box = main_bounds(cloud, shown.usable);
  for (const std::uint32_t i : shown.usable) {
    if (shown.box.distance_along_axes(cloud.positions[i]) <= 0) shown.drawn.push_back(i);
  }
  return shown;
}

Json pack_cloud(std::string& bytes, const ShownCloud& shown, std::span<const std::uint32_t> sample,
                std::span<const std::uint8_t> residuals) {
  const PointCloud& cloud = *shown.cloud;
  const Quantiser box(shown.box);
  std::optional<Palette> palette;
  if (!cloud.colors.empty()) {
    std::vector<Palette::Color> colors;
    colors.reserve(sample.size());
    for (const std::uint32_t i : sample) colors.push_back(cloud.colors[i]);
    palette.emplace(colors);
  }
  align(bytes);
  const std::size_t at = bytes.size();
  bytes.reserve(at + 8 * sample.size());
  for (std::size_t k = 0; k < sample.size(); ++k) {
    const std::uint32_t i = sample[k];
    append_point(bytes, box, cloud.positions[i], residuals.empty() ? no_residual : residuals[k],
                 palette ? palette->index_of(cloud.colors[i]) : std::uint8_t{0});
  }
  Json json;
  json["total"] = cloud.size();
  json["usable"] = shown.usable.size();
  json["far_out"] = shown.usable.size() - shown.drawn.size();
  json["low"] = io::json::vector_of(box.low());
  json["size"] = io::json::vector_of(box.size());
  json["points"] = block(at, sample.size());
  json["palette"] = palette ? flat(palette->colors()) : Json();
  json["lines"] = nullptr;
  return json;
}

std::size_t line_ends(const Faces& lines) {
  std::size_t ends = 0;
  for (std::size_t l = 0; l < lines.size(); ++l) {
    const std::size_t corners = lines.start[l + 1] - lines.start[l];
    if (corners > 1) ends += 2 * (corners - 1);
  }
  return ends;
}

Json pack_lines(std::string& bytes, const ShownCloud& shown, const Faces& lines) {
  const Quantiser box(shown.box);
  const std::vector<Vec3>& at = shown.cloud->positions;
  const auto drawn = [&](std::uint32_t i) { return i < at.size() && shown.box.distance_along_axes(at[i]) <= 0; };
  align(bytes);
  const std::size_t begin = bytes.size();
  for (std::size_t l = 0; l < lines.size(); ++l) {
    for (std::uint32_t c = lines.start[l]; c + 1 < lines.start[l + 1]; ++c) {
      const std::uint32_t a = lines.index[c], b = lines.index[c + 1];
      if (!drawn(a) || !drawn(b)) continue;
      append_point(bytes, box, at[a], no_residual, 0);
      append_point(bytes, box, at[b], no_residual, 0);
    }
  }
  return block(begin, (bytes.size() - begin) / 8);
}

OriginPoints origin_points_of(const Json& result) {
  const auto options = result.find("options");
  if (options == result.end() || !options->is_object()) return OriginPoints::automatic;
  const auto policy = options->find("origin_points");
  if (policy == options->end()) return OriginPoints::automatic;
  return *policy == "keep" ? OriginPoints::keep : *policy == "drop" ? OriginPoints::drop : OriginPoints::automatic;
}

}  // namespace dovetail::report
