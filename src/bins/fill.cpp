// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "bins/fill.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "bins/drop.h"
#include "bins/penetration.h"
#include "core/random.h"
#include "dovetail/rotation.h"

namespace dovetail::bins {
namespace {

// Lengths are in the simulation's unit, the largest part's diameter; times in its seconds.
constexpr double time_between_parts = 0.12;
constexpr double clearance = 0.15;      ///< below a part that is let go
constexpr double look_interval = 0.25;  ///< how often it is looked who has moved
/// What moves no point by more than this share of its diameter from look to look is at rest.
constexpr double rest = 0.001;
constexpr double thickening = 3;  ///< how long it takes until what parts move in is thick
constexpr int rounds = 8;         ///< of taking parts out and waiting again

class Filling {
 public:
  Filling(const Bodies& bodies, const BinSize& size, const BinOptions& options, std::uint64_t seed,
          const std::function<bool(double)>& told)
      : bodies_(bodies), size_(size), options_(options), told_(told), world_(bodies, size, options) {
    bin_.seed = seed;
    const double unit = bodies.unit;
    bin_.length = unit * size.length, bin_.width = unit * size.width, bin_.height = unit * size.height;
    bin_.wall = unit * size.wall;
  }

  Bin run() {
    drop();
    for (int round = 0; going_on_; ++round) {
      const bool resting = settle();
      if (!going_on_) break;
      bool changed = take_out(fallen_out(0), bin_.fell_out);
      if (!resting) changed |= take_out(moving_, bin_.restless);
      changed |= take_out(too_deep(), bin_.too_deep);
      if (!changed) break;
      if (round + 1 == rounds) going_on_ = false;
    }
    bin_.at_rest = going_on_;
    report();
    return std::move(bin_);
  }

 private:
  /// A bin that has to settle again does not go back.
  void tell(double share) {
    share_ = std::max(share_, share);
    going_on_ = going_on_ && told_(share_);
  }

  std::vector<std::size_t> shuffled(RandomStream& random) const {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < bodies_.counts.size(); ++i) {
      order.insert(order.end(), static_cast<std::size_t>(bodies_.counts[i]), i);
    }
    for (std::size_t i = order.size(); i > 1; --i) {
      std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
    }
    return order;
  }

  /// Somewhere above all that is already there.
  Rigid3 start_of(const Body& body, RandomStream& random) const {
    const double x = std::max(0.0, 0.5 * size_.length - body.radius),
                 y = std::max(0.0, 0.5 * size_.width - body.radius);
    Rigid3 pose{random.rotation(), {random.uniform(-x, x), random.uniform(-y, y), 0}};
    double top = 0;
    for (const int other : world_.present()) {
      const Bounds box = world_.box(other);
      if (std::fabs(box.center()[0] - pose.translation[0]) > 0.5 * box.sides()[0] + body.radius) continue;
      if (std::fabs(box.center()[1] - pose.translation[1]) > 0.5 * box.sides()[1] + body.radius) continue;
      top = std::max(top, box.high[2]);
    }
    const bool over_the_walls = body.radius > 0.5 * std::min(size_.length, size_.width);
    if (over_the_walls) top = std::max(top, size_.height);
    pose.translation[2] = top + body.radius + clearance;
    return pose;
  }

  void drop() {
    RandomStream random(bin_.seed, 0);
    const std::vector<std::size_t> order = shuffled(random);
    const int steps = std::max(1, static_cast<int>(std::lround(time_between_parts / options_.time_step)));
    for (const std::size_t kind : order) {
      world_.add(kind, start_of(bodies_.bodies[kind], random));
      ++bin_.dropped;
      for (int i = 0; i < steps; ++i) step();
      take_out(fallen_out(size_.wall), bin_.fell_out);
      tell(0.8 * bin_.dropped / static_cast<double>(order.size()));
      if (!going_on_) return;
    }
  }

  void step() {
    world_.step();
    ++bin_.steps;
  }

  /// Waits until nothing moves, as long as is allowed; `moving_` is then what does.
  bool settle() {
    const int look = std::max(1, static_cast<int>(std::lround(look_interval / options_.time_step)));
    const int most = std::max(2, static_cast<int>(std::lround(options_.max_seconds / look_interval)));
    int quiet = 0;
    std::map<int, Rigid3> before;
    for (int i = 0; i < most && going_on_; ++i) {
      // First as it is in air, then ever thicker.
      const double share = static_cast<double>(i) / most, thick = std::min(1.0, i * look_interval / thickening);
      world_.set_damping(0.05 + 0.94 * thick, 0.1 + 0.89 * thick);
      for (const int number : world_.present()) before[number] = world_.pose(number);
      for (int k = 0; k < look; ++k) step();
      const bool fell = take_out(fallen_out(size_.wall), bin_.fell_out);
      moving_ = moved_since(before);
      quiet = fell || !moving_.empty() ? 0 : quiet + 1;
      if (quiet == 2) return true;
      tell(0.8 + 0.19 * share);
    }
    return false;
  }

