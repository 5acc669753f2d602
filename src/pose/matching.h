// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace dovetail::pose {

/// How far each estimate is from each truth.
class ErrorTable {
 public:
  ErrorTable() = default;
  /// All infinite.
  ErrorTable(std::size_t estimates, std::size_t truths)
      : truths_(truths), errors_(estimates * truths, std::numeric_limits<double>::infinity()) {}

  double& operator()(std::size_t estimate, std::size_t truth) { return errors_[estimate * truths_ + truth]; }
  double operator()(std::size_t estimate, std::size_t truth) const { return errors_[estimate * truths_ + truth]; }
  std::size_t truths() const { return truths_; }
  ErrorTable divided_by(double unit) const {
    ErrorTable shares = *this;
    for (double& error : shares.errors_) error /= unit;
    return shares;
  }

 private:
  std::size_t truths_ = 0;
  std::vector<double> errors_;
};

inline constexpr std::size_t no_truth = SIZE_MAX;

/// Which truth each of these rows of the table takes. In the order given (by falling score), an estimate takes, of the
/// truths that are allowed and free, the one with the smallest error below the threshold; of equal ones the first.
std::vector<std::size_t> match_greedily(const ErrorTable& errors, std::span<const std::size_t> estimates,
                                        std::span<const std::uint8_t> allowed, double threshold);

/// 0, 1, … count - 1.
std::vector<std::size_t> first_of(std::size_t count);

}  // namespace dovetail::pose
