// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "report/result_json.h"
#include "report/run_data.h"

namespace dovetail::report {

std::string run_data(const ReportedScores& run) {
  Json json;
  json["kind"] = "scores";
  json["name"] = run.name;
  json["notes"] = run.notes;
  json["dimension"] = 2;
  json["clouds"] = Json::array();
  json["result"] = parse_result(run.name, run.json, "dovetail.pose_evaluation/1");
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

}  // namespace dovetail::report
