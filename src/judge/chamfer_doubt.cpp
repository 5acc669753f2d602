// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "judge/chamfer_doubt.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/point_rank.h"
#include "judge/conclude.h"

namespace dovetail {

namespace {

/// Observed points may be a small part of a map, but hardly larger than it.
constexpr double most_smaller = 500, most_larger = 30;
/// An answer that fewer points fit may be in a wrong place.
constexpr double few_inliers = 0.5;
/// A transform held less exactly than this part of the residuals is worth a word.
constexpr double vague = 0.25;

/// What floats round to, squared.
double rounding(double largest) { return 1e-12 * largest; }

/// In how many directions a field's reference points spread.
template <int D>
int rank_of_sites(const FieldData& field) {
  const std::vector<Site>& sites = field.levels.back().sites;
  const auto at = [&](std::size_t i) {
    const float c[3] = {sites[i].x, sites[i].y, sites[i].z};
    Vector<double, D> p{};
    for (int a = 0; a < D; ++a) p[a] = double{c[a]};
    return p;
  };
  constexpr std::size_t enough = 4096;
  const int some = point_rank<D>(sites.size(), at, std::max<std::size_t>(1, sites.size() / enough), rounding);
  return some == D ? D : point_rank<D>(sites.size(), at, 1, rounding);
}

/// The diagonal of a reference, local.
double across(const FieldData& field) {
  const FieldGrid& grid = field.levels.back().grid;
  double sum = 0;
  for (int a = 0; a < grid.dimension; ++a) {
    sum = std::hypot(sum, std::max(0.0, double{grid.cell} * grid.cells[a] - 2 * field.margin));
  }
  return sum;
}

std::string flat_text(const char* what, int rank, Model model) {
  return fmt::format("the {} points lie {}; a {} transform needs more", what,
                     rank == 1 ? "on one line" : "in one plane", to_string(model));
}

}  // namespace

template <int D>
std::string why_hopeless(const Chamfer& options, const SamplePoints<D>& sample, const Ball<D>& observed,
                         const FieldData& field) {
  const Model model = model_of(options.model, D);
  const auto least = static_cast<std::size_t>(least_points(model));
  if (sample.positions.size() < least) {
    return fmt::format("there are {} usable observed points; a {} transform needs {}", sample.positions.size(),
                       to_string(model), least);
  }
  if (!(observed.radius > 0)) return "all observed points coincide";
  if (field.levels.back().sites.size() < 2) {
    return fmt::format("the reference is a single point, or all of it lies in one cell of {:.3g}: make cells smaller",
                       1 / field.frame.scale);
  }
  if (observed.radius < 1 && 2 * observed.radius * most_larger < across(field)) {  // less than a cell
    return fmt::format(
        "the observed points are {:.3g} across and a cell of the reference's field {:.3g}: are they in different "
        "units, such as metres and millimetres? If not, make cells smaller",
        2 * observed.radius / field.frame.scale, 1 / field.frame.scale);
  }
  const int needed = options.model >= ChamferModel::affine ? D : D - 1;
  const auto at = [&](std::size_t i) { return sample.positions[i]; };
  const int rank = point_rank<D>(sample.positions.size(), at, 1, rounding);
  if (rank < needed) return flat_text("observed", rank, model);
  const int of_reference = rank_of_sites<D>(field);
  if (of_reference < needed) return flat_text("reference", of_reference, model);
  return {};
}

template <int D>
void warn_of_units(const ChamferFrames<D>& frames, const SamplePoints<D>& sample, const Ball<D>& observed,
                   const FieldData& field, Registration& result) {
  const double width = across(field), own = 2 * observed.radius;
  if (field.geo) {
    constexpr double degrees_off = 5;
    const bool degrees = std::all_of(sample.positions.begin(), sample.positions.end(), [&](const auto& p) {
      return std::fabs(p[0] / frames.scale + frames.source_origin[0] - field.geo->longitude) <= degrees_off &&
             std::fabs(p[1] / frames.scale + frames.source_origin[1] - field.geo->latitude) <= degrees_off;
    });
    if (degrees && own * most_larger < width) {
      result.warnings.push_back(
          "the observed points look like degrees and the reference is in metres: name the columns lon and lat, or give "
          "them as GeoJSON");
      return;
    }
  }
  const bool finite = std::isfinite(own / frames.scale + width / frames.scale);
  if (finite && (own > most_larger * width || own * most_smaller < width)) {
    result.warnings.push_back(
        fmt::format("the observed points are {:.3g} across and the reference {:.3g}: are they in different units, such "
                    "as metres and millimetres?",
                    own / frames.scale, width / frames.scale));
  }
}

void warn_of_doubt(const Chamfer& options, double cell, double fitting, Registration& result) {
  constexpr const char* names[] = {"rigid", "similarity", "affine", "projective"};
  const char* model = names[static_cast<int>(options.model)];
  if (fitting < few_inliers) {
    result.warnings.push_back(fmt::format(
        "only {:.0f}% of the observed points lie on the reference: this may be a wrong place, which expected_error "
        "knows nothing of; a wider search range{} may fit better",
        100 * fitting, options.model < ChamferModel::affine ? " or model" : ""));
  }
  // Less than a part of a cell is no error worth a word.
  if (!result.expected_error || *result.expected_error <= vague * std::max(result.rmse, cell)) return;
  result.warnings.push_back(fmt::format(
      "the points hold this {} transform to about {:.2g} only, in the root mean square{}", model,
      *result.expected_error, options.model > ChamferModel::rigid ? "; a simpler model would be held better" : ""));
}

#define DOVETAIL_INSTANTIATE(D)                                                                                   \
  template std::string why_hopeless<D>(const Chamfer&, const SamplePoints<D>&, const Ball<D>&, const FieldData&); \
  template void warn_of_units(const ChamferFrames<D>&, const SamplePoints<D>&, const Ball<D>&, const FieldData&,  \
                              Registration&);
DOVETAIL_INSTANTIATE(2)
DOVETAIL_INSTANTIATE(3)
#undef DOVETAIL_INSTANTIATE

}  // namespace dovetail
