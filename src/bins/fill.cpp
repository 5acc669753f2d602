// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "bins/fill.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "bins/drop.h"
#include "bins/penetration.h"
#include "bins/sleepers.h"
#include "core/random.h"
#include "dovetail/rotation.h"

namespace dovetail::bins {
namespace {

// Lengths are in the simulation's unit, the largest part's diameter; times in its seconds.
constexpr int tries = 12;  ///< to find a place for a part beside those let go with it
constexpr double shortest_landing = 0.2;
constexpr double longest_landing = 0.35;
constexpr double landed_speed = 1;      ///< of any point, in diameters a second
constexpr double clearance = 0.15;      ///< below a part that is let go
constexpr double look_interval = 0.25;  ///< how often it is looked who has moved
/// What moves no point by more than this share of its diameter from look to look is at rest.
constexpr double rest = 0.01;
constexpr double thickening = 1;  ///< how long it takes until what parts move in is thick
constexpr int quiet_looks = 2;
constexpr int rounds = 8;  ///< of taking parts out and waiting again

class Filling {
 public:
  Filling(const Bodies& bodies, const BinSize& size, const BinOptions& options, std::uint64_t seed,
          const std::function<bool(double)>& told)
      : bodies_(bodies),
        size_(size),
        options_(options),
        told_(told),
        world_(bodies, size, options),
        sleepers_(world_, bodies) {
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

  /// A part that is let go, as a disc seen from above: those let go together must not meet before they land.
  struct Disc {
    double x, y, radius;
  };

  /// A free place above the floor, or none.
  std::optional<Disc> place_for(const Body& body, const std::vector<Disc>& taken, RandomStream& random) const {
    const double x = std::max(0.0, 0.5 * size_.length - body.radius),
                 y = std::max(0.0, 0.5 * size_.width - body.radius);
    for (int i = 0; i < tries; ++i) {
      const Disc disc{random.uniform(-x, x), random.uniform(-y, y), body.radius};
      const auto meets = [&](const Disc& other) {
        return std::hypot(disc.x - other.x, disc.y - other.y) < disc.radius + other.radius;
      };
      if (std::none_of(taken.begin(), taken.end(), meets)) return disc;
    }
    return {};
  }

  /// Just above what is already there.
  double height_for(const Disc& disc) const {
    double top = 0;
    for (const int other : world_.present()) {
      const Bounds box = world_.box(other);
      if (std::fabs(box.center()[0] - disc.x) > 0.5 * box.sides()[0] + disc.radius) continue;
      if (std::fabs(box.center()[1] - disc.y) > 0.5 * box.sides()[1] + disc.radius) continue;
      top = std::max(top, box.high[2]);
    }
    const bool over_the_walls = disc.radius > 0.5 * std::min(size_.length, size_.width);
    if (over_the_walls) top = std::max(top, size_.height);
    return top + disc.radius + clearance;
  }

  /// Lets parts go in layers: as many at once as find room beside each other, the next when these have landed.
  void drop() {
    RandomStream random(bin_.seed, 0);
    const std::vector<std::size_t> order = shuffled(random);
    for (std::size_t next = 0; next < order.size() && going_on_;) {
      std::vector<std::pair<Disc, Mat3>> layer;
      std::vector<Disc> taken;
      for (std::size_t i = next; i < order.size(); ++i) {
        const auto disc = place_for(bodies_.bodies[order[i]], taken, random);
        if (!disc) break;
        taken.push_back(*disc);
        layer.push_back({*disc, random.rotation()});
      }
      // Heights before any of them is there.
      std::vector<double> heights;
      for (const Disc& disc : taken) heights.push_back(height_for(disc));
      std::vector<int> falling;
      for (std::size_t i = 0; i < layer.size(); ++i) {
        falling.push_back(world_.add(order[next++], {layer[i].second, {taken[i].x, taken[i].y, heights[i]}}));
        ++bin_.dropped;
      }
      wait_for(falling);
      take_out(fallen_out(size_.wall), bin_.fell_out);
      tell(0.8 * bin_.dropped / static_cast<double>(order.size()));
    }
  }

  /// Until all of them are slow, or time is up.
  void wait_for(const std::vector<int>& falling) {
    for (double time = 0; time < longest_landing; time += Sleepers::interval) {
      steps(Sleepers::interval);
      sleepers_.look();
      const auto slow = [&](int number) { return world_.speed(number) < landed_speed; };
      if (time >= shortest_landing && std::all_of(falling.begin(), falling.end(), slow)) return;
    }
  }

  void steps(double seconds) {
    const int count = std::max(1, static_cast<int>(std::lround(seconds / options_.time_step)));
    for (int i = 0; i < count; ++i) step();
  }

  void step() {
    world_.step();
    ++bin_.steps;
  }

  /// Waits until nothing moves, as long as is allowed; `moving_` is then what does.
  bool settle() {
    const int most = std::max(2, static_cast<int>(std::lround(options_.max_seconds / Sleepers::interval)));
    for (int i = 0; i < most && going_on_; ++i) {
      // First as it is in air, then ever thicker.
      const double thick = std::min(1.0, i * Sleepers::interval / thickening);
      world_.set_damping(0.05 + 0.94 * thick, 0.1 + 0.89 * thick);
      if (sleepers_.all_asleep()) {
        // None of them may need the others to be held.
        sleepers_.wake_all();
        bool quiet = true;
        for (int k = 0; k < quiet_looks && quiet; ++k) quiet = lies_still();
        if (quiet) return true;
        i += static_cast<int>(std::lround(look_interval / Sleepers::interval));
      } else {
        steps(Sleepers::interval);
        sleepers_.look();
      }
      if (take_out(fallen_out(size_.wall), bin_.fell_out)) sleepers_.wake_all();
      tell(0.8 + 0.19 * i / most);
    }
    moving_ = sleepers_.awake();
    if (moving_.empty()) {
      // They sleep, and move when they are woken.
      sleepers_.wake_all();
      lies_still();
    }
    return false;
  }

  /// Whether nothing moves while nothing sleeps.
  bool lies_still() {
    std::map<int, Rigid3> before;
    for (const int number : world_.present()) before[number] = world_.pose(number);
    steps(look_interval);
    moving_.clear();
    for (const int number : world_.present()) {
      const Body& body = bodies_.bodies[world_.body_of(number)];
      if (farthest_moved(before.at(number), world_.pose(number), body.radius) > rest * body.diameter)
        moving_.push_back(number);
    }
    return moving_.empty();
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
  std::vector<BinContact> measured_contacts() const {
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
  std::vector<int> too_deep() {
    contacts_ = measured_contacts();
    std::vector<int> deep;
    for (const BinContact& contact : contacts_) {
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
    // Measured when it was looked who is too deep; unless it was stopped, nothing has moved since.
    bin_.contacts = going_on_ ? std::move(contacts_) : measured_contacts();
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
  Sleepers sleepers_;
  std::vector<int> moving_;
  std::vector<BinContact> contacts_;
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
