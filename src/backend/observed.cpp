// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/observed.h"

#include "backend/backend.h"
#include "dovetail/error.h"
#include "spatial/parallel.h"

namespace dovetail {

std::vector<float> Backend::read_sample(const ObservedView& observed) {
  if (observed.on_device) throw InvalidArgument("observed: the points are in a GPU's memory; run on machine cuda");
  std::vector<float> out;
  out.reserve(observed.sample.size() * static_cast<std::size_t>(observed.dimension));
  for (const std::uint32_t i : observed.sample) {
    const float* point = observed.points + i * observed.stride;
    out.insert(out.end(), point, point + observed.dimension);
  }
  return out;
}

ProblemView HostObserved::place(const ObservedView& observed, const FieldData& field) {
  const auto fill = [&](Points& points, std::size_t count, const auto& index) {
    std::vector<float>* const axis[3] = {&points.x, &points.y, &points.z};
    for (int a = 0; a < 3; ++a) axis[a]->resize(count);
    points.weight.resize(observed.weight != nullptr ? count : 0);
    parallel_for(count, 16384, [&](std::size_t i) {
      const std::size_t from = index(i);
      for (int a = 0; a < 3; ++a) {
        (*axis[a])[i] = a < observed.dimension ? observed.local(observed.points + from * observed.stride, a) : 0.0f;
      }
      if (observed.weight != nullptr) points.weight[i] = observed.weight[from];
    });
  };
  fill(all_, observed.count, [](std::size_t i) { return i; });
  fill(sample_, observed.sample.size(), [&](std::size_t i) -> std::size_t { return observed.sample[i]; });
  ProblemView view;
  for (std::size_t f = 0; f < field.levels.size(); ++f) {
    for (const Share share : {Share::sample, Share::all}) {
      LevelView& level = view.level[observed_level(field, f, share)];
      show(share == Share::all ? all_ : sample_, level);
      level.field = field.levels[f].view();
    }
  }
  view.levels = static_cast<int>(2 * field.levels.size());
  return view;
}

void HostObserved::show(const Points& points, LevelView& level) {
  level.count = static_cast<std::uint32_t>(points.x.size());
  level.x = points.x.data();
  level.y = points.y.data();
  level.z = points.z.data();
  level.weight = points.weight.empty() ? nullptr : points.weight.data();
}

}  // namespace dovetail
