// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "mesh_notes.h"

#include <fmt/format.h>

#include "dovetail/mesh_check.h"
#include "output.h"
#include "summary.h"

namespace dovetail::app {

void warn_of_mesh(const std::string& file, const PointCloud& part, PartUse use, const std::string& unit) {
  if (part.faces.empty()) return;
  MeshCheck check = check_mesh(part);
  if (use == PartUse::surface && check.open()) {
    // It was never meant to be a solid: that it is none is not worth a word.
    check.holes = check.small_holes = 0;
  }
  std::string text;
  for (const MeshFinding& finding : describe(check, unit)) {
    if (finding.weight == MeshFinding::Weight::harmless) continue;
    const bool is_mended = use == PartUse::solid && finding.weight == MeshFinding::Weight::mended;
    text += (text.empty() ? "" : "; ") + finding.text + (is_mended ? " (mended)" : "");
  }
  if (!text.empty()) print_error("dovetail: warning: {}: {}\n", file, text);
}

void print_mesh_check(const PointCloud& mesh) {
  const MeshCheck check = check_mesh(mesh);
  print_line("surface", fmt::format("{}, area {:.6g}",
                                    check.surfaces == 1 ? std::string("one") : fmt::format("{} pieces", check.surfaces),
                                    check.area));
  if (check.closed()) {
    print_line("solid", fmt::format("closed, volume {:.6g}{}", check.volume,
                                    check.overlaps > 0 ? ", overlaps counted twice" : ""));
  } else {
    print_line("solid", fmt::format("no: it has {}", check.holes == 1 ? "a hole" : "holes"));
  }
  const char* name = "mesh";
  for (const MeshFinding& finding : describe(check)) {
    const char* const what = finding.weight == MeshFinding::Weight::harmless ? ": harmless"
                             : finding.weight == MeshFinding::Weight::mended ? ": mended where it is dropped into bins"
                                                                             : "";
    print_line(name, finding.text + what);
    name = "";
  }
  if (check.sound()) print_line(name, "sound");
}

}  // namespace dovetail::app
