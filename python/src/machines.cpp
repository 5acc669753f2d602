// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/machines.h"

#include <pybind11/stl.h>

#include "bindings.h"
#include "dovetail/bins.h"
#include "dovetail/options.h"
#include "dovetail/pose_evaluation.h"
#include "dovetail/report.h"
#include "dovetail/scanner.h"
#include "run_argument.h"

namespace dovetail::python {

void add_machines(py::module_& m) {
  m.attr("__version__") = build_info().version;
  m.def(
      "machines",
      [] {
        std::map<std::string, std::string> all;
        for (const MachineInfo& machine : available_machines()) all[machine.name] = machine.description;
        return all;
      },
      "The machines that work could run on here and now, each with a description.");
  m.def(
      "info",
      [] {
        const BuildInfo build = build_info();
        return std::map<std::string, std::string>{{"version", build.version},
                                                  {"compiler", build.compiler},
                                                  {"cuda", build.cuda},
                                                  {"cuda_unavailable", build.cuda_unavailable},
                                                  {"gdal", build.gdal},
                                                  {"scanner", scanner_available() ? "built" : "not built"},
                                                  {"bins", bins_available() ? "built" : "not built"},
                                                  {"vsd", vsd_available() ? "built" : "not built"},
                                                  {"report", report_available() ? "built" : "not built"}};
      },
      "How the library was built, and what was built into it.");
  m.def("method_names", &method_names, "The methods register() knows.");
  py::class_<SharedWorkspace>(
      m, "Workspace",
      "A machine with what it needs to run, kept from run to run: runs that are given one do not "
      "pay for it again. Threads that share one wait for each other.")
      .def(py::init([](const std::string& machine, int device, int threads) {
             Run run;
             set_option(run, "device", std::to_string(device));
             set_option(run, "threads", std::to_string(threads));
             set_option(run, "machine", machine);
             return SharedWorkspace{std::make_shared<Workspace>(run.machine, run.device, run.threads)};
           }),
           py::arg("machine") = "auto", py::kw_only(), py::arg("device") = 0, py::arg("threads") = 0)
      .def_property_readonly(
          "machine", [](const SharedWorkspace& w) { return w.workspace->machine_name(); }, "'cpu', 'cuda:0', ...")
      .def("__repr__",
           [](const SharedWorkspace& w) { return "<dovetail.Workspace " + w.workspace->machine_name() + ">"; });
}

}  // namespace dovetail::python
