// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "judge/contacts.h"

#include <algorithm>
#include <cmath>

#include "core/quantile.h"

namespace dovetail {

namespace {

// All lengths are in units of the local spacing of points, or of what their noise makes of it.
constexpr double noise_units = 4;    // a unit is no less than so many deviations of points from the planes through them
constexpr double smallest = 0.02;    // of the radius: real scans are bent by as much, and an answer may still be right
constexpr double beside = 1.5;       // along the other surface: farther out it has ended
constexpr double opposed = 10;       // off the other surface: farther out is elsewhere
constexpr double another_sheet = 1;  // from the other's point back: it belongs to another sheet of this surface
constexpr double border = 0.3;       // Surroundings::lopsided
constexpr double agreeing = 0.5;     // off the other surface

}  // namespace

std::vector<Contact> contacts_of(const Level& full, std::span<const Similarity3> poses, double reach,
                                 const NormalSettings& settings, Backend& backend, const PointsAsked& most_asked) {
  const SurfaceView &source = full.source->surface, &target = full.target->surface;
  struct Asked {
    std::uint32_t there, back;
    std::size_t first;  // row
  };
  std::vector<Asked> asked;
  std::size_t count = 0;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const std::uint32_t most = i == 0 ? most_asked.first : most_asked.others;
    asked.push_back({std::min(source.tree.count, most), std::min(target.tree.count, most), count});
    count += asked.back().there + asked.back().back;
  }
  Memory& memory = backend.memory();
  Keeper until_read;
  Touch* const rows = memory.room<Touch>(count, until_read);
  Batch<Touches> batch;
  batch.params.reach = reach;
  batch.params.settings = settings;
  const auto add = [&](const Touches::Data& data, const Similarity3& pose) {
    Touches::State state;
    state.data = static_cast<std::uint32_t>(batch.data.size());
    state.onto_from_from = pose;
    batch.data.push_back(data);
    batch.states.push_back(state);
  };
  for (std::size_t i = 0; i < poses.size(); ++i) {
    Touch* const own = rows + asked[i].first;
    add({source, target, own, asked[i].there}, poses[i]);
    add({target, source, own + asked[i].there, asked[i].back}, poses[i].inverse());
  }
  backend.run(batch);
  const std::vector<Touch> all = memory.get<Touch>(rows, count);
  std::vector<Contact> contacts;
  for (const Asked& a : asked) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(a.first), middle = begin + a.there;
    contacts.push_back({{begin, middle}, {middle, middle + a.back}, static_cast<double>(source.tree.count) / a.there});
  }
  return contacts;
}

double least_unit(std::span<const Touch> touches, double radius) {
  std::vector<double> thickness;  // how far points are off the planes through them, edges and corners left out
  for (const Touch& t : touches) {
    if (t.weight > 0) thickness.push_back(t.thickness);
  }
  return std::max(noise_units * quantile(std::move(thickness), 0.25), smallest * radius);
}

Verdict verdict_of(const Touch& t, double unit) {
  if (!(t.weight > 0) || !(t.spacing > 0)) return Verdict::none;
  const double off = t.off_surface(), along = std::sqrt(std::max(0.0, t.distance * t.distance - off * off));
  if (along > beside * unit || off > opposed * unit || (!t.surface_known() && t.lopsided > border))
    return Verdict::none;
  if (off < agreeing * unit) return Verdict::agrees;
  return t.mutual < std::min(another_sheet * unit, 0.7 * t.distance) ? Verdict::none : Verdict::contradicts;
}

}  // namespace dovetail
