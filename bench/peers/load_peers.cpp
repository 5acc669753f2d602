// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <dlfcn.h>

#include <cstdio>
#include <filesystem>

#include "harness.h"
#include "peers/peer.h"

namespace dovetail::bench {

std::vector<std::unique_ptr<Peer>> load_peers(const Arguments& arguments) {
  if (!arguments.peers) return {};
  const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  std::vector<std::unique_ptr<Peer>> peers;
  for (const char* stem : {"peer_pcl", "peer_pcl_io", "peer_open3d", "peer_opencv"}) {
    const std::filesystem::path file = folder / (std::string(stem) + ".so");
    if (!std::filesystem::exists(file)) {
      std::fprintf(stderr, "%s: not built, left out\n", stem);
      continue;
    }
    void* module = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);  // stays loaded: its peer lives as long
    void* make = module != nullptr ? dlsym(module, "dovetail_make_peer") : nullptr;
    if (make == nullptr) {
      std::fprintf(stderr, "%s: cannot be used here, left out: %s\n", stem, dlerror());
      continue;
    }
    peers.emplace_back(reinterpret_cast<decltype(&dovetail_make_peer)>(make)());
  }
  return peers;
}

}  // namespace dovetail::bench
