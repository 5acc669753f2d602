// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "core/moments.h"

#include "pairs.h"

namespace dovetail {
namespace {

using namespace test;

TEST(Moments, CentredSumsAndCostAgreeWithTwoPasses) {
  RandomStream random(14, 0);
  const Pairs pairs = make_pairs({random.rotation(), {1, 2, 3}, 1.5}, 3, 0.3, random, true);
  const Moments m = pairs.moments();
  Mat3 cross_scatter{};
  Symmetric<double, 3> scatter{};
  double spread = 0, cost = 0;
  const Similarity3 t = {random.rotation(), {0.2, 0.1, -1}, 0.8};
  for (std::size_t i = 0; i < pairs.source.size(); ++i) {
    const Vec3 p = pairs.source[i] - m.source_mean(), q = pairs.target[i] - m.target_mean();
    const double w = pairs.weight[i];
    cross_scatter += w * (q * transpose(p));
    scatter.add_outer(w, p);
    spread += w * squared_norm(q);
    cost += w * squared_norm(pairs.target[i] - t * pairs.source[i]);
  }
  // 200 terms of size about 10: 1e-12.
  EXPECT_LT(difference(m.cross_scatter(), cross_scatter), 1e-11);
  EXPECT_LT(difference(m.source_scatter().to_matrix(), scatter.to_matrix()), 1e-11);
  EXPECT_NEAR(m.source_spread(), scatter.trace(), 1e-11);
  EXPECT_NEAR(m.target_spread(), spread, 1e-11);
  EXPECT_NEAR(m.cost(t), cost, 1e-10);
}

TEST(Moments, AddUp) {
  RandomStream random(15, 0);
  const Pairs pairs = make_pairs(Similarity3::identity(), 3, 0.3, random, true);
  Moments whole = pairs.moments(), a = Moments::zero(), b = Moments::zero();
  for (std::size_t i = 0; i < pairs.source.size(); ++i) {
    (i < 70 ? a : b).add(pairs.weight[i], pairs.source[i], pairs.target[i]);
  }
  a += b;
  const double* x = reinterpret_cast<const double*>(&whole);
  const double* y = reinterpret_cast<const double*>(&a);
  for (int i = 0; i < Moments::size; ++i) EXPECT_NEAR(x[i], y[i], 1e-12 * (1 + std::fabs(x[i]))) << i;
}

}  // namespace
}  // namespace dovetail
