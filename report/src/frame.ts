// SPDX-License-Identifier: MIT
// Part of Dovetail.

import type { CloudData, Vec } from "./data";
import { apply, boxMatrix, type Matrix, multiply } from "./poses";

/** What the drawing's own coordinates count from: near 0 and about 1 long, whatever the files' are. */
export interface Frame {
  center: Vec;
  radius: number;
  /** Half its sides, in the drawing's own lengths. */
  half: Vec;
}

/** The frame of clouds at their poses. */
export function frameOf(placed: { cloud: CloudData; pose: Matrix }[]): Frame {
  const low: Vec = [Infinity, Infinity, Infinity];
  const high: Vec = [-Infinity, -Infinity, -Infinity];
  for (const { cloud, pose } of placed) {
    if (cloud.points.count === 0 && !cloud.lines?.count) continue;
    const box = multiply(pose, boxMatrix(cloud.low, cloud.size));
    for (let corner = 0; corner < 8; ++corner) {
      const p = apply(box, [corner & 1, (corner >> 1) & 1, corner >> 2]);
      for (const axis of [0, 1, 2] as const) {
        if (!Number.isFinite(p[axis])) continue;
        low[axis] = Math.min(low[axis], p[axis]);
        high[axis] = Math.max(high[axis], p[axis]);
      }
    }
  }
  if (!(low[0] <= high[0])) return { center: [0, 0, 0], radius: 1, half: [0.6, 0.6, 0.6] };
  const center: Vec = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2];
  const diagonal = Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) / 2;
  const radius = diagonal > 0 ? diagonal : 1;
  const half = (axis: 0 | 1 | 2): number => (high[axis] - low[axis]) / 2 / radius;
  return { center, radius, half: [half(0), half(1), half(2)] };
}

/** From the files' coordinates to the drawing's. */
export function toFrame(frame: Frame): Matrix {
  const s = 1 / frame.radius;
  const [x, y, z] = frame.center;
  return [s, 0, 0, -x * s, 0, s, 0, -y * s, 0, 0, s, -z * s, 0, 0, 0, 1];
}

/** From a cloud's 16 bits, as 0 to 1, to the drawing: the large numbers cancel here, in double precision. */
export function placement(frame: Frame, pose: Matrix, cloud: CloudData): Matrix {
  const placed = multiply(pose, boxMatrix(cloud.low, cloud.size));
  const moved = placed.slice();
  for (let i = 0; i < 3; ++i) {
    for (let j = 0; j < 4; ++j) {
      moved[4 * i + j] = (placed[4 * i + j]! - frame.center[i]! * placed[12 + j]!) / frame.radius;
    }
  }
  return moved;
}

/**
 * Which way is up, as far as the points tell: things that stand on a plane stand on z = 0 or y = 0; what one sensor
 * saw lies before it along z, with y down (depth cameras) or up (graphics). Else z.
 */
export function guessUp(cloud: CloudData | undefined): Vec {
  if (!cloud) return [0, 0, 1];
  const { low, size } = cloud;
  const high: Vec = [low[0] + size[0], low[1] + size[1], low[2] + size[2]];
  const longest = Math.max(...size) || 1;
  const about = (axis: 0 | 1 | 2): boolean => low[axis] < -0.1 * size[axis] && high[axis] > 0.1 * size[axis];
  const aside = Math.abs(low[0] + high[0]) / 2 + Math.abs(low[1] + high[1]) / 2;
  if (low[2] > 0.2 * longest && aside < low[2] + size[2]) return [0, -1, 0];
  if (high[2] < -0.2 * longest && aside < -high[2] + size[2]) return [0, 1, 0];
  if (size[2] < 0.3 * longest) return [0, 0, 1];
  if (low[1] > -0.1 * size[1] && about(0) && about(2)) return [0, 1, 0];
  return [0, 0, 1];
}
