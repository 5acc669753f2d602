// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/orientation_clusters.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/eigen_symmetric.h"
#include "core/random.h"
#include "spatial/parallel.h"

namespace dovetail::pose {
namespace {

using Images = OrientationSpace::Images;

class Clustering {
 public:
  Clustering(std::span<const Quaternion<double>> samples, const OrientationSpace& space, const ClusterOptions& options)
      : samples_(samples), space_(space), options_(options) {
    for (const Quaternion<double>& q : samples) short_.push_back(in_float(q));
    nearest_.assign(samples.size(), 0);
    angle_.assign(samples.size(), 4.0f);
  }

  std::size_t size() const { return centre_.size(); }

  /// Picks samples as the first centres, one after another: the farther from those before, the likelier.
  void seed(const std::function<bool(double)>& go_on) {
    RandomStream random(options_.seed, 0);
    const auto wanted = static_cast<std::size_t>(options_.clusters);
    add_centre(random.below(static_cast<std::uint32_t>(samples_.size())));
    std::vector<double> sums;
    while (size() < wanted && go_on(static_cast<double>(size()) / static_cast<double>(wanted))) {
      double total = 0;
      sums.clear();
      for (const float angle : angle_) sums.push_back(total += std::pow(static_cast<double>(angle), options_.power));
      // An angle of a tenth of a degree is rounding or nearly so: there is nothing left that differs.
      if (!(*std::max_element(angle_.begin(), angle_.end()) > 0.002f)) return;
      const auto chosen = std::upper_bound(sums.begin(), sums.end(), random.uniform() * total);
      add_centre(std::min(static_cast<std::size_t>(chosen - sums.begin()), samples_.size() - 1));
    }
  }

  /// The nearest centre of each sample; exact: a centre c' can be nearer than c only where the angle between them is
  /// less than twice the sample's to c. Returns how many samples changed.
  std::size_t assign() {
    make_images();
    sort_neighbours();
    std::vector<std::uint8_t> moved(samples_.size(), 0);
    parallel_for(samples_.size(), 256, [&](std::size_t i) {
      const std::uint32_t before = nearest_[i];
      float best = OrientationSpace::closeness(images_[before], short_[i]);
      std::uint32_t chosen = before;
      float reach = 2 * angle_in_float(best) + 1e-3f;
      for (const auto& [angle, other] : neighbours_[before]) {
        if (angle > reach) break;
        const float closeness = OrientationSpace::closeness(images_[other], short_[i]);
        if (closeness > best || (closeness == best && other < chosen)) best = closeness, chosen = other;
      }
      nearest_[i] = chosen;
      angle_[i] = angle_in_float(best);
      moved[i] = chosen != before;
    });
    return static_cast<std::size_t>(std::count(moved.begin(), moved.end(), 1));
  }

  /// Each centre goes to the mean of its samples, weighted as the power asks.
  void move_centres() {
    list_members();
    parallel_for(size(), 8, [&](std::size_t c) {
      if (begin_[c] == begin_[c + 1]) return;
      Symmetric<double, 4> sum{};
      for (std::size_t m = begin_[c]; m < begin_[c + 1]; ++m) {
        const std::size_t i = member_[m];
        const double angle = std::max(static_cast<double>(angle_[i]), 1e-3);
        const double weight = std::pow(angle, options_.power - 2);
        const Quaternion<double> q = space_.nearest_alike(samples_[i], centre_[c]);
        for (int row = 0; row < 4; ++row) {
          for (int column = row; column < 4; ++column) sum(row, column) += weight * q[row] * q[column];
        }
      }
      const Quaternion<double> mean = eigen_symmetric(sum).vector(3);
      // With a power above 2 the weights are those of the last step, and a whole step may overshoot.
      const double step = 1 / (options_.power - 1);
      const Quaternion<double> to = dot(mean, centre_[c]) < 0 ? -mean : mean;
      const Quaternion<double> moved = (1 - step) * centre_[c] + step * to;
      centre_[c] = (1 / norm(moved)) * moved;
    });
    // A centre that has lost all its samples begins anew at the one that is worst served.
    for (std::size_t c = 0; c < size(); ++c) {
      if (begin_[c] != begin_[c + 1]) continue;
      const auto worst = std::max_element(angle_.begin(), angle_.end());
      centre_[c] = samples_[static_cast<std::size_t>(worst - angle_.begin())];
      *worst = 0;
    }
  }

