// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

// Every tolerance that says how far a machine may be from the oracle, or an answer from the truth, with its reason.
// Lengths are relative to the extent of the clouds unless a name says otherwise.

namespace dovetail::test {

/// Rounding of one operation in float, relative: half a unit in the last place.
inline constexpr double float_rounding = 6e-8;

/// A moved point: float coordinates (below 1), a float pose, three products and three sums, each rounded; and the
/// oracle moves it in double. Absolute, in local units.
inline constexpr double moved_point = 8 * float_rounding;

/// Terms of points and planes, relative to the product of their factors' sizes: a kernel weight (its argument d²/s²
/// carries the moved point's error times 2d/s² = 60, at worst; at once for few of the pairs), a Jacobian row of two
/// products and a difference, and the products of both.
inline constexpr double plane_terms = 20 * moved_point;

/// Terms of plane_to_plane divide by 2 − (1 − ε)(1 + c), which is 2ε where the normals agree: the rounding of c (four
/// operations) is amplified by 1 / 2ε = 500, and errs to either side from pair to pair.
inline constexpr double flat_terms = plane_terms + 500 * float_rounding;

/// A count over points is exact: the same neighbours, the same comparisons (fused arithmetic may move a distance across
/// a limit by the rounding of a moved point; none of the clouds used here has one that near).
inline constexpr double counts = 0;

/// Sums in double of some 10,000 equal terms, added in another order.
inline constexpr double double_sums = 1e-12;

/// What is made of the same whole numbers in a dozen operations in double, fused or not: relative.
inline constexpr double whole_sums = 1e-14;

/// A row of Gaussian weights, relative to its sum: what may be left out (1e-6), the exponential (2e-7) and float sums
/// of runs of up to 1,024 terms; times two, for a posterior is a quotient of such sums.
inline constexpr double soft_weights = 6e-6;

/// Recovery where every source point has its exact counterpart: the float rounding of both clouds (below 1e-7 of the
/// extent a point) and the stopping rule (a step below 1e-5 of the radius, after which a quadratically converging
/// method is nearer still, a linearly converging one (point_to_point) not much).
inline constexpr double exact_pairs = 2e-6;
inline constexpr double exact_pairs_linear = 2e-5;

/// Two runs on the same data in another frame, order or unit: poses differ by the rounding of local coordinates and by
/// the stopping rule (1e-5 of the radius) where rounding moves the last step across it.
inline constexpr double same_data = 2e-5;

/// The confidence of two such answers: its evidence counts some 2,000 points, of which a step of same_data moves a few
/// across a limit (a thousandth of the share), and log-odds weigh shares by ten to twenty: 0.02, of which a quarter at
/// most.
inline constexpr double same_confidence = 5e-3;

/// point_to_point on two samplings of a surface has an answer for every set of pairs that reproduces itself: coming
/// from elsewhere it stops up to a tenth of the spacing (0.008 for 3,000 points of the bumpy surface) away.
inline constexpr double point_plateau = 8e-4;

/// Soft methods end with weights as wide as the spacing, so that a point pulls towards a mean of its neighbourhood: the
/// answer is as near as that mean is even, a few hundredths of the spacing (0.01 to 0.02 for 1,500 points).
inline constexpr double soft_plateau = 1e-3;

/// A motion that is held is never touched: what is left is the rounding of composing poses in double.
inline constexpr double held_motion = 1e-12;

}  // namespace dovetail::test
