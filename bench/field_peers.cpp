// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "field_peers.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "peers/peer.h"

namespace dovetail::bench {
namespace {

const char* const name = "field";

std::vector<unsigned char> mask_of(const FieldScene& scene) {
  std::vector<unsigned char> mask(scene.grid.size(), 1);
  for (const std::uint64_t key : scene.keys) mask[scene.grid.index(key_x(key), key_y(key), key_z(key))] = 0;
  return mask;
}

/// A file that NumPy loads; gone with the object.
class MaskFile {
 public:
  explicit MaskFile(const FieldScene& scene)
      : path_(std::filesystem::temp_directory_path() / ("dovetail_field_" + std::to_string(::getpid()) + ".npy")) {
    const auto cells = [&](int a) { return std::to_string(scene.grid.cells[a]); };
    const std::string shape = (scene.grid.dimension == 3 ? cells(2) + ", " : "") + cells(1) + ", " + cells(0);
    std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (" + shape + "), }";
    header.resize(117, ' ');
    header += '\n';
    const std::vector<unsigned char> mask = mask_of(scene);
    std::ofstream out(path_, std::ios::binary);
    out.write("\x93NUMPY\x01\x00\x76\x00", 10).write(header.data(), static_cast<std::streamsize>(header.size()));
    out.write(reinterpret_cast<const char*>(mask.data()), static_cast<std::streamsize>(mask.size()));
  }
  ~MaskFile() { std::filesystem::remove(path_); }
  MaskFile(const MaskFile&) = delete;
  MaskFile& operator=(const MaskFile&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::string output_of(const std::string& command) {
  std::string output;
  if (FILE* pipe = ::popen(command.c_str(), "r")) {
    char buffer[4096];
    while (std::fgets(buffer, sizeof buffer, pipe) != nullptr) output += buffer;
    ::pclose(pipe);
  }
  return output;
}

void time_scipy(const Arguments& arguments, const FieldScene& scene, double squared_sum) {
  const std::filesystem::path script = std::filesystem::path(DOVETAIL_SOURCE_DIR) / "bench/peers/scipy_field.py";
  if (!std::filesystem::exists(script)) {
    std::fprintf(stderr, "SciPy: %s is not here, left out\n", script.c_str());
    return;
  }
  const MaskFile mask(scene);
  for (const char* python : {"python3", "/usr/bin/python3"}) {
    const std::string arguments_of = " '" + script.string() + "' '" + mask.path().string() + "' ";
    const std::string text = output_of(python + arguments_of + (arguments.quick ? "1" : "3") + " 2>/dev/null");
    const nlohmann::json answer = nlohmann::json::parse(text, nullptr, false);
    if (!answer.is_object() || !answer.contains("name")) continue;
    if (answer["squared_sum"].get<double>() != squared_sum) {
      std::fprintf(stderr, "SciPy: squared distances of %s add up to something else\n", scene.name.c_str());
      std::exit(1);
    }
    for (const auto& [what, key] : {std::pair{"nearest seeds", "indices_ms"},
                                    std::pair{"distances and nearest seeds", "distances_and_indices_ms"}}) {
      Line(name, "dense")
          .text("data", scene.name)
          .number("dimension", scene.grid.dimension)
          .number("cells", static_cast<double>(scene.grid.size()))
          .machine("cpu", 1)
          .peer(answer["name"])
          .text("method", what)
          .value(answer[key].get<double>(), "ms");
    }
    return;
  }
  std::fprintf(stderr, "SciPy: not installed, left out (python3-scipy)\n");
}

void time_modules(const Arguments& arguments, const FieldScene& scene) {
  static const std::vector<std::unique_ptr<Peer>> peers = load_peers(arguments);
  const std::vector<unsigned char> mask = mask_of(scene);
  const PeerMask cells{mask.data(), static_cast<int>(scene.grid.cells[0]), static_cast<int>(scene.grid.cells[1])};
  for (const auto& peer : peers) {
    for (const std::string& method : peer->field_methods()) {
      for (const int threads : thread_counts()) {
        const Timing timing = measure_own(arguments, [&] { return peer->distance_field(method, cells, threads); });
        Line(name, "dense")
            .text("data", scene.name)
            .number("dimension", scene.grid.dimension)
            .number("cells", static_cast<double>(scene.grid.size()))
            .machine("cpu", threads)
            .peer(peer->name())
            .text("method", method)
            .value(timing);
      }
    }
  }
}

}  // namespace

void time_field_peers(const Arguments& arguments, const FieldScene& scene, double squared_sum) {
  time_scipy(arguments, scene, squared_sum);
  if (scene.grid.dimension == 2) time_modules(arguments, scene);
}

}  // namespace dovetail::bench
