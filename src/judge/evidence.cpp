// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "judge/evidence.h"

#include <algorithm>
#include <cmath>

#include "core/eigen_symmetric.h"
#include "core/normal_equations.h"

namespace dovetail {

namespace {

double quantile(std::vector<double> values, double part) {
  if (values.empty()) return 0;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

struct Way {
  double asked = 0, near = 0, facing = 0, agree = 0, against = 0, sheets = 0, explained = 0;
  std::vector<double> off, apart, cosine;
  Symmetric<double, 6> hold{};
  int dimension = 3;

  Way(std::span<const Touch> touches, const Vec3& center, double radius, double thickness, int dim) : dimension(dim) {
    asked = static_cast<double>(touches.size());
    for (const Touch& t : touches) {
      if (!(t.weight > 0) || !(t.spacing > 0)) continue;
      const double unit = std::max(t.spacing, 4 * thickness);
      const bool known = squared_norm(t.normal) > 0;
      const double e = known ? std::fabs(t.off) : t.distance;
      const double along = known ? std::sqrt(std::max(0.0, t.distance * t.distance - e * e)) : 0;
      if (t.distance < 3 * unit) near += 1;
      if (along > 1.5 * unit || (!known && t.lopsided > 0.3)) continue;
      if (e > 10 * unit) continue;
      if (e >= 0.5 * unit && t.mutual < std::min(unit, 0.7 * t.distance)) {  // another sheet lies there
        sheets += 1;
        if (t.mutual < 0.5 * unit) explained += 1;
        continue;
      }
      facing += 1;
      if (e < 3 * unit) {
        off.push_back(e / unit);
        apart.push_back(t.distance / unit);
        if (t.cosine >= 0) cosine.push_back(t.cosine);
      }
      if (e < 0.5 * unit) {
        agree += 1;
        if (known) {
          const Vector<double, 7> row = plane_row((1 / radius) * (t.place - center), t.normal);
          hold.add_outer(1, Vector<double, 6>{row[0], row[1], row[2], row[3], row[4], row[5]});
        }
      } else {
        against += 1;
      }
    }
  }
  double held() const {
    if (dimension == 3) return std::max(0.0, eigen_symmetric(hold).values[0]) / std::max(1.0, asked);
    Symmetric<double, 3> plane{};
    const int of[3] = {2, 3, 4};
    for (int i = 0; i < 3; ++i) {
      for (int j = i; j < 3; ++j) plane(i, j) = hold(of[i], of[j]);
    }
    return std::max(0.0, eigen_symmetric(plane).values[0]) / std::max(1.0, asked);
  }
  double parallel() const {
    double sum = 0;
    for (const double c : cosine) sum += c;
    return cosine.empty() ? 0 : sum / static_cast<double>(cosine.size());
  }
};

double thickness_of(std::span<const Touch> touches) {
  std::vector<double> thick;
  for (const Touch& t : touches) {
    if (t.weight > 0) thick.push_back(t.thickness);
  }
  return quantile(thick, 0.5);
}

}  // namespace

std::vector<Evidence> evidence_of(const Contact& contact, const Similarity3& pose, const Prepared& prepared) {
  const Vec3 center = pose * prepared.source->centroid;
  const Vec3 own_center = prepared.source->centroid;
  const Way there(contact.there, center, pose.scale * prepared.source->radius, thickness_of(contact.there), prepared.dimension);
  const Way back(contact.back, own_center, prepared.source->radius, thickness_of(contact.back), prepared.dimension);
  std::vector<Evidence> evidence;
  const auto add = [&](const std::string& name, double value) { evidence.push_back({name, value}); };
  for (const auto& [w, n] : {std::pair{&there, std::string("_there")}, {&back, std::string("_back")}}) {
    add("near" + n, w->near / w->asked);
    add("agree" + n, w->agree / w->asked);
    add("against" + n, w->against / w->asked);
    add("facing" + n, w->facing / w->asked);
    add("sheets" + n, w->sheets / w->asked);
    add("explained" + n, w->explained / w->asked);
    add("asked" + n, w->asked);
    add("e50" + n, w->off.empty() ? 3 : quantile(w->off, 0.5));
    add("e80" + n, w->off.empty() ? 3 : quantile(w->off, 0.8));
    add("e95" + n, w->off.empty() ? 3 : quantile(w->off, 0.95));
    add("d50" + n, quantile(w->apart, 0.5));
    add("d80" + n, quantile(w->apart, 0.8));
    add("cos" + n, w->parallel());
    add("cos25" + n, quantile(w->cosine, 0.25));
    add("held" + n, std::log(w->held() + 1e-4));
    add("known" + n, static_cast<double>(w->cosine.size()) / std::max(1.0, w->near));
    add("k" + n, std::log((w->agree + 1) / (w->against + 1)));
  }
  return evidence;
}

}  // namespace dovetail
