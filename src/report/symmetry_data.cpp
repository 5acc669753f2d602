// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/error.h"
#include "report/result_json.h"
#include "report/scene_data.h"

namespace dovetail::report {
namespace {

/// What the page turns the part by: each axis has two vectors.
void check_axes(const std::string& name, const Json& result) {
  const auto axes = result.find("axes");
  if (axes == result.end() || !axes->is_array()) throw InvalidArgument(name + ": \"axes\" is no list");
  for (const Json& axis : *axes) {
    for (const char* key : {"direction", "through"}) {
      const Json* const vector = axis.is_object() && axis.contains(key) ? &axis[key] : nullptr;
      const bool three = vector && vector->is_array() && vector->size() == 3;
      if (three && (*vector)[0].is_number() && (*vector)[1].is_number() && (*vector)[2].is_number()) continue;
      throw InvalidArgument(name + ": \"axes\" has one without a vector \"" + key + "\"");
    }
  }
}

}  // namespace

std::string run_data(const ReportedSymmetry& run, const Budget& budget, std::string& bytes) {
  Json result = parse_result(run.name, run.json, "dovetail.symmetry/1");
  check_axes(run.name, result);
  Json json;
  json["kind"] = "symmetry";
  json["name"] = run.name;
  json["notes"] = run.notes;
  json["dimension"] = 3;
  const ObjectToFind part{run.name, run.part};
  add_clouds(json, bytes, nullptr, OriginPoints::keep, {&part, run.part ? 1u : 0u}, budget);
  json["result"] = std::move(result);
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

}  // namespace dovetail::report
