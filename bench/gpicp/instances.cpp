// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <algorithm>

#include "gpicp/studies.h"

namespace dovetail::bench::gpicp_studies {

std::vector<const Instance*> visible_ones(const Scene& scene, std::size_t object, std::size_t most) {
  std::vector<const Instance*> some = scene.of(object);
  std::erase_if(some, [](const Instance* i) { return !i->visible; });
  if (some.size() > most) some.resize(most);
  return some;
}

void print_row(const Bench& bench, const Row& row, const StudiedObject& object,
               const std::vector<const Instance*>& instances, const RunInstance& run, const std::string& peer) {
  std::vector<double> times, exact;
  double approximate = 0, at_truth = 0, right = 0, processor = 0;
  for (const Instance* instance : instances) {
    const Outcome outcome = run(*instance);
    times.push_back(outcome.milliseconds);
    processor += outcome.processor_ms / static_cast<double>(instances.size());
    exact.push_back(exact_error(bench.scene, object, outcome.pose));
    approximate += outcome.approximate_error / static_cast<double>(instances.size());
    at_truth += exact_error(bench.scene, object, instance->truth) / static_cast<double>(instances.size());
    right += is_right(bench.scene, *instance, outcome.pose) ? 1 : 0;
  }
  double mean = 0;
  for (const double e : exact) mean += e / static_cast<double>(exact.size());
  const auto [least, most] = std::minmax_element(exact.begin(), exact.end());
  Line line("gpicp_studies", row.study);
  line.text("method", row.method).text("object", object.sought->name).points(object.size());
  line.number(row.varied, row.at).machine("cpu", bench.threads);
  if (!peer.empty()) line.peer(peer);
  line.number("instances", static_cast<double>(instances.size())).number("right", right);
  line.number("exact_error", mean).number("least_error", *least).number("largest_error", *most);
  if (approximate > 0) line.number("approximate_error", approximate);
  line.number("error_at_truth", at_truth);
  Timing timing = timing_of(times);
  timing.processor_ms = processor;
  line.value(timing);
}

}  // namespace dovetail::bench::gpicp_studies
