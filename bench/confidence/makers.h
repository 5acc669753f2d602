// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <string>

#include "confidence/cases.h"
#include "core/random.h"
#include "scenes/draw.h"

// What the makers of cases share.

namespace dovetail::bench::confidence {

/// Fills in clouds, truth, object and details of the kind that `c` names, from an object of its set. A maker may set
/// the start; finish_case() draws it otherwise.
void make_synthetic(Case& c, RandomStream& random);
void make_cad(Case& c, RandomStream& random);
void make_real(Case& c, RandomStream& random);

std::string synthetic_kind(RandomStream& random);
std::string cad_kind(RandomStream& random);
std::string real_kind(RandomStream& random);
bool is_kind(const std::string& set, const std::string& kind);
bool is_real_kind(const std::string& kind);

/// What a kind does to clouds that are there: noise, outliers, thinned, cut_out, unequal_density, far_coordinates,
/// units, normals. Any other kind now and then gets a little of it too.
void spoil_case(Case& c, RandomStream& random);

/// Near and far starts about the truth, by the kind; of strangers, any.
void draw_start(Case& c, RandomStream& random);

}  // namespace dovetail::bench::confidence