  /// What is made small: the mean of the angles to the power.
  double cost() const {
    double sum = 0;
    for (const float angle : angle_) sum += std::pow(static_cast<double>(angle), options_.power);
    return sum / static_cast<double>(samples_.size());
  }

  /// Those with the most samples first.
  OrientationClusters take() {
    list_members();
    std::vector<std::size_t> order(size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto members = [&](std::size_t c) { return begin_[c + 1] - begin_[c]; };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return members(a) > members(b); });
    OrientationClusters clusters;
    for (const std::size_t c : order) {
      clusters.centre.push_back(centre_[c]);
      clusters.share.push_back(static_cast<double>(members(c)) / static_cast<double>(samples_.size()));
    }
    return clusters;
  }

 private:
  static float angle_in_float(float closeness) {
    return 2 * std::atan2(std::sqrt(std::max(0.0f, 1 - closeness)), std::sqrt(closeness));
  }

  void add_centre(std::size_t sample) {
    const auto added = static_cast<std::uint32_t>(size());
    centre_.push_back(samples_[sample]);
    const Images images = space_.images_of(samples_[sample]);
    parallel_for(samples_.size(), 4096, [&](std::size_t i) {
      const float angle = angle_in_float(OrientationSpace::closeness(images, short_[i]));
      if (angle < angle_[i]) angle_[i] = angle, nearest_[i] = added;
    });
    angle_[sample] = 0;
  }

  void make_images() {
    images_.resize(size());
    parallel_for(size(), 64, [&](std::size_t c) { images_[c] = space_.images_of(centre_[c]); });
  }

  void sort_neighbours() {
    neighbours_.resize(size());
    parallel_for(size(), 8, [&](std::size_t c) {
      auto& list = neighbours_[c];
      list.clear();
      const std::array<float, 4> here = in_float(centre_[c]);
      for (std::size_t other = 0; other < size(); ++other) {
        if (other == c) continue;
        list.emplace_back(angle_in_float(OrientationSpace::closeness(images_[other], here)),
                          static_cast<std::uint32_t>(other));
      }
      std::sort(list.begin(), list.end());
    });
  }

  void list_members() {
    begin_.assign(size() + 1, 0);
    for (const std::uint32_t c : nearest_) ++begin_[c + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    member_.resize(nearest_.size());
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    for (std::size_t i = 0; i < nearest_.size(); ++i) member_[next[nearest_[i]]++] = i;
  }

  std::span<const Quaternion<double>> samples_;
  const OrientationSpace& space_;
  const ClusterOptions& options_;
  std::vector<std::array<float, 4>> short_;
  std::vector<std::uint32_t> nearest_;
  std::vector<float> angle_;
  std::vector<Quaternion<double>> centre_;
  std::vector<Images> images_;
  std::vector<std::vector<std::pair<float, std::uint32_t>>> neighbours_;
  std::vector<std::size_t> begin_, member_;
};

}  // namespace

OrientationClusters cluster_orientations(std::span<const Quaternion<double>> samples, const OrientationSpace& space,
                                         const ClusterOptions& options, const ClusterRun& run) {
  if (samples.empty() || options.clusters < 1) return {};
  constexpr double seeding = 0.3;  // of the time, about
  const auto go_on = [&](double share) {
    if (run.on_progress) run.on_progress(share);
    return !(run.cancel && *run.cancel);
  };
  Clustering clustering(samples, space, options);
  clustering.seed([&](double share) { return go_on(seeding * share); });
  double before = 0;
  for (int i = 0; i < options.iterations; ++i) {
    clustering.assign();
    const double cost = clustering.cost();
    if (i > 0 && cost > before * (1 - 1e-4)) break;
    before = cost;
    if (!go_on(seeding + (1 - seeding) * i / options.iterations)) break;
    clustering.move_centres();
  }
  return clustering.take();
}

std::vector<double> angles_to_nearest(std::span<const Quaternion<double>> samples,
                                      std::span<const Quaternion<double>> centres, const OrientationSpace& space) {
  std::vector<Images> images;
  for (const Quaternion<double>& centre : centres) images.push_back(space.images_of(centre));
  std::vector<double> angles(samples.size());
  parallel_for(samples.size(), 64, [&](std::size_t i) {
    const std::array<float, 4> x = in_float(samples[i]);
    float best = 0;
    for (const Images& each : images) best = std::max(best, OrientationSpace::closeness(each, x));
    angles[i] = angle_of_closeness(static_cast<double>(best));
  });
  return angles;
}

}  // namespace dovetail::pose
