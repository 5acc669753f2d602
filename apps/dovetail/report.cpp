// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/report.h"

#include <fmt/format.h>

#include <filesystem>

#include "command.h"
#include "dataset_report.h"
#include "output.h"
#include "report_flags.h"
#include "stored_run.h"

namespace dovetail::app {
namespace {

namespace fs = std::filesystem;

struct ReportCommand {
  std::vector<std::string> results;
  std::string out, points;

  void add_to(CLI::App& command) {
    command
        .add_option("RUN", results,
                    "results, as --json writes them, each a file; or folders of data sets in BOP's layout")
        ->required()
        ->type_name("FILE");
    add_file_flag(command, "Output", "--out", out, "the page to write", "FILE.html")->required();
    add_report_points(command, points);
  }

  int run() const {
    const ReportOptions options = report_options(points);
    check_page_name("--out", out);
    check_outputs({{"--out", &out}});
    for (const std::string& file : results) check_not_input({"--out", &out}, {file});
    check_report_available();
    std::vector<StoredRun> runs;
    std::vector<DatasetReport> datasets;
    for (const std::string& file : results) {
      if (std::error_code ignored; fs::is_directory(file, ignored)) {
        datasets.emplace_back(file);
      } else {
        runs.emplace_back(file);
      }
    }
    std::size_t count = runs.size();
    for (const DatasetReport& dataset : datasets) count += dataset.runs();
    Report report(options, count);
    for (StoredRun& run : runs) run.add_to(report);
    for (const DatasetReport& dataset : datasets) dataset.add_to(report);
    report.write(out);
    fmt::print("{}: {} {}\n", out, count, count == 1 ? "run" : "runs");
    return success;
  }
};

}  // namespace

void add_report(CLI::App& program, Action& action) {
  add_command<ReportCommand>(program, action, "report", "Show results in a browser: one page for one or for many",
                             "Examples:\n"
                             "  dovetail report run.json --out run.html\n"
                             "  dovetail report results/*.json --out all.html\n"
                             "  dovetail report bins --out bins.html   # what dovetail bin simulate wrote");
}

}  // namespace dovetail::app
