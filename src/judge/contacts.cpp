// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "judge/contacts.h"

#include <algorithm>

namespace dovetail {

namespace {

constexpr std::uint32_t most_asked = 3000;

std::uint32_t asked_of(const SurfaceView& surface) { return std::min(surface.tree.count, most_asked); }

}  // namespace

std::vector<Contact> contacts_of(const Level& full, std::span<const Similarity3> poses, double reach,
                                 const NormalSettings& settings, Backend& backend) {
  const SurfaceView &source = full.source->surface, &target = full.target->surface;
  const std::uint32_t there = asked_of(source), back = asked_of(target), both = there + back;
  Memory& memory = backend.memory();
  Keeper until_read;
  Touch* const rows = memory.room<Touch>(poses.size() * both, until_read);
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
    Touch* const own = rows + i * both;
    add({source, target, own, there}, poses[i]);
    add({target, source, own + there, back}, poses[i].inverse());
  }
  backend.run(batch);
  const std::vector<Touch> all = memory.get<Touch>(rows, poses.size() * both);
  std::vector<Contact> contacts;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(i * both), middle = begin + there;
    contacts.push_back({{begin, middle}, {middle, middle + back}, static_cast<double>(source.tree.count) / there});
  }
  return contacts;
}

}  // namespace dovetail
