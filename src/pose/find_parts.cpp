// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/find_parts.h"

#include <chrono>
#include <optional>

#include "dovetail/machines.h"
#include "dovetail/workspace.h"
#include "pose/find_parts_input.h"
#include "pose/found_parts.h"
#include "pose/part_search.h"
#include "spatial/parallel.h"

namespace dovetail {
namespace {

using namespace pose;
using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point began) {
  return std::chrono::duration<double, std::milli>(Clock::now() - began).count();
}

}  // namespace

Found find_parts(const RangeImage& image, const PoseDatabase& database, const FindParts& options, const Work& work) {
  check_input(image, database, options);
  const auto began = Clock::now();
  Found found;
  std::optional<Workspace> own;
  if (options.workspace == nullptr) own.emplace(options.machine, options.device, work.threads);
  const Workspace& workspace = options.workspace != nullptr ? *options.workspace : *own;
  found.machine = workspace.machine_name();
  found.build = build_info().compiler;
  found.version = build_info().version;
  FindParts used = options;
  if (image.cloud_from_camera) {
    // Whoever has such a cloud knows its own frame alone.
    const Transform cloud_from_camera(*image.cloud_from_camera);
    found.warnings.push_back(
        used.frame_from_camera
            ? "the cloud's camera does not look along z: the frame that was given is taken to be from the cloud's own"
            : "the cloud's camera does not look along z: frame_from_object is in the cloud's own frame");
    used.frame_from_camera = used.frame_from_camera ? *used.frame_from_camera * cloud_from_camera : cloud_from_camera;
  }
  Threads(work.threads).execute([&] {
    PartSearch search(image, database, used, work, workspace.backend());
    tell_sizes(search.scene(), search.wanted(), found);
    for (const std::string& why : search.not_looked_for()) found.warnings.push_back(why);
    found.time_ms.prepare = milliseconds_since(began);
    const auto searching = Clock::now();
    search.run();
    found.time_ms.search = milliseconds_since(searching);
    found.stopped = search.stopped();
    tell_parts(search.choice(), used, found);
  });
  used.workspace = nullptr;  // it may be gone when somebody looks
  found.part_options = std::make_shared<const FindParts>(std::move(used));
  if (found.stopped) found.message += "; the search was stopped before its end";
  found.time_ms.total = milliseconds_since(began);
  return found;
}

}  // namespace dovetail
