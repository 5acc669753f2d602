// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "judge/contacts.h"

#include <algorithm>

namespace dovetail {

namespace {

/// Of a single answer or the first of some, and of the others.
constexpr std::uint32_t most_asked = 2000, most_asked_of_others = 1000;

}  // namespace

std::vector<Contact> contacts_of(const Level& full, std::span<const Similarity3> poses, double reach,
                                 const NormalSettings& settings, Backend& backend) {
  const SurfaceView &source = full.source->surface, &target = full.target->surface;
  struct Asked {
    std::uint32_t there, back;
    std::size_t first;  // row
  };
  std::vector<Asked> asked;
  std::size_t count = 0;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const std::uint32_t most = i == 0 ? most_asked : most_asked_of_others;
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

}  // namespace dovetail
