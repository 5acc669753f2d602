// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/format.h>

#include "command.h"
#include "dovetail/bins.h"
#include "dovetail/dovetail.h"
#include "dovetail/pose_evaluation.h"
#include "dovetail/scanner.h"
#include "file_info.h"

namespace dovetail::app {
namespace {

int print_info() {
  const BuildInfo build = build_info();
  fmt::print("dovetail {}\n", build.version);
  fmt::print("  compiler    {}\n", build.compiler);
  fmt::print("  CUDA        {}{}\n", build.cuda,
             build.cuda_unavailable.empty() || build.cuda == "not built" ? "" : "; no GPU: " + build.cuda_unavailable);
  fmt::print("  GDAL        {}\n", build.gdal);
  fmt::print("machines\n");
  for (const MachineInfo& machine : available_machines()) {
    fmt::print("  {:<11} {}\n", machine.name, machine.description);
  }
  fmt::print("methods\n  {}\n", fmt::join(method_names(), ", "));
  fmt::print("files\n  points      {}\n  references  {}\n  poses       result JSON, text matrix\n", supported_formats(),
             supported_references());
  const auto with_embree = [](bool available) { return available ? "yes (Embree)" : "no: built without Embree"; };
  fmt::print("components\n  scanner     {}\n  VSD         {}\n  bins        {}\n  reports     {}\n",
             with_embree(scanner_available()), with_embree(vsd_available()),
             bins_available() ? "yes (Bullet)" : "no: built without Bullet (Debian: libbullet-dev)",
             report_available() ? "yes" : "no: built without Node.js");
  return success;
}

}  // namespace

void add_info(CLI::App& program, Action& action) {
  CLI::App* const command = program.add_subcommand(
      "info", "Show what files hold; without one: the version, the machines and what was built in");
  command->footer("Examples:\n  dovetail info\n  dovetail info part.stl parts.posedb roads.field");
  const auto files = std::make_shared<std::vector<std::string>>();
  command->add_option("FILE", *files, "points, meshes, distance fields, pose databases");
  command->callback([files, &action] {
    action = [files]() -> int {
      if (files->empty()) return print_info();
      for (const std::string& file : *files) print_file(file);
      return success;
    };
  });
}

}  // namespace dovetail::app
