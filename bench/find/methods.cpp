// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "find/methods.h"

#include <algorithm>

#include "dovetail/error.h"
#include "dovetail/find.h"
#include "dovetail/registration.h"

namespace dovetail::bench::find {
namespace {

EmIcp refined_em_icp() {
  EmIcp options;
  options.refine = Refinement::icp;
  return options;
}

/// Every object registered with the whole scene: one answer each.
FindObjects by_registration(const MethodOptions& options) {
  return [options](std::span<const SoughtObject> objects, const PointCloud& scene, const Settings& settings) {
    std::vector<Found> answers;
    for (std::size_t i = 0; i < objects.size(); ++i) {
      Run run;
      run.machine = settings.machine, run.threads = settings.threads;
      run.start = settings.start, run.start_at_centroid = !settings.start;
      if (!settings.given.empty()) run.start = settings.given[i], run.start_at_centroid = false;
      run.seed = settings.seed, run.trace = false;
      const Registration result = register_points(objects[i].cloud, scene, options, run);
      answers.push_back({i, result.target_from_source, result.confidence.value_or(0), result.usable(), {}});
    }
    return answers;
  };
}

/// Every object searched for in the scene; doubtful answers come last.
std::vector<Found> by_finding(std::span<const SoughtObject> objects, const PointCloud& scene,
                              const Settings& settings) {
  std::vector<ObjectToFind> wanted;
  for (const SoughtObject& o : objects) wanted.push_back({o.name, o.mesh.empty() ? &o.cloud : &o.mesh});
  Run run;
  run.machine = settings.machine, run.threads = settings.threads, run.seed = settings.seed;
  run.starts = settings.given;
  const dovetail::Found found = find_objects(wanted, scene, {}, run);
  std::vector<Found> answers;
  for (const auto* list : {&found.objects, &found.doubtful}) {
    for (const FoundObject& o : *list) {
      Found& answer = answers.emplace_back(
          Found{o.index, o.scene_from_object, o.confidence.value_or(0), list == &found.objects, {}});
      for (const Evidence& e : o.evidence) answer.evidence[e.name] = e.value;
    }
  }
  return answers;
}

struct Named {
  const char* name;
  FindObjects find;
};

/// A method of the library is one row here.
const std::vector<Named>& methods() {
  static const std::vector<Named> all = {
      {"icp", by_registration(Icp{})},
      {"em_icp", by_registration(EmIcp{})},
      {"em_icp_refined", by_registration(refined_em_icp())},
      {"gpicp", by_registration(Gpicp{})},
      {"gpicp_given", by_registration(Gpicp{})},
      {"find", by_finding},
      {"find_given", by_finding},  // those "given" are told all true poses as well: what they miss then, they misjudge
      {"none", [](auto&&...) { return std::vector<Found>(); }},
  };
  return all;
}

}  // namespace

std::vector<std::string> find_method_names() {
  std::vector<std::string> names;
  for (const Named& method : methods()) names.emplace_back(method.name);
  return names;
}

FindObjects method_named(const std::string& name) {
  for (const Named& method : methods()) {
    if (name == method.name) return method.find;
  }
  std::string names;
  for (const std::string& known : find_method_names()) names += (names.empty() ? "" : ", ") + known;
  throw InvalidArgument("method " + name + ": allowed are " + names);
}

}  // namespace dovetail::bench::find
