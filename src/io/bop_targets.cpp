// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/bop_targets.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "io/bop_json.h"

namespace dovetail::io {
namespace {

constexpr const char* no_targets = "names no targets; at least one is needed";

BopImageId image_of(const JsonPlace& place) {
  return {place.at("scene_id").whole_number(0), place.at("im_id").whole_number(0)};
}

}  // namespace

std::vector<BopTarget> read_bop_targets(std::string_view file, std::string_view bytes) {
  const Json json = parse_json(file, bytes);
  std::vector<BopTarget> targets;
  std::set<std::pair<BopImageId, int>> seen;
  for (const JsonPlace& place : JsonPlace(file, json).elements()) {
    const BopTarget target{image_of(place), place.at("obj_id").whole_number(0), place.at("inst_count").whole_number(1)};
    if (!seen.emplace(target.image, target.object).second) {
      place.fail(fmt::format("object {} in image {} of scene {} is named a second time", target.object,
                             target.image.image, target.image.scene));
    }
    targets.push_back(target);
  }
  if (targets.empty()) JsonPlace(file, json).fail(no_targets);
  return targets;
}

std::vector<BopImageId> read_bop_target_images(std::string_view file, std::string_view bytes) {
  const Json json = parse_json(file, bytes);
  std::vector<BopImageId> images;
  std::set<BopImageId> seen;
  for (const JsonPlace& place : JsonPlace(file, json).elements()) {
    const BopImageId image = image_of(place);
    if (seen.insert(image).second) images.push_back(image);
  }
  if (images.empty()) JsonPlace(file, json).fail(no_targets);
  return images;
}

}  // namespace dovetail::io
