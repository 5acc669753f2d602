// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fcntl.h>
#include <fmt/core.h>

#include <exception>
#include <new>
#include <string>
#include <vector>

#include "command.h"
#include "dovetail/error.h"
#include "dovetail/machines.h"
#include "output.h"
#include "usage.h"

namespace dovetail::app {
namespace {

int report(ExitCode code, const std::string& message) {
  print_error("dovetail: {}\n", message);
  return code;
}

int run(int count, char** values) {
  CLI::App program(
      "Dovetail aligns point sets, on a CPU or an NVIDIA GPU.\n\n"
      "  dovetail register icp scan2.ply scan1.ply --out aligned.ply");
  program.name("dovetail");
  program.footer(
      "Exit codes: 0 usable result, 1 ran but not usable, 2 usage, 3 file or device failure.\n"
      "`dovetail COMMAND --help`, or `dovetail help COMMAND`, shows the flags of a command and an example.");
  program.set_version_flag("--version", "dovetail " + build_info().version);
  program.get_formatter()->column_width(34);
  program.get_formatter()->label("TEXT", "FILE");
  program.require_subcommand(1);

  Action action;
  add_register(program, action);
  add_evaluate(program, action);
  add_find(program, action);
  add_field(program, action);
  add_report(program, action);
  add_pose(program, action);
  add_bin(program, action);
  add_symmetry(program, action);
  add_apply(program, action);
  add_convert(program, action);
  add_options(program, action);
  add_info(program, action);
  add_demo(program, action);
  add_manual(program, action);
  add_completion(program, action);
  const std::vector<std::string> words = arguments(count, values);
  if (words.empty()) print_error("{}\n", program.help());
  check_command(program, words);
  try {
    program.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // CLI11 takes them from the back
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return program.exit(error);  // --help, --version
    return report(usage_error, explain(program, words, error));
  }
  return action();
}

/// Gives standard streams that are closed a place to fail at: else a file that is opened would take their number, and
/// what is printed would end up in it.
void open_streams() {
  for (int stream = 0; stream <= 2; ++stream) {
    if (::fcntl(stream, F_GETFD) == -1) [[maybe_unused]]
      const int taken = ::open("/dev/null", O_RDONLY);
  }
}

int guarded(int count, char** values) {
  try {
    open_streams();
    const int code = run(count, values);
    flush_stdout();
    return code;
  } catch (const Cancelled& error) {
    return report(not_usable, error.what());
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
