// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "summary.h"

#include <fmt/format.h>

#include <string>

#include "pose_lines.h"

namespace dovetail::app {
namespace {

void line(const char* name, const std::string& text) { fmt::print("  {:<12} {}\n", name, text); }

std::string vector_text(const Vec3& v, int dimension) {
  return dimension == 2 ? fmt::format("({:.6g}, {:.6g})", v[0], v[1])
                        : fmt::format("({:.6g}, {:.6g}, {:.6g})", v[0], v[1], v[2]);
}

}  // namespace

void print_summary(const Registration& r) {
  fmt::print("{}: {}\n", r.usable() ? "usable" : "NOT USABLE", r.message);
  for (const auto& [name, text] : pose_lines(r)) line(name, text);
  if (r.target_frame) line("frame", to_proj_string(*r.target_frame));
  if (r.source_frame && r.source_frame != r.target_frame) line("source frame", to_proj_string(*r.source_frame));
  if (!r.finished_by.empty()) line("finish", "by " + r.finished_by);
  line("rmse", fmt::format("{:.6g} over inliers", r.rmse));
  line("inliers", fmt::format("{:.1f}% of {} source points, within {:.4g} of {} target points", 100 * r.inlier_ratio,
                              r.points.source, r.inlier_distance, r.points.target));
  line("overlap", fmt::format("{:.1f}%", 100 * r.overlap));
  if (r.expected_error) {
    line("expected", fmt::format("{:.3g} off in the root mean square, if this is the right place", *r.expected_error));
  }
  if (r.margin && r.method == "chamfer") {  // the next best may also be the answer itself, slid along a road
    line("margin", fmt::format("{:.2f} over what fits next best; {} other answers", *r.margin, r.alternatives.size()));
  } else if (r.margin) {
    line("margin", r.alternatives.empty()
                       ? fmt::format("{:.2f}, every start led to this answer", *r.margin)
                       : fmt::format("{:.2f} over the best of {} other answers", *r.margin, r.alternatives.size()));
  }
  for (const WeakDirection& d : r.weak_directions) {
    line("weak", fmt::format("rotation {} with shift {}", vector_text(d.rotation, 3), vector_text(d.translation, 3)));
  }
  const std::size_t dropped = r.points.dropped_non_finite + r.points.dropped_at_origin;
  if (dropped > 0) {
    line("dropped", fmt::format("{} points not finite, {} no-return marks at the origin", r.points.dropped_non_finite,
                                r.points.dropped_at_origin));
  }
  line("machine", fmt::format("{} ({})", r.machine, r.build));
  line("time", fmt::format("read {:.1f} ms, prepare {:.1f} ms, loop {:.1f} ms", r.time_ms.read, r.time_ms.prepare,
                           r.time_ms.loop));
  for (const std::string& warning : r.warnings) line("warning", warning);
}

void print_warnings(const Registration& result) {
  for (const std::string& warning : result.warnings) fmt::print(stderr, "dovetail: warning: {}\n", warning);
}

}  // namespace dovetail::app
