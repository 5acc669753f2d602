// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "camera.h"
#include "dovetail/find.h"
#include "dovetail/find_parts.h"
#include "state.h"

// What makes up what was found. A workspace, callbacks and weights of a run are no part of it.

namespace dovetail::python {

template <>
struct Fields<Box> {
  static auto of(auto& b) { return std::tie(b.low, b.high); }
};
template <>
struct Fields<PixelBox> {
  static auto of(auto& b) { return std::tie(b.left, b.top, b.width, b.height); }
};
template <>
struct Fields<PartStart> {
  static auto of(auto& s) { return std::tie(s.part, s.camera_from_part); }
};
template <>
struct Fields<FoundRival> {
  static auto of(auto& r) {
    return std::tie(r.object, r.index, r.scene_from_object, r.log_odds, r.share, r.worse, r.evidence);
  }
};
template <>
struct Fields<SeenInImage::Line> {
  static auto of(auto& l) { return std::tie(l.through, l.direction); }
};
template <>
struct Fields<SeenInImage> {
  static auto of(auto& s) {
    return std::tie(s.pixels, s.explained, s.hidden, s.contradicted, s.unknown, s.on_top, s.covered_by, s.equivalents,
                    s.turns_about);
  }
};
template <>
struct Fields<FoundObject> {
  static auto of(auto& o) {
    return std::tie(o.rmse, o.inlier_distance, o.inlier_ratio, o.overlap, o.score, o.confidence, o.evidence, o.log_odds,
                    o.object, o.index, o.scene_from_object, o.frame_from_object, o.visible_ratio, o.support,
                    o.covariance, o.covariance_center, o.expected_error, o.margin, o.rivals, o.image);
  }
};
template <>
struct Fields<Found::Times> {
  static auto of(auto& t) { return std::tie(t.read, t.prepare, t.search, t.total); }
};

template <>
inline constexpr bool has_table<Find> = true;
template <>
struct Fields<Find> {
  static auto of(auto& f) { return std::tie(f.region, f.viewpoint, f.may_be_from_origin); }
};
template <>
inline constexpr bool has_table<Run> = true;
template <>
struct Fields<Run> {
  static auto of(auto& r) { return std::tie(r.starts); }
};
template <>
inline constexpr bool has_table<FindParts> = true;
template <>
struct Fields<FindParts> {
  static auto of(auto& f) { return std::tie(f.region, f.mask, f.start, f.frame_from_camera, f.reach, f.prefer); }
};
template <>
struct Fields<Found> {
  static auto of(auto& f) {
    return std::tie(f.objects, f.doubtful, f.message, f.warnings, f.machine, f.build, f.version, f.stopped,
                    f.scene_points, f.scene_file, f.object_files, f.camera, f.depth_unit, f.frame_from_scene, f.time_ms,
                    f.options, f.run, f.part_options);
  }
};

}  // namespace dovetail::python
