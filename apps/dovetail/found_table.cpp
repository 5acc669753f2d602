// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "found_table.h"

#include <fmt/format.h>

#include <numbers>

namespace dovetail::app {

namespace {

/// "beneath 2 and 5", as they are numbered.
std::string covered_by(const SeenInImage& image) {
  if (image.covered_by.empty()) return "beneath a part that is not told";
  std::string text = "beneath ";
  for (std::size_t i = 0; i < image.covered_by.size(); ++i) {
    if (i > 0) text += i + 1 == image.covered_by.size() ? " and " : ", ";
    text += std::to_string(image.covered_by[i] + 1);
  }
  return text;
}

}  // namespace

void print_found(const Found& found, double min_confidence, const char* points) {
  fmt::print("{}\n", found.message);
  if (!found.objects.empty()) {
    fmt::print("  {:<24} {:>10} {:>8} {:>10}  {:<30} {}\n", "object", "confidence", "visible", "rmse", "translation",
               "rotation");
  }
  std::size_t number = 0;
  for (const FoundObject& o : found.objects) {
    ++number;
    const Transform& pose = o.frame_from_object ? *o.frame_from_object : o.scene_from_object;
    const Vec3 w = log_so3(pose.as<Rigid3>().rotation);
    const double angle = norm(w);
    const Vec3 axis = angle > 0 ? (1 / angle) * w : Vec3{0, 0, 1};
    const std::string shift =
        fmt::format("({:.5g}, {:.5g}, {:.5g})", pose.matrix(0, 3), pose.matrix(1, 3), pose.matrix(2, 3));
    fmt::print("  {:<24} {:>10.2f} {:>7.0f}% {:>10.3g}  {:<30} {:.2f} degrees about ({:.3f}, {:.3f}, {:.3f})\n",
               o.image ? fmt::format("{} {}", number, o.object) : o.object, *o.confidence, 100 * o.visible_ratio,
               o.rmse, shift, angle * 180 / std::numbers::pi, axis[0], axis[1], axis[2]);
    if (o.image && !o.image->on_top) fmt::print("  {:<24} {}\n", "", covered_by(*o.image));
  }
  if (found.objects.empty() && !found.doubtful.empty()) {
    const FoundObject& o = found.doubtful.front();
    fmt::print("  the best guess for {} has a confidence of {:.2f} (--min-confidence {})\n", o.object, *o.confidence,
               min_confidence);
  }
  fmt::print("  {} {}, {:.0f} ms on {}\n", found.scene_points, points, found.time_ms.total, found.machine);
}

}  // namespace dovetail::app
