// SPDX-License-Identifier: MIT
// Part of Dovetail.

import type { CloudData, Vec } from "./data";
import { type Frame, placement } from "./frame";
import { apply, type Matrix } from "./poses";

/** Where most of what is drawn lies: a few points far out do not make the rest small. */
export interface Focus {
  center: Vec;
  radius: number;
  points: Vec[];
}

const sample = 3000; // of each cloud: its order is random, so its beginning stands for all of it

function quantile(sorted: number[], share: number): number {
  return sorted[Math.round(share * (sorted.length - 1))] ?? 0;
}

/** From where to where the points go along a direction, a few aside. */
export function rangeAlong(points: Vec[], direction: Vec): [number, number] {
  const along = points.map((p) => p[0] * direction[0] + p[1] * direction[1] + p[2] * direction[2]).sort((a, b) => a - b);
  return along.length > 1 ? [quantile(along, 0.02), quantile(along, 0.98)] : [-0.5, 0.5];
}

export function focusOf(bytes: ArrayBuffer, frame: Frame, placed: { cloud: CloudData; pose: Matrix }[]): Focus {
  const points: Vec[] = [];
  for (const { cloud, pose } of placed) {
    const place = placement(frame, pose, cloud);
    for (const block of [cloud.points, cloud.lines]) {
      const count = Math.min(sample, block?.count ?? 0);
      const packed = new Uint16Array(bytes, block?.at ?? 0, 4 * count);
      for (let i = 0; i < count; ++i) {
        const p = apply(place, [packed[4 * i]! / 65535, packed[4 * i + 1]! / 65535, packed[4 * i + 2]! / 65535]);
        if (p.every(Number.isFinite)) points.push(p);
      }
    }
  }
  if (points.length === 0) return { center: [0, 0, 0], radius: 1, points };
  const axes: Vec[] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  const middle = axes.map((axis) => rangeAlong(points, axis)).map(([low, high]) => (low + high) / 2);
  const center: Vec = points.length > 1 ? [middle[0]!, middle[1]!, middle[2]!] : points[0]!;
  const away = points.map((p) => Math.hypot(p[0] - center[0], p[1] - center[1], p[2] - center[2])).sort((a, b) => a - b);
  return { center, radius: Math.max(1e-3, 1.25 * quantile(away, 0.95)) || 1, points };
}
