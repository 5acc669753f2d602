// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/format.h>

#include <mutex>
#include <numeric>

#include "bins/fill.h"
#include "dovetail/error.h"
#include "dovetail/options.h"
#include "spatial/parallel.h"

namespace dovetail {
namespace {

/// The progress of several bins as one number.
class Shares {
 public:
  Shares(const BinRun& run, std::size_t bins) : run_(run), shares_(bins) {}

  bool tell(std::size_t bin, double share) {
    if (run_.cancel && *run_.cancel) return false;
    if (!run_.on_progress) return true;
    const std::lock_guard lock(mutex_);
    shares_[bin] = share;
    const double sum = std::accumulate(shares_.begin(), shares_.end(), 0.0);
    run_.on_progress(sum / static_cast<double>(shares_.size()));
    return true;
  }

 private:
  const BinRun& run_;
  std::mutex mutex_;
  std::vector<double> shares_;
};

}  // namespace

bool bins_available() { return true; }

std::vector<Bin> simulate_bins(std::span<const BinPart> parts, int count, const BinOptions& options, std::uint64_t seed,
                               const BinRun& run) {
  validate(options);
  if (count < 0) throw InvalidArgument(fmt::format("count: {} is not allowed; allowed: 0 or more bins", count));
  if (run.threads < 0)
    throw InvalidArgument(fmt::format("threads: {} is not allowed; allowed: 0 or more", run.threads));
  std::vector<Bin> bins(static_cast<std::size_t>(count));
  Shares shares(run, bins.size());
  Threads(run.threads).execute([&] {
    const bins::Bodies bodies = bins::make_bodies(parts, options.pieces);
    const bins::BinSize size = bins::bin_size(bodies, options);
    parallel_for(bins.size(), 1, [&](std::size_t i) {
      const std::function<bool(double)> told = [&](double share) { return shares.tell(i, share); };
      bins[i] = bins::fill_bin(bodies, size, options, seed + i, told);
      told(1);
    });
  });
  return bins;
}

Bin simulate_bin(std::span<const BinPart> parts, const BinOptions& options, std::uint64_t seed, const BinRun& run) {
  return std::move(simulate_bins(parts, 1, options, seed, run).front());
}

}  // namespace dovetail
