// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "gpicp/studies.h"

namespace dovetail::bench::gpicp_studies {
namespace {

constexpr double everything_else = 1e9;  // as an epsilon: nothing is worth going back for

/// The sweeps over one object.
class Sweeps {
 public:
  Sweeps(const Bench& bench, std::size_t object, std::size_t points, std::size_t instances)
      : bench_(bench),
        object_(studied(bench.scene.laid.objects[object], points)),
        instances_(visible_ones(bench.scene, object, instances)) {}

  void starts() const {
    for (const int count : picked<int>({1, 2, 3, 4, 6, 8, 10, 12, 14, 16})) {
      Setting setting;
      setting.starts = count;
      both_lookups("starts", "starts", count, setting);
    }
  }

  void shift() const {
    for (const double shift : picked<double>({0, 0.15, 0.3, 0.5, 0.75, 1, 1.5})) {
      Setting setting;
      setting.shift = shift;
      both_lookups("shift", "shift_of_radius", shift, setting);
    }
  }

  void set_size() const {
    for (const int points : picked<int>({3, 4, 6, 8, 12, 16, 24, 32})) {
      Setting setting;
      setting.set_points = points;
      both_lookups("set size", "set_points", points, setting);
    }
    Setting setting;
    plain("set size", "plain loop", "set_points", 16, setting);
    setting.set_points = 3;
    plain("set size", "plain loop", "set_points", 3, setting);
    setting.triplets_apart = true;
    plain("set size", "plain loop, triplets apart", "set_points", 3, setting);
  }

  void share() const {
    for (const double share : picked<double>({0.01, 0.02, 1.0 / 32, 0.05, 0.1, 0.25, 0.5, 1})) {
      Setting setting;
      setting.share = share;
      both_lookups("share scored", "share", share, setting);
    }
  }

  void epsilon() const {
    for (const SearchTree tree : {SearchTree::left_balanced, SearchTree::buckets}) {
      const std::string method = tree == SearchTree::buckets ? "buckets" : "left-balanced";
      Setting setting;
      setting.tree = tree, setting.lookup = Lookup::tree;
      for (const double epsilon : picked<double>({0, 0.25, 0.5, 1, 2, 4, 8})) {
        setting.epsilon = epsilon;
        library("epsilon", method, "epsilon", epsilon, setting);
      }
      setting.lookup = Lookup::depth_first;
      library("epsilon", method + ", depth-first", "epsilon", everything_else, setting);
    }
    Setting setting;
    setting.lookup = Lookup::field, setting.tree = SearchTree::buckets;
    library("epsilon", "field", "epsilon", everything_else, setting);
  }

  void searches_an_iteration() const {
    Setting setting;
    plain("searches an iteration", "separate", "searches", 2, setting);
    setting.one_search = true;
    plain("searches an iteration", "one", "searches", 1, setting);
  }

 private:
  template <class T>
  std::vector<T> picked(std::vector<T> all) const {
    return bench_.arguments.quick ? std::vector<T>{all.front(), all[all.size() / 2]} : all;
  }

  void library(const std::string& study, const std::string& method, const std::string& varied, double at,
               const Setting& setting) const {
    print_row(bench_, {study, method, varied, at}, object_, instances_, [&](const Instance& instance) {
      return run_library(setting, bench_.scene, object_, instance, bench_.workspace.backend());
    });
  }
  void both_lookups(const std::string& study, const std::string& varied, double at, Setting setting) const {
    library(study, "thesis", varied, at, setting);
    setting.lookup = Lookup::field, setting.tree = SearchTree::buckets;
    library(study, "field", varied, at, setting);
  }
  void plain(const std::string& study, const std::string& method, const std::string& varied, double at,
             const Setting& setting) const {
    print_row(bench_, {study, method, varied, at}, object_, instances_,
              [&](const Instance& instance) { return run_plain(setting, bench_.scene, object_, instance); });
  }

  const Bench& bench_;
  StudiedObject object_;
  std::vector<const Instance*> instances_;
};

}  // namespace

void run_sweeps(const Bench& bench) {
  const std::size_t points = bench.arguments.quick ? 2000 : 10000, instances = bench.arguments.quick ? 1 : 3;
  for (const std::size_t object : {std::size_t{0}, std::size_t{1}}) {  // as in the thesis: mug and liqueur glass
    const Sweeps sweeps(bench, object, points, instances);
    sweeps.starts();
    sweeps.shift();
    sweeps.set_size();
    sweeps.share();
    sweeps.epsilon();
    sweeps.searches_an_iteration();
  }
}

}  // namespace dovetail::bench::gpicp_studies
