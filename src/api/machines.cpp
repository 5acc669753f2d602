// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/machines.h"

#include <fmt/format.h>

#include <thread>

#include "backend/cpu/cpu_backend.h"
#include "backend/reference/reference_backend.h"
#include "dovetail/error.h"
#include "dovetail/workspace.h"
#ifdef DOVETAIL_WITH_CUDA
#include "backend/cuda/cuda_backend.h"
#endif

namespace dovetail {

namespace {

std::unique_ptr<Backend> make_backend(Machine machine, [[maybe_unused]] int device, int threads) {
  switch (machine) {
    case Machine::reference:
      return std::make_unique<ReferenceBackend>();
    case Machine::cpu:
      return std::make_unique<CpuBackend>(threads);
#ifdef DOVETAIL_WITH_CUDA
    case Machine::cuda:
      return std::make_unique<CudaBackend>(device);
    case Machine::automatic:
      if (!cuda_devices().empty()) return std::make_unique<CudaBackend>(device);
      return std::make_unique<CpuBackend>(threads);
#else
    case Machine::cuda:
      throw MachineError("machine cuda: this build has no CUDA support; build it where nvcc is found");
    case Machine::automatic:
      return std::make_unique<CpuBackend>(threads);
#endif
  }
  throw InvalidArgument("machine: unknown");
}

}  // namespace

Workspace::Workspace(Machine machine, int device, int threads) : backend_(make_backend(machine, device, threads)) {}
Workspace::~Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;
std::string Workspace::machine_name() const { return backend().name(); }
Backend& Workspace::backend() const {
  if (backend_ == nullptr) throw InvalidArgument("workspace: it was moved from and has no machine");
  return *backend_;
}

std::vector<MachineInfo> available_machines() {
  std::vector<MachineInfo> machines;
  machines.push_back(
      {"cpu", fmt::format("{} threads, {}", std::thread::hardware_concurrency(), CpuBackend(0).arithmetic())});
#ifdef DOVETAIL_WITH_CUDA
  for (const CudaDevice& d : cuda_devices()) {
    machines.push_back(
        {fmt::format("cuda:{}", d.index), fmt::format("{}, compute capability {}.{}, {:.0f} GiB", d.name, d.major,
                                                      d.minor, static_cast<double>(d.memory) / (1 << 30))});
  }
#endif
  machines.push_back({"reference", "one thread, for checking"});
  return machines;
}

BuildInfo build_info() {
  BuildInfo info;
  info.version = DOVETAIL_VERSION;
#if defined(__clang__)
  info.compiler = fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  info.compiler = fmt::format("gcc {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
#ifdef DOVETAIL_WITH_CUDA
  info.cuda = DOVETAIL_CUDA_DESCRIPTION;
  info.cuda_unavailable = cuda_unavailable_reason();
#else
  info.cuda = "not built";
  info.cuda_unavailable = "built without CUDA";
#endif
#ifdef DOVETAIL_GDAL_VERSION
  info.gdal = DOVETAIL_GDAL_VERSION;
#else
  info.gdal = "not built";
#endif
  return info;
}

}  // namespace dovetail
