// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "dovetail/workspace.h"
#include "gpicp/loops.h"
#include "harness.h"

// What docs/images/make_gpicp_studies.py draws: the laid table and every instance where the thesis's loop brought it
// from its guess, as lines of "x y z kind" with kind 0 for the scene, in the camera's frame.

namespace dovetail::bench::gpicp_studies {
namespace {

void write(std::ofstream& file, const Vec3& p, std::size_t kind) {
  file << p[0] << ' ' << p[1] << ' ' << p[2] << ' ' << kind << '\n';
}

int draw(const std::filesystem::path& out) {
  Workspace workspace(Machine::cpu, 0, all_threads());
  const auto scene = laid_scene(0, workspace.backend());
  std::ofstream file(out);
  for (const Vec3& p : scene->laid.scene.positions) write(file, p, 0);
  for (std::size_t kind = 0; kind < scene->laid.objects.size(); ++kind) {
    const StudiedObject object = studied(scene->laid.objects[kind], 20000);
    int right = 0;
    for (const Instance* instance : scene->of(kind)) {
      const Similarity3 pose = run_library({}, *scene, object, *instance, workspace.backend()).pose;
      right += is_right(*scene, *instance, pose) ? 1 : 0;
      const Transform placed = scene->scene_from_object(pose);
      const std::vector<Vec3>& points = object.sought->cloud.positions;
      for (std::size_t i = 0; i < points.size(); i += 20) write(file, placed * points[i], kind + 1);
    }
    std::printf("%s: %d of %zu right\n", object.sought->name.c_str(), right, scene->of(kind).size());
  }
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
