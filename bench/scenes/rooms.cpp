// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "scenes/rooms.h"

#include "scenes/views.h"

namespace dovetail::bench::scenes {

Vec3 free_place(const PointCloud& room, double low, double high, RandomStream& random) {
  const Ball ball = ball_around(room);
  Vec3 place = ball.center;
  for (int attempt = 0; attempt < 40; ++attempt) {
    place = {ball.center[0] + random.uniform(-0.5, 0.5) * ball.radius,
             ball.center[1] + random.uniform(-0.5, 0.5) * ball.radius, random.uniform(low, high)};
    Sweep around;
    around.eye = place, around.columns = 12, around.rows = 1;
    const View view = sweep_from(room, around, random);
    bool is_free = view.cloud.size() > 30;  // most rays meet a wall: it is inside the room
    for (const Vec3& p : view.cloud.positions) is_free = is_free && norm(p) > 0.3;
    if (is_free) break;
  }
  return place;
}

}  // namespace dovetail::bench::scenes
