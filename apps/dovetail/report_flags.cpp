// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "report_flags.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "dovetail/error.h"

namespace dovetail::app {

ReportOptions report_options(const std::string& points) {
  ReportOptions options;
  if (points.empty()) return options;
  if (points == "all") {
    options.points = ReportOptions::all;
    return options;
  }
  const char* const end = points.data() + points.size();
  const auto [rest, error] = std::from_chars(points.data(), end, options.points);
  if (error != std::errc() || rest != end || options.points == 0) {
    throw InvalidArgument(
        fmt::format("--report-points: '{}' is neither a number of points from 1 on nor 'all'", points));
  }
  return options;
}

void add_report_points(CLI::App& command, std::string& points) {
  command
      .add_option("--report-points", points,
                  "the most points that the report shows, all clouds together (default 500000)")
      ->type_name("N|all")
      ->group("Output");
}

void check_page_name(const char* flag, const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  if (ending == ".html" || ending == ".htm") return;
  throw InvalidArgument(fmt::format("{}: {} is no page's name; it has to end in .html", flag, file));
}

std::string pair_name(const std::string& source, const std::string& target) {
  const auto name = [](const std::string& file) { return std::filesystem::path(file).filename().string(); };
  return name(source) + " → " + name(target);
}

std::string search_name(const std::string& objects, const std::string& scene) {
  return std::filesystem::path(objects).stem().string() + " in " + std::filesystem::path(scene).filename().string();
}

std::string scores_name(const std::string& results, const std::string& dataset) {
  const std::filesystem::path folder = std::filesystem::path(dataset).lexically_normal();
  const std::filesystem::path name = folder.has_filename() ? folder.filename() : folder.parent_path().filename();
  return std::filesystem::path(results).filename().string() + " on " + name.string();
}

void ReportFlags::add_to(CLI::App& command) {
  add_file_flag(command, "Output", "--report", file_, "write a page that shows the result in a browser", "FILE.html");
  add_report_points(command, points_);
}

void ReportFlags::check(std::initializer_list<std::string> inputs) const {
  report_options(points_);
  if (file_.empty()) {
    if (!points_.empty()) throw InvalidArgument("--report-points is for --report, which is not given");
    return;
  }
  check_page_name("--report", file_);
  check_not_input(output(), inputs);
  check_report_available();
}

void ReportFlags::write(const Registration& result, const PointCloud& source, const Reference& target) const {
  write(ReportedRegistration{pair_name(result.source_file, result.target_file), to_json(result), &source, &target, {}});
}

void ReportFlags::write(const Found& found, const PointCloud& scene, std::span<const ObjectToFind> objects) const {
  std::string names;
  for (const ObjectToFind& object : objects) names += (names.empty() ? "" : ", ") + object.name;
  write(ReportedSearch{names + " in " + std::filesystem::path(found.scene_file).filename().string(),
                       to_json(found),
                       &scene,
                       objects,
                       {}});
}

}  // namespace dovetail::app
