// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "core/transverse_mercator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "core/random.h"
#include "dovetail/geo_frame.h"
#include "support/messages.h"

namespace dovetail::test {
namespace {

// What is compared with is integrated in thousands of steps: their rounding must not count.
using Real = long double;
using Complex = std::complex<Real>;

constexpr double degree = std::numbers::pi / 180;
constexpr Real a = 6378137, f = 1 / 298.257223563L, e2 = f * (2 - f);

// Rounding of numbers up to 10,000 km, and the series' own error of 5 nm.
constexpr double nanometres = 2e-8;

/// Along the meridian and along the isometric latitude the projection is one analytic function: the meridian distance
/// continued to complex arguments. Its derivatives are known in closed form, so it can be integrated without any
/// series.
struct Continued {
  Complex latitude, distance;

  /// By what both change for a step of isometric latitude + i longitude.
  static Continued slope(Complex phi) {
    const Complex s = std::sin(phi), c = std::cos(phi), w = Real{1} - e2 * s * s;
    return {w * c / (1 - e2), a * c / std::sqrt(w)};
  }

  Continued moved(const Continued& k, Complex step) const {
    return {latitude + step * k.latitude, distance + step * k.distance};
  }

  /// Runge and Kutta's method of fourth order.
  void advance(Complex step) {
    const Real half = 0.5L, twice = 2, six = 6;
    const Continued k1 = slope(latitude), k2 = slope(moved(k1, half * step).latitude),
                    k3 = slope(moved(k2, half * step).latitude), k4 = slope(moved(k3, step).latitude);
    latitude += step / six * (k1.latitude + twice * k2.latitude + twice * k3.latitude + k4.latitude);
    distance += step / six * (k1.distance + twice * k2.distance + twice * k3.distance + k4.distance);
  }
};

/// From the equator by Simpson's rule.
Real meridian_distance(Real latitude) {
  const int steps = 2000;
  const auto radius = [](Real phi) {
    const Real w = 1 - e2 * std::sin(phi) * std::sin(phi);
    return a * (1 - e2) / (w * std::sqrt(w));
  };
  Real sum = radius(0) + radius(latitude);
  for (int i = 1; i < steps; ++i)
    sum += static_cast<Real>(i % 2 == 1 ? 4 : 2) * radius(latitude * static_cast<Real>(i) / steps);
  return sum * latitude / steps / 3;
}

TEST(TransverseMercator, IsTheMeridianDistanceOnTheMeridian) {
  EXPECT_NEAR(static_cast<double>(meridian_distance(90 * degree)), 10001965.7293,
              1e-3);  // the quarter meridian of WGS 84, as published
  for (const double latitude : {-90.0, -62.5, -10.0, 0.0, 1e-3, 30.0, 45.0, 71.3, 89.999, 90.0}) {
    const Vec2 p = transverse_mercator(0, latitude * degree);
    EXPECT_EQ(p[0], 0);
    EXPECT_NEAR(static_cast<double>(p[1] - meridian_distance(latitude * degree)), 0, nanometres) << latitude;
  }
}

TEST(TransverseMercator, IsTheContinuedMeridianDistanceBesideIt) {
  for (const double latitude : {-80.0, -33.0, 0.0, 5.0, 43.7, 60.0, 84.0}) {
    for (const double longitude : {-10.0, -5.0, -0.1, 0.5, 3.0, 5.0, 10.0, 30.0}) {
      const int steps = 4000;
      Continued at{latitude * degree, meridian_distance(latitude * degree)};
      for (int i = 0; i < steps; ++i) at.advance({0, static_cast<Real>(longitude * degree) / steps});
      const Vec2 p = transverse_mercator(longitude * degree, latitude * degree);
      EXPECT_NEAR(static_cast<double>(p[0] - at.distance.imag()), 0, nanometres) << longitude << ", " << latitude;
      EXPECT_NEAR(static_cast<double>(p[1] - at.distance.real()), 0, nanometres) << longitude << ", " << latitude;
    }
  }
}

TEST(TransverseMercator, HasTheScaleOfTheTextbook) {
  // 1 + x² / (2 ρν) beside the meridian; the next term is of the order of 1e-8 here.
  const double latitude = 43.7 * degree, step = 1e-5 * degree;
  const auto w = static_cast<double>(1 - e2 * std::sin(latitude) * std::sin(latitude));
  const double across = 6378137 / std::sqrt(w), along = across * static_cast<double>(1 - e2) / w;
  for (const double longitude : {0.0, 0.2, 0.5}) {
    const Vec2 p = transverse_mercator(longitude * degree, latitude);
    const Vec2 q = transverse_mercator(longitude * degree + step, latitude);
    const double scale = norm(q - p) / (step * across * std::cos(latitude));
    EXPECT_NEAR(scale, 1 + p[0] * p[0] / (2 * along * across), 5e-8) << longitude;
  }
}

TEST(GeoFrame, ComesBack) {
  for (std::uint64_t i = 0; i < 2000; ++i) {
    RandomStream random(7, i);
    const GeoFrame frame{random.uniform(-180, 180), random.uniform(-85, 85)};
    const double longitude = frame.longitude + random.uniform(-5, 5);
    const double latitude = std::min(89.0, std::max(-89.0, frame.latitude + random.uniform(-5, 5)));
    const Vec2 p = project(frame, longitude, latitude), back = unproject(frame, p[0], p[1]);
    // A ten-millionth of a micrometre is 1e-18 of the earth's size: rounding of degrees up to 180 is what is left.
    EXPECT_NEAR(std::remainder(back[0] - longitude, 360.0) * std::cos(latitude * degree), 0, 3e-13);
    EXPECT_NEAR(back[1], latitude, 3e-13);
    EXPECT_LE(std::fabs(back[0]), 180);
    const Vec2 again = project(frame, back[0], back[1]);
    EXPECT_NEAR(norm(again - p), 0, 1e-7);
  }
}

TEST(GeoFrame, HasItsOriginAtZeroAndEastToTheRight) {
  const GeoFrame frame{7.4205, 43.7372};
  EXPECT_EQ(norm(project(frame, frame.longitude, frame.latitude)), 0);
  EXPECT_GT(project(frame, 7.43, 43.7372)[0], 700);
  EXPECT_GT(project(frame, 7.4205, 43.74)[1], 300);
}

TEST(GeoFrame, GoesOnOverTheAntimeridianAndThePole) {
  const GeoFrame fiji{179.9, -17};
  EXPECT_NEAR(norm(project(fiji, -179.9, -17) - project(fiji, 180.1, -17)), 0, 1e-7);
  EXPECT_NEAR(project(fiji, -179.9, -17)[0], 2 * project(fiji, 180, -17)[0], 1e-1);  // the scale grows by 1e-6
  const GeoFrame pole{0, 90};
  for (const double longitude : {0.0, 60.0, 90.0, 135.0, 180.0, -120.0}) {
    const Vec2 p = project(pole, longitude, 89);
    EXPECT_NEAR(norm(p), 111694, 20) << longitude;  // a degree of latitude there; the scale grows by 1.5e-4
    EXPECT_NEAR(std::remainder(unproject(pole, p[0], p[1])[0] - longitude, 360.0), 0, 1e-10) << longitude;
  }
}

TEST(GeoFrame, TellsItselfInFull) {
  const std::string text = to_proj_string({7.420512345678901, -43.5});
  EXPECT_TRUE(mentions(text, "+proj=tmerc"));
  EXPECT_TRUE(mentions(text, "+lon_0=7.420512345678901 "));
  EXPECT_TRUE(mentions(text, "+lat_0=-43.5 "));
}

}  // namespace
}  // namespace dovetail::test
