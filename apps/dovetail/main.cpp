// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "command.h"
#include "dovetail/error.h"
#include "dovetail/machines.h"

namespace dovetail::app {
namespace {

int report(ExitCode code, const std::string& message) {
  fmt::print(stderr, "dovetail: {}\n", message);
  return code;
}

/// `--normals 24` as `--normals=24`: its number may be left out, so that what follows could be a file as well.
std::vector<std::string> arguments(int count, char** values) {
  std::vector<std::string> list;
  for (int i = 1; i < count; ++i) {
    const std::string word = values[i];
    const bool number =
        !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (number && !list.empty() && list.back() == "--normals") {
      list.back() += "=" + word;
    } else {
      list.push_back(word);
    }
  }
  std::reverse(list.begin(), list.end());  // CLI11 takes them from the back
  return list;
}

int run(int count, char** values) {
  CLI::App program(
      "Dovetail aligns point sets, on a CPU or an NVIDIA GPU.\n\n"
      "  dovetail register icp scan2.ply scan1.ply --out aligned.ply");
  program.name("dovetail");
  program.footer(
      "Exit codes: 0 usable result, 1 ran but not usable, 2 usage, 3 file or device failure.\n"
      "`dovetail COMMAND --help` shows the flags of a command and an example.");
  program.set_version_flag("--version", "dovetail " + build_info().version);
  program.get_formatter()->column_width(34);
  program.get_formatter()->label("TEXT", "FILE");
  program.require_subcommand(1);

  Action action;
  add_register(program, action);
  add_evaluate(program, action);
  add_field(program, action);
  add_apply(program, action);
  add_convert(program, action);
  add_options(program, action);
  add_info(program, action);
  add_demo(program, action);
  try {
    program.parse(arguments(count, values));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return program.exit(error);  // --help, --version
    if (count <= 1) fmt::print(stderr, "{}\n", program.help());
    return report(usage_error, std::string(error.what()) + " (see dovetail --help)");
  }
  return action();
}

int guarded(int count, char** values) {
  try {
    return run(count, values);
  } catch (const InvalidArgument& error) {
    return report(usage_error, error.what());
  } catch (const std::bad_alloc&) {
    return report(world_failure, "out of memory");
  } catch (const std::exception& error) {  // FileError, MachineError, and what the system throws
    return report(world_failure, error.what());
  }
}

}  // namespace
}  // namespace dovetail::app

int main(int count, char** values) { return dovetail::app::guarded(count, values); }
