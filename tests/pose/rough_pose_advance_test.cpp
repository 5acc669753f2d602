// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <functional>

#include "core/random.h"
#include "methods/rough_pose.h"

// The downhill simplex with made-up sums: no pixels needed.

namespace dovetail::test {
namespace {

using namespace rough;

/// Sums whose error (3) is `error`, whatever is before or behind.
Sums sums_of(double error) {
  Sums s{};
  s.hidden = 1e6 * error;
  s.agreed = 1e6 * (1 - error);
  s.pixels = 1;
  return s;
}

Params params() {
  Params p;
  p.hidden = 1, p.impossible = 2, p.unknown = 0.5, p.range = 0.25, p.cover = 0.125;
  p.step = 128;
  p.tolerance = 240, p.reach = 32;
  p.spread = 0.001, p.iterations = 200;
  return p;
}

/// One reference with some seeds, of which only where they are matters.
struct Seeds {
  std::vector<LaidShift> shifts;
  LaidReference reference;
  ReferencesView view{};

  explicit Seeds(std::vector<LaidShift> all) : shifts(std::move(all)) {
    reference.seeds = static_cast<std::uint32_t>(shifts.size());
    view.references = &reference;
    view.seeds = shifts.data();
  }
};

/// Runs a state on a function of the shift; returns how many passes that took.
int descend(const Params& p, const Seeds& seeds, State& s, const std::function<double(const LaidShift&)>& error) {
  int passes = 0;
  for (; !RoughPose::finished(s) && passes < 1000; ++passes) {
    Sums sums[4]{};
    for (std::uint32_t h = 0; h < RoughPose::hypotheses(p, s); ++h) {
      sums[h] = sums_of(error(RoughPose::shift_of(seeds.view, s, h)));
    }
    RoughPose::advance(p, s, sums, nullptr);
  }
  return passes;
}

double squared(double v) { return v * v; }

TEST(RoughAdvance, ErrorsAreMadeOfWhatPixelsSay) {
  const Params p = params();
  const Sums half{50, 25, 15, 10, 50 * 8, 20, 20 * 4};
  // Half of it agrees, 8 steps of depth and 4 of distance off.
  EXPECT_DOUBLE_EQ(error_of(p, half), 0.5 * (0.25 * 8 + 0.125 * 4) + 1 * 0.25 + 2 * 0.15 + 0.5 * 0.1);
  Params paper = p;
  paper.agreed_alone = true;
  EXPECT_DOUBLE_EQ(error_of(paper, half), (0.25 * 8 + 0.125 * 4) + 1 * 0.25 + 2 * 0.15 + 0.5 * 0.1);
  EXPECT_DOUBLE_EQ(error_of(p, Sums{100, 0, 0, 0, 0, 40, 0}), 0) << "all where it should be";
  EXPECT_DOUBLE_EQ(error_of(p, Sums{0, 0, 100, 0, 0, 0, 0}), 2) << "none of it can be there";
  EXPECT_GT(error_of(p, Sums{}), 1e100) << "a reference that shows nothing";
}

TEST(RoughAdvance, APixelSaysOneThing) {
  const Params p = params();
  const LaidPixel of{100, 16, 200}, here{100, 20, 255}, hole{0, 0, 0}, off_the_part{0, 0, 0};
  const auto is = [&](const Answer& a, std::uint32_t agreed, std::uint32_t hidden, std::uint32_t impossible,
                      std::uint32_t unknown) {
    EXPECT_EQ(a.agreed, agreed);
    EXPECT_EQ(a.hidden, hidden);
    EXPECT_EQ(a.impossible, impossible);
    EXPECT_EQ(a.unknown, unknown);
    EXPECT_EQ(a.pixels, agreed > 0 ? 1u : 0u);
  };
  is(ask(p, of, here, 0), 200, 0, 0, 0);
  EXPECT_EQ(ask(p, of, here, 0).cover, 4u);
  EXPECT_EQ(ask(p, of, here, -30).range, 200u * 30);
  is(ask(p, of, here, 240), 200, 0, 0, 0);
  is(ask(p, of, here, 241), 0, 200, 0, 0);   // the part lies behind what was measured
  is(ask(p, of, here, -241), 0, 0, 200, 0);  // it lies before it
  is(ask(p, of, hole, 0), 0, 0, 0, 200);
  is(ask(p, off_the_part, here, 0), 0, 0, 0, 0);
  const LaidPixel far_from_edges{100, 127, 255};
  EXPECT_EQ(ask(p, of, far_from_edges, 0).cover, 32u) << "no more than the reach";
}

TEST(RoughAdvance, TheBestSeedIsBegunAt) {
  RandomStream random(3, 1);
  for (const std::size_t count : {1, 3, 4, 5, 8, 11}) {
    std::vector<LaidShift> shifts;
    for (std::size_t i = 0; i < count; ++i) {
      shifts.push_back({static_cast<std::int32_t>(random.uniform(-900, 900)),
                        static_cast<std::int32_t>(random.uniform(-900, 900)), 7});
    }
    const Seeds seeds(shifts);
    Params p = params();
    p.seed_groups = 3, p.groups = 500;
    State s = RoughPose::first_state(p, 0, 0, seeds.reference);
    const auto error = [](const LaidShift& at) { return 1e-7 * (squared(at.x - 100) + squared(at.y + 50)); };
    std::size_t best = 0, passes = 0;
    for (std::size_t i = 1; i < count; ++i) best = error(shifts[i]) < error(shifts[best]) ? i : best;
    while (s.phase == Phase::seeds) {
      EXPECT_EQ(s.groups, 3u);
      Sums sums[4];
      for (std::uint32_t h = 0; h < 4; ++h) sums[h] = sums_of(error(RoughPose::shift_of(seeds.view, s, h)));
      RoughPose::advance(p, s, sums, nullptr);
      ++passes;
    }
    EXPECT_EQ(passes, (count + 3) / 4);
    EXPECT_EQ(s.seed, best);
    EXPECT_EQ(s.groups, 500u);
    EXPECT_EQ(RoughPose::shift_of(seeds.view, s, 0u), shifts[best]);
    EXPECT_EQ(RoughPose::shift_of(seeds.view, s, 1u), (LaidShift{shifts[best].x + 128, shifts[best].y, 7}));
  }
}

TEST(RoughAdvance, SeedsCanBeSharedOut) {
  const Seeds seeds({{0, 0, 0}, {10, 0, 0}, {20, 0, 0}, {30, 0, 0}, {40, 0, 0}});
  State odd = RoughPose::first_state(params(), 0, 0, seeds.reference, 1, 2);
  EXPECT_EQ(RoughPose::shift_of(seeds.view, odd, 0u).x, 10);
  EXPECT_EQ(RoughPose::shift_of(seeds.view, odd, 1u).x, 30);
  EXPECT_EQ(RoughPose::shift_of(seeds.view, odd, 2u).x, 10) << "there are no more";
  EXPECT_EQ(RoughPose::first_state(params(), 0, 0, seeds.reference, 5, 2).phase, Phase::corners);
}

TEST(RoughAdvance, ASimplexGoesDownToTheMinimum) {
  RandomStream random(5, 1);
  for (int trial = 0; trial < 50; ++trial) {
    const LaidShift minimum{static_cast<std::int32_t>(random.uniform(-900, 900)),
                            static_cast<std::int32_t>(random.uniform(-900, 900)),
                            static_cast<std::int32_t>(random.uniform(-900, 900))};
    const Seeds seeds({{0, 0, 0}});
    Params p = params();
    State s = RoughPose::first_state(p, 0, 0, seeds.reference);
    // Not round, not along the axes, and with a floor: near it all errors are alike.
    descend(p, seeds, s, [&](const LaidShift& at) {
      const double x = at.x - minimum.x, y = at.y - minimum.y, z = at.z - minimum.z;
      return 0.01 + 1e-8 * (squared(x + 0.5 * y) + 3 * squared(y) + 2 * squared(z - 0.3 * x));
    });
    EXPECT_EQ(s.status, Status::converged);
    const LaidShift found = RoughPose::shift_of(seeds.view, s, s.corner[0]);
    // 0.1% of the floor are 32 steps along the flattest axis.
    EXPECT_NEAR(found.x, minimum.x, 48) << trial;
    EXPECT_NEAR(found.y, minimum.y, 48) << trial;
    EXPECT_NEAR(found.z, minimum.z, 48) << trial;
  }
}

TEST(RoughAdvance, CornersStayInOrder) {
  const Seeds seeds({{0, 0, 0}});
  const Params p = params();
  State s = RoughPose::first_state(p, 0, 0, seeds.reference);
  double best = 1e9;
  for (int pass = 0; pass < 60 && !RoughPose::finished(s); ++pass) {
    Sums sums[4];
    for (std::uint32_t h = 0; h < 4; ++h) {
      const LaidShift at = RoughPose::shift_of(seeds.view, s, h);
      sums[h] = sums_of(0.2 + 0.1 * std::sin(0.01 * at.x) * std::cos(0.013 * at.y) + 1e-7 * squared(at.z - 99));
    }
    RoughPose::advance(p, s, sums, nullptr);
    if (s.phase != Phase::moves && s.phase != Phase::done) continue;
    for (int i = 1; i < 4; ++i) EXPECT_LE(s.error[i - 1], s.error[i]);
    EXPECT_LE(s.error[0], best) << "the best never gets worse";
    best = s.error[0];
  }
}

TEST(RoughAdvance, TheStoppingRule) {
  const Seeds seeds({{0, 0, 0}});
  Params p = params();
  p.spread = 0.05;
  const auto after_corners = [&](double low, double high) {
    State s = RoughPose::first_state(p, 0, 0, seeds.reference);
    const Sums seed[4] = {sums_of(low), sums_of(low), sums_of(low), sums_of(low)};
    RoughPose::advance(p, s, seed, nullptr);
    const Sums corners[4] = {sums_of(high), sums_of(low), sums_of(low), sums_of(high)};
    RoughPose::advance(p, s, corners, nullptr);
    return s;
  };
  EXPECT_EQ(after_corners(0.2, 0.2).status, Status::converged);
  EXPECT_EQ(after_corners(0.2, 0.2103).status, Status::running) << "5.02% of the mean";
  EXPECT_EQ(after_corners(0.2, 0.2101).status, Status::converged) << "4.92%";
  EXPECT_EQ(after_corners(0, 0).status, Status::converged) << "as good as can be";
  // A function without a minimum: the limit ends it.
  p.iterations = 30;
  State s = RoughPose::first_state(p, 0, 0, seeds.reference);
  const int passes = descend(p, seeds, s, [](const LaidShift& at) { return 0.5 - 1e-9 * at.x; });
  (void)passes;
  EXPECT_LE(s.iterations, 30);
  EXPECT_EQ(s.phase, Phase::done);
}

TEST(RoughAdvance, WholeNumbersAreRoundedToTheNearest) {
  EXPECT_EQ(divided(7, 2), 4);
  EXPECT_EQ(divided(-7, 2), -4);
  EXPECT_EQ(divided(7, 3), 2);
  EXPECT_EQ(divided(-8, 3), -3);
  EXPECT_EQ(divided(0, 3), 0);
  const LaidShift corner[4] = {{0, 0, 0}, {30, 0, 0}, {0, 30, 0}, {-20, -20, 60}};
  EXPECT_EQ(tried(corner, reflection), (LaidShift{40, 40, -60}));
  EXPECT_EQ(tried(corner, expansion), (LaidShift{70, 70, -120}));
  EXPECT_EQ(tried(corner, outside), (LaidShift{25, 25, -30}));
  EXPECT_EQ(tried(corner, inside), (LaidShift{-5, -5, 30}));
}

}  // namespace
}  // namespace dovetail::test