  std::vector<int> moved_since(const std::map<int, Rigid3>& before) const {
    std::vector<int> moved;
    for (const int number : world_.present()) {
      const Body& body = bodies_.bodies[world_.body_of(number)];
      const Rigid3 &was = before.at(number), is = world_.pose(number);
      const double turned = norm((is.rotation * transpose(was.rotation) - Mat3::identity()) * Vec3{1, 1, 1});
      if (norm(is.translation - was.translation) + turned * body.radius > rest * body.diameter) moved.push_back(number);
    }
    return moved;
  }

  /// Those whose centre is beyond the bin's inner sides by more than `beyond`.
  std::vector<int> fallen_out(double beyond) const {
    std::vector<int> fallen;
    if (size_.plane) return fallen;
    for (const int number : world_.present()) {
      const Vec3 at = world_.pose(number).translation;
      const double x = std::fabs(at[0]) - 0.5 * size_.length, y = std::fabs(at[1]) - 0.5 * size_.width;
      if (std::max(x, y) > beyond || !std::isfinite(x + y + at[2])) fallen.push_back(number);
    }
    return fallen;
  }

  bool take_out(const std::vector<int>& numbers, int& count) {
    for (const int number : numbers) {
      if (std::find(world_.present().begin(), world_.present().end(), number) == world_.present().end()) continue;
      world_.remove(number);
      ++count;
    }
    return !numbers.empty();
  }

  /// All pairs that touch or cross, by the numbers of the parts.
  std::vector<BinContact> contacts() const {
    std::map<std::pair<int, int>, double> depth;
    for (const auto& pair : world_.touching()) depth[pair] = 0;
    const std::vector<int>& present = world_.present();
    for (std::size_t i = 0; i < present.size(); ++i) {
      const Body& a = bodies_.bodies[world_.body_of(present[i])];
      const Rigid3 pose = world_.pose(present[i]);
      const double into_bin = penetration(a, pose, size_) / a.diameter;
      if (into_bin > 0) depth[{present[i], BinContact::bin}] = into_bin;
      for (std::size_t k = i + 1; k < present.size(); ++k) {
        const Body& b = bodies_.bodies[world_.body_of(present[k])];
        const double deep = penetration(a, pose, b, world_.pose(present[k])) / std::min(a.diameter, b.diameter);
        if (deep > 0) depth[{present[i], present[k]}] = deep;
      }
    }
    std::vector<BinContact> result;
    for (const auto& [pair, deep] : depth) result.push_back({pair.first, pair.second, deep});
    return result;
  }

  /// Of two parts that cross, the one that came later.
  std::vector<int> too_deep() const {
    std::vector<int> deep;
    for (const BinContact& contact : contacts()) {
      if (contact.depth > options_.max_penetration) deep.push_back(std::max(contact.first, contact.second));
    }
    return deep;
  }

  void report() {
    std::map<int, int> index;  // of a number among those that are left
    for (const int number : world_.present()) {
      const std::size_t kind = world_.body_of(number);
      index[number] = static_cast<int>(bin_.parts.size());
      bin_.parts.push_back({kind, bodies_.bodies[kind].scene_from_part(world_.pose(number), bodies_.unit)});
    }
    bin_.contacts = contacts();
    for (BinContact& contact : bin_.contacts) {
      contact.first = index.at(contact.first);
      if (contact.second != BinContact::bin) contact.second = index.at(contact.second);
      bin_.deepest = std::max(bin_.deepest, contact.depth);
    }
  }

  const Bodies& bodies_;
  const BinSize& size_;
  const BinOptions& options_;
  const std::function<bool(double)>& told_;
  DropWorld world_;
  std::vector<int> moving_;
  bool going_on_ = true;
  double share_ = 0;
  Bin bin_;
};

}  // namespace

Bin fill_bin(const Bodies& bodies, const BinSize& size, const BinOptions& options, std::uint64_t seed,
             const std::function<bool(double)>& told) {
  return Filling(bodies, size, options, seed, told).run();
}

}  // namespace dovetail::bins
