// SPDX-License-Identifier: MIT
// Part of Dovetail.

// Finds parts in a depth image, with no idea of where they are: the virtual scanner makes the image, and tells the
// truth. In practice the image is read_range_image("depth.png", read_camera("camera.json")), and the database a file
// that `dovetail pose build part.stl` made.

#include <dovetail/find_parts.h>
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
  ScanOptions view;
  view.mesh_from_sensor = look_at({40, -150, 560}, {0, 0, 20});
  view.noise = 0.2;  // millimetres
  const ScenePart scene[] = {{&part, table_from_part}, {&table, Transform()}};
  const RangeImage image = range_image_of(scan(scene, view), {}, 1);

  PoseDatabaseOptions views;
  views.references = 512;
  views.sampling = OrientationSampling::uniform;
  const PosePart wanted[] = {{"bracket", &part, {}, {}}};
  const PoseDatabase database = build_pose_database(wanted, views);

  const Found found = find_parts(image, database);
  std::printf("%s in %.0f ms\n", found.message.c_str(), found.time_ms.total);
  if (found.objects.empty()) return 1;
  const FoundObject& first = found.objects[0];
  const Transform truth = view.mesh_from_sensor.inverse() * table_from_part;
  const Vec3 middle{60, 40, 30};
  const double off = norm(first.scene_from_object * middle - truth * middle);
  std::printf("confidence %.2f, %.0f%% visible, %.2f mm from the truth\n", *first.confidence, 100 * first.visible_ratio,
              off);
  write_found_picture("08_find_parts.png", image, database, found);
  return off < 1 ? 0 : 1;
}
