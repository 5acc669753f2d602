// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "gpicp/whole_runs.h"
#include "harness.h"

// What docs/images/make_gpicp_studies.py draws: the laid table and every instance where GPICP put it, as lines of
// "x y z kind" with kind 0 for the scene, in the camera's frame.

namespace dovetail::bench::gpicp_studies {
namespace {

void write(std::ofstream& file, const Vec3& p, int kind) {
  file << p[0] << ' ' << p[1] << ' ' << p[2] << ' ' << kind << '\n';
}

int draw(const std::filesystem::path& out) {
  Workspace workspace(Machine::cpu, 0, all_threads());
  const auto scene = laid_scene(0, workspace.backend());
  std::ofstream file(out);
  for (const Vec3& p : scene->laid.scene.positions) write(file, p, 0);
  int right = 0;
  for (std::size_t kind = 0; kind < scene->laid.objects.size(); ++kind) {
    const StudiedObject object = studied(scene->laid.objects[kind], 20000);
    const PointCloud cloud = points_of(object);
    for (const Instance* instance : scene->of(kind)) {
      const WholeRun run = run_default(*scene, cloud, starts_of(*instance, object, 16, 0.3), workspace);
      right += is_right(*scene, *instance, run.pose) ? 1 : 0;
      const Transform pose = scene->scene_from_object(run.pose);
      for (std::size_t i = 0; i < cloud.size(); i += 4)
        write(file, pose * cloud.positions[i], static_cast<int>(kind) + 1);
    }
  }
  std::printf("%d of %zu right\n", right, scene->instances.size());
  return file ? 0 : 1;
}

}  // namespace
}  // namespace dovetail::bench::gpicp_studies

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s OUT.txt\n", argv[0]);
    return 2;
  }
  return dovetail::bench::gpicp_studies::draw(argv[1]);
}
