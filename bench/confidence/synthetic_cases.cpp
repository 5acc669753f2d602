// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <algorithm>

#include "confidence/makers.h"
#include "confidence/object_cases.h"
#include "scenes/real_objects.h"

namespace dovetail::bench::confidence {
namespace {

constexpr Chance synthetic_kinds[] = {{"near", 7},          {"far", 7},      {"two_views", 8},
                                      {"model_to_view", 6}, {"noise", 6},    {"outliers", 5},
                                      {"thinned", 5},       {"cut_out", 6},  {"unequal_density", 4},
                                      {"stranger", 9},      {"opposite", 5}, {"symmetric", 6},
                                      {"repeated", 6},      {"room", 8},     {"slice", 5},
                                      {"scan_line", 3},     {"normals", 2},  {"far_coordinates", 2},
                                      {"units", 2},         {"planar", 9},   {"planar_stranger", 3}};

constexpr Chance cad_kinds[] = {
    {"near", 7},      {"far", 7},     {"two_views", 8},       {"model_to_view", 6}, {"noise", 6},    {"outliers", 5},
    {"thinned", 5},   {"cut_out", 6}, {"unequal_density", 4}, {"stranger", 9},      {"opposite", 5}, {"slice", 3},
    {"scan_line", 3}, {"normals", 2}, {"far_coordinates", 2}, {"units", 2},         {"planar", 4}};

// As many different objects as there may be in a corpus of some thousand cases: each comes up several times.
constexpr std::uint32_t parts = 150, rooms = 60, colonnades = 30;

Object any_part(RandomStream& random) { return part_object(random.below(parts)); }

/// The parts of the corpus that the weights were fitted to: others would draw other cases from the same seed.
constexpr BuiltInPart symmetric_parts[] = {BuiltInPart::box,        BuiltInPart::cube,     BuiltInPart::hex_bolt,
                                           BuiltInPart::hex_nut,    BuiltInPart::cylinder, BuiltInPart::t_pipe,
                                           BuiltInPart::elbow_pipe, BuiltInPart::flange};

Object any_symmetric(RandomStream& random) {
  return symmetric_object(symmetric_parts[random.below(std::size(symmetric_parts))]);
}

/// The kinds that any object has.
void make_of_part(Case& c, const Object& object, RandomStream& random) {
  if (c.kind == "two_views") return two_views(c, object, 10, 90, random);
  if (c.kind == "opposite") return two_views(c, object, 150, 180, random);
  if (c.kind == "model_to_view") return model_and_view(c, object, random);
  if (c.kind == "slice") return slice_of_part(c, object, random);
  if (c.kind == "scan_line") return scan_line_of_part(c, object, random);
  if (c.kind == "planar") return planar_part(c, object, random);
  any_pair(c, object, random);
}

/// A sweep of one room, and one of another or of a colonnade.
void strange_places(Case& c, RandomStream& random) {
  const std::uint32_t first = random.below(rooms), second = (first + 1 + random.below(rooms - 1)) % rooms;
  Case other;
  two_places(other, room_object(first), random);
  chance(0.7, random) ? two_places(c, room_object(second), random)
                      : repeated_structure(c, colonnade_object(random.below(colonnades)), random);
  c.details.erase("overlap_at_truth");
  make_strangers(c, std::move(other.source), other.object, random);
}

/// The source of one case in the plane and the target of another.
void planar_strangers(Case& c, RandomStream& random) {
  const bool of_rooms = chance(0.5, random);
  const std::uint32_t count = of_rooms ? rooms : parts;
  const std::uint32_t first = random.below(count), second = (first + 1 + random.below(count - 1)) % count;
  Case other;
  of_rooms ? planar_room(other, room_object(first), random) : planar_part(other, part_object(first), random);
  of_rooms ? planar_room(c, room_object(second), random) : planar_part(c, part_object(second), random);
  make_strangers(c, std::move(other.source), other.object, random);
}

}  // namespace

std::string synthetic_kind(RandomStream& random) { return drawn(synthetic_kinds, random); }
std::string cad_kind(RandomStream& random) { return drawn(cad_kinds, random); }

bool is_kind(const std::string& set, const std::string& kind) {
  const auto holds = [&](std::span<const Chance> kinds) {
    return std::any_of(kinds.begin(), kinds.end(), [&](const Chance& c) { return kind == c.name; });
  };
  return set == "synthetic" ? holds(synthetic_kinds) : set == "cad" ? holds(cad_kinds) : is_real_kind(kind);
}

void make_synthetic(Case& c, RandomStream& random) {
  if (c.kind == "room") return two_places(c, room_object(random.below(rooms)), random);
  if (c.kind == "repeated") return repeated_structure(c, colonnade_object(random.below(colonnades)), random);
  if (c.kind == "symmetric") {
    const Object object = any_symmetric(random);
    return chance(0.5, random) ? model_and_view(c, object, random) : any_pair(c, object, random);
  }
  if ((c.kind == "slice" || c.kind == "planar") && chance(0.6, random)) {
    const Object room = room_object(random.below(rooms));
    return c.kind == "slice" ? slice_of_room(c, room, random) : planar_room(c, room, random);
  }
  if (c.kind == "planar_stranger") return planar_strangers(c, random);
  if (c.kind == "stranger" && chance(0.25, random)) return strange_places(c, random);
  if (c.kind == "stranger") {
    const std::uint32_t first = random.below(parts), second = (first + 1 + random.below(parts - 1)) % parts;
    return strangers(c, part_object(first), part_object(second), random);
  }
  make_of_part(c, any_part(random), random);
}

void make_cad(Case& c, RandomStream& random) {
  const std::vector<Object>& all = cad_objects();
  const auto count = static_cast<std::uint32_t>(all.size());
  std::uint32_t first = random.below(count);
  if (c.kind == "stranger") return strangers(c, all[first], all[(first + 1 + random.below(count - 1)) % count], random);
  // Sections of a symmetric part have symmetries that nobody listed.
  while (c.kind == "planar" && !all[first].symmetries.empty()) first = random.below(count);
  make_of_part(c, all[first], random);
}

}  // namespace dovetail::bench::confidence
