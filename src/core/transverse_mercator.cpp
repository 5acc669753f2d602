// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "core/transverse_mercator.h"

#include <array>
#include <cmath>
#include <complex>

namespace dovetail {
namespace {

using Complex = std::complex<double>;
using Series = std::array<double, 6>;

// WGS 84: semi-major axis in metres and flattening.
constexpr double axis = 6378137.0;
constexpr double flattening = 1 / 298.257223563;
constexpr double e2 = flattening * (2 - flattening);  // eccentricity squared
constexpr double n = flattening / (2 - flattening);   // third flattening

/// A quarter meridian is π/2 of these (Karney eq. 14).
constexpr double rectifying_radius =
    axis / (1 + n) * (1 + n * n / 4 + n * n * n * n / 64 + n * n * n * n * n * n / 256);

/// Row j holds the factors of n^(j+1), n^(j+2) ... in the coefficient of sin 2(j+1)ζ.
constexpr Series evaluate(const double (&rows)[6][6]) {
  Series series{};
  double power = n;
  for (std::size_t j = 0; j < 6; ++j, power *= n) {
    double sum = 0;
    for (std::size_t k = 6 - j; k-- > 0;) sum = sum * n + rows[j][k];
    series[j] = power * sum;
  }
  return series;
}

/// Conformal to rectifying, Karney eq. 35.
constexpr double forward_rows[6][6] = {
    {1.0 / 2, -2.0 / 3, 5.0 / 16, 41.0 / 180, -127.0 / 288, 7891.0 / 37800},
    {13.0 / 48, -3.0 / 5, 557.0 / 1440, 281.0 / 630, -1983433.0 / 1935360},
    {61.0 / 240, -103.0 / 140, 15061.0 / 26880, 167603.0 / 181440},
    {49561.0 / 161280, -179.0 / 168, 6601661.0 / 7257600},
    {34729.0 / 80640, -3418889.0 / 1995840},
    {212378941.0 / 319334400},
};
/// Rectifying to conformal, Karney eq. 36.
constexpr double backward_rows[6][6] = {
    {1.0 / 2, -2.0 / 3, 37.0 / 96, -1.0 / 360, -81.0 / 512, 96199.0 / 604800},
    {1.0 / 48, 1.0 / 15, -437.0 / 1440, 46.0 / 105, -1118711.0 / 3870720},
    {17.0 / 480, -37.0 / 840, -209.0 / 4480, 5569.0 / 90720},
    {4397.0 / 161280, -11.0 / 504, -830251.0 / 7257600},
    {4583.0 / 161280, -108847.0 / 3991680},
    {20648693.0 / 638668800},
};
constexpr Series forward = evaluate(forward_rows);
constexpr Series backward = evaluate(backward_rows);

/// Σ c_j sin 2jζ, by Clenshaw's recurrence.
Complex sine_series(const Series& c, Complex zeta) {
  const Complex twice_cosine = 2.0 * std::cos(2.0 * zeta);
  Complex sum{}, before{};
  for (std::size_t j = c.size(); j-- > 0;) {
    const Complex next = c[j] + twice_cosine * sum - before;
    before = sum;
    sum = next;
  }
  return sum * std::sin(2.0 * zeta);
}

/// The tangent of the conformal latitude from that of the latitude, Karney eq. 7 to 9.
double conformal_tangent(double tangent) {
  const double e = std::sqrt(e2), secant = std::sqrt(1 + tangent * tangent);
  const double sigma = std::sinh(e * std::atanh(e * tangent / secant));
  return tangent * std::sqrt(1 + sigma * sigma) - sigma * secant;
}

/// Its inverse by Newton's method, Karney eq. 19 to 21: two steps reach a double's precision, three make sure.
double tangent_from_conformal(double conformal) {
  double tangent = conformal / (1 - e2);
  for (int step = 0; step < 3; ++step) {
    const double reached = conformal_tangent(tangent);
    const double slope = (1 - e2) * std::sqrt(1 + tangent * tangent) / (1 + (1 - e2) * tangent * tangent);
    tangent += (conformal - reached) / (std::sqrt(1 + reached * reached) * slope);
  }
  return tangent;
}

}  // namespace

Vec2 transverse_mercator(double longitude, double latitude) {
  const double tangent = conformal_tangent(std::tan(latitude)), c = std::cos(longitude);
  const Complex sphere{std::atan2(tangent, c), std::asinh(std::sin(longitude) / std::hypot(tangent, c))};
  const Complex plane = rectifying_radius * (sphere + sine_series(forward, sphere));
  return {plane.imag(), plane.real()};
}

Vec2 inverse_transverse_mercator(double x, double y) {
  const Complex plane = Complex{y, x} / rectifying_radius;
  const Complex sphere = plane - sine_series(backward, plane);
  const double s = std::sinh(sphere.imag()), c = std::cos(sphere.real());
  return {std::atan2(s, c), std::atan(tangent_from_conformal(std::sin(sphere.real()) / std::hypot(s, c)))};
}

}  // namespace dovetail
