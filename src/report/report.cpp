// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/report.h"

#include <algorithm>

#include "dovetail/error.h"
#include "dovetail/machines.h"
#include "io/file.h"
#include "report/base64.h"
#include "report/page.h"
#include "report/run_data.h"

namespace dovetail {
namespace {

/// Where the page takes its data from: elements of a kind that browsers do not run.
constexpr std::string_view data_place = "<!--dovetail-data-->";

/// For residuals at poses beside the answer, of all runs together.
constexpr std::size_t residual_bytes = 1'000'000;

/// For range images, of all runs together: with half as many points a page stays below 8 MB.
constexpr std::size_t image_bytes = 3'200'000;

}  // namespace

namespace report {

std::string page_text(const std::string& json_in_ascii) {
  std::string text;
  text.reserve(json_in_ascii.size());
  for (const char c : json_in_ascii) {
    if (c == '<') {
      text += "\\u003c";
    } else if (c == '>') {
      text += "\\u003e";
    } else if (c == '&') {
      text += "\\u0026";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace report

bool report_available() { return !report::page().empty(); }

void check_report_available() {
  if (report_available()) return;
  throw MachineError(
      "report: the page of reports is not in this build: it needs Node.js 20.19 or newer with npm, and a build by "
      "scripts/build");
}

Report::Report(const ReportOptions& options, std::size_t runs)
    : points_a_run_(options.points == ReportOptions::all
                        ? 0
                        : std::max<std::size_t>(1, options.points / std::max<std::size_t>(1, runs))),
      bytes_a_run_(residual_bytes / std::max<std::size_t>(1, runs)),
      image_bytes_a_run_(image_bytes / std::max<std::size_t>(1, runs)) {}

void Report::add(const ReportedRegistration& run) {
  runs_.push_back(report::run_data(run, {points_a_run_, bytes_a_run_, image_bytes_a_run_}, bytes_));
}

void Report::add(const ReportedSearch& run) {
  runs_.push_back(report::run_data(run, {points_a_run_, bytes_a_run_, image_bytes_a_run_}, bytes_));
}

void Report::add(const ReportedImage& run) {
  runs_.push_back(report::run_data(run, {points_a_run_, bytes_a_run_, image_bytes_a_run_}, bytes_));
}

void Report::add(const ReportedSymmetry& run) {
  runs_.push_back(report::run_data(run, {points_a_run_, bytes_a_run_, image_bytes_a_run_}, bytes_));
}

void Report::add(const ReportedScores& run) { runs_.push_back(report::run_data(run)); }

std::string Report::html() const {
  check_report_available();
  const std::string_view page = report::page();
  const std::size_t place = page.find(data_place);
  if (place == std::string_view::npos) throw MachineError("report: the page that was built in has no place for data");
  std::string html(page.substr(0, place));
  html += "<script type=\"application/json\" id=\"report-data\">{\"schema\":\"dovetail.report/1\",\"version\":\"";
  html += build_info().version + "\",\"runs\":[";
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    if (i > 0) html += ',';
    html += report::page_text(runs_[i]);
  }
  html += "]}</script>\n<script type=\"text/plain\" id=\"report-points\">";
  report::append_base64(html, bytes_);
  html += "</script>\n";
  html += page.substr(place + data_place.size());
  return html;
}

void Report::write(const std::filesystem::path& file) const {
  const std::string page = html();
  io::AtomicFile out(file);
  out.write(page);
  out.commit();
}

}  // namespace dovetail
