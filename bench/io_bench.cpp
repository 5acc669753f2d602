// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/io.h"

#include <unistd.h>

#include <fstream>

#include "harness.h"
#include "peers/peer.h"
#include "scans.h"

// Reading point files that lie in the page cache. "limit" is reading the same bytes into memory and nothing else.

namespace dovetail::bench {
namespace {

const char* const name = "read";

struct Kind {
  const char* what;
  const char* ending;
  Encoding encoding;
};

/// A folder that goes with the program.
class TemporaryFolder {
 public:
  TemporaryFolder()
      : path_(std::filesystem::temp_directory_path() / ("dovetail_io_bench_" + std::to_string(getpid()))) {
    std::filesystem::create_directory(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::filesystem::path operator/(const std::string& file) const { return path_ / file; }

 private:
  std::filesystem::path path_;
};

std::size_t read_bytes(const std::filesystem::path& file) {
  std::vector<char> bytes(std::filesystem::file_size(file));
  std::ifstream in(file, std::ios::binary);
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return bytes.empty() ? 0 : static_cast<std::size_t>(bytes.back());
}

void run(const Arguments& arguments, std::size_t count, const std::vector<std::unique_ptr<Peer>>& peers) {
  const TemporaryFolder folder;
  PointCloud cloud = bumpy_sphere(count, 1);
  cloud.precision = Precision::float32;
  for (const Kind& kind : {Kind{"ply binary", "ply", Encoding::binary}, Kind{"pcd binary", "pcd", Encoding::binary},
                           Kind{"pcd compressed", "pcd", Encoding::binary_compressed},
                           Kind{"ply ascii", "ply", Encoding::ascii}, Kind{"xyz", "xyz", Encoding::automatic}}) {
    const std::filesystem::path file = folder / (std::string("points.") + kind.ending);
    write_points(file, cloud, {kind.encoding});
    const double megabytes = static_cast<double>(std::filesystem::file_size(file)) / 1e6;
    const auto print = [&](const std::string& peer, std::size_t read, const Timing& timing) {
      Line line(name, kind.what);
      line.points(read).machine("cpu");
      if (!peer.empty()) line.peer(peer);
      line.number("megabytes_per_second", megabytes / timing.median_ms * 1000).value(timing);
    };
    const Timing limit = measure(arguments, [&] { read_bytes(file); });
    print("limit", count, limit);
    std::size_t read = 0;
    const Timing ours = measure(arguments, [&] { read = read_points(file).size(); });
    print("", read, ours);
    for (const auto& peer : peers) {
      if (peer->read(file.string()) == 0) continue;
      const Timing theirs = measure(arguments, [&] { read = peer->read(file.string()); });
      print(peer->name(), read, theirs);
    }
  }
}

}  // namespace
}  // namespace dovetail::bench

int main(int argc, char** argv) {
  using namespace dovetail::bench;
  const Arguments arguments = parse_arguments(argc, argv);
  if (arguments.gpu_only) return 0;
  describe_machine("read");
  run(arguments, arguments.quick ? 40'000 : 1'000'000, load_peers(arguments));
}
