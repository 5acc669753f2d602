// SPDX-License-Identifier: MIT
// Part of Dovetail.

// Finds a part on a table, with no idea of where it is: the virtual scanner makes the scene, and tells the truth.

#include <dovetail/dovetail.h>
#include <dovetail/scanner.h>

#include <cstdio>

int main() {
  using namespace dovetail;
  if (!scanner_available()) return std::puts("built without the virtual scanner"), 0;
  const PointCloud part = built_in_part();
  PointCloud table;
  table.positions = {{-400, -400, 0}, {400, -400, 0}, {400, 400, 0}, {-400, 400, 0}};
  table.faces.add({0, 1, 2, 3});
  const Transform table_from_part = Rigid3{exp_so3(Vec3{0, 0, 0.7}), {-60, -20, 0}};
  ScanOptions camera;
  camera.mesh_from_sensor = look_at({250, -420, 480}, {0, 0, 20});
  camera.noise = 0.2;  // millimetres
  const ScenePart parts[] = {{&part, table_from_part}, {&table, Transform()}};
  const PointCloud scene = scan(parts, camera);

  const ObjectToFind wanted[] = {{"bracket", &part}};
  const Found found = find_objects(wanted, scene);
  std::printf("%s in %.0f ms\n", found.message.c_str(), found.time_ms.total);
  if (found.objects.empty()) return 1;
  const Transform truth = camera.mesh_from_sensor.inverse() * table_from_part;
  const Vec3 middle{60, 40, 30};
  const double off = norm(found.objects[0].scene_from_object * middle - truth * middle);
  std::printf("confidence %.2f, %.2f mm from the truth\n", *found.objects[0].confidence, off);
  return off < 1 ? 0 : 1;
}
