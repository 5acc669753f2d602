// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <string>
#include <vector>

namespace dovetail {

/// A machine that work could run on here and now.
struct MachineInfo {
  std::string name;         ///< "cpu", "cuda:0": as --machine takes it
  std::string description;  ///< "2 threads, AVX3", "NVIDIA H200, sm_90, 139 GiB"
};

/// The machines that can be used.
std::vector<MachineInfo> available_machines();

/// How the library was built, and what was built into it.
struct BuildInfo {
  std::string version;
  std::string compiler;
  std::string cuda;              ///< toolkit version and targets, or why there is none
  std::string cuda_unavailable;  ///< why no GPU can be used; empty when one can
  std::string gdal;              ///< version of the library that reads vector data, or "not built"
};

BuildInfo build_info();

}  // namespace dovetail
