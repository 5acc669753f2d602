// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/average_precision.h"

#include <algorithm>

namespace dovetail::pose {
namespace {

void by_falling_score(std::vector<Judged>& estimates) {
  std::stable_sort(estimates.begin(), estimates.end(),
                   [](const Judged& a, const Judged& b) { return a.score > b.score; });
}

}  // namespace

double precision_at_101_recalls(std::vector<Judged> estimates, std::size_t truths) {
  if (truths == 0) return 0;
  by_falling_score(estimates);
  std::vector<double> recall, precision;
  std::size_t right = 0;
  for (const Judged& estimate : estimates) {
    right += estimate.right;
    recall.push_back(static_cast<double>(right) / static_cast<double>(truths));
    precision.push_back(static_cast<double>(right) / static_cast<double>(recall.size()));
  }
  for (std::size_t i = precision.size(); i-- > 1;) precision[i - 1] = std::max(precision[i - 1], precision[i]);
  constexpr int last = 100;
  double sum = 0;
  for (int level = 0; level <= last; ++level) {
    const double wanted = level == last ? 1.0 : level * 0.01;
    const auto reached = std::lower_bound(recall.begin(), recall.end(), wanted);
    if (reached != recall.end()) sum += precision[static_cast<std::size_t>(reached - recall.begin())];
  }
  return sum / (last + 1);
}

double area_below_precision(std::vector<Judged> estimates, std::size_t truths) {
  if (truths == 0) return 0;
  by_falling_score(estimates);
  double sum = 0, right = 0, seen = 0;
  for (const Judged& estimate : estimates) {
    seen += 1;
    if (!estimate.right) continue;
    right += 1;
    sum += right / seen;
  }
  return sum / static_cast<double>(truths);
}

}  // namespace dovetail::pose
