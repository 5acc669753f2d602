// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <span>
#include <string>

#include "dovetail/report.h"
#include "output.h"

namespace dovetail::app {

/// `--report-points N|all` as options. Throws InvalidArgument.
ReportOptions report_options(const std::string& points);

/// `--report FILE.html` and `--report-points N|all`, the same for every command that has a result to show.
class ReportFlags {
 public:
  void add_to(CLI::App& command);

  NamedOutput output() const { return {"--report", &file_}; }
  /// Before any work: that the build can write reports, that the name is a page's, and not a file's that is read.
  void check(std::initializer_list<std::string> inputs) const;

  /// Write the report, where one was asked for.
  void write(const Registration& result, const PointCloud& source, const Reference& target) const;
  void write(const Found& found, const PointCloud& scene, std::span<const ObjectToFind> objects) const;
  template <class Run>
  void write(const Run& run) const {
    if (file_.empty()) return;
    Report report(report_options(points_));
    report.add(run);
    report.write(file_);
  }

  /// Whether one was asked for, and what for a report of several runs.
  bool wanted() const { return !file_.empty(); }
  ReportOptions options() const { return report_options(points_); }
  void write_all(const Report& report) const { report.write(file_); }

 private:
  std::string file_, points_;
};

/// Adds `--report-points`.
void add_report_points(CLI::App& command, std::string& points);

/// Throws InvalidArgument unless a browser would take the file for a page.
void check_page_name(const char* flag, const std::string& file);

/// What a run is called in a report: "scan2.ply → scan1.ply", or what a result was read from.
std::string pair_name(const std::string& source, const std::string& target);
/// "bolt, nut in scene.pcd".
std::string search_name(const std::string& objects, const std::string& scene);
/// "results.csv on lmo".
std::string scores_name(const std::string& results, const std::string& dataset);

}  // namespace dovetail::app
