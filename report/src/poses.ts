// SPDX-License-Identifier: MIT
// Part of Dovetail.

import type { Rows, Vec } from "./data";

/** Poses in double precision: 4x4, row by row. Only their products with boxes become floats. */

export type Matrix = number[]; // 16 numbers

export function identity(): Matrix {
  return [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
}

/** 4x4 as it is; 3x3 of the plane acts on x and y. */
export function fromRows(rows: Rows): Matrix {
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  if (rows.length === 4) return [0, 1, 2, 3].flatMap((i) => [0, 1, 2, 3].map((j) => at(i, j)));
  const place = [0, 1, null, 2];
  return [0, 1, 2, 3].flatMap((i) =>
    [0, 1, 2, 3].map((j) => {
      const r = place[i];
      const c = place[j];
      if (r === null || c === null) return i === j ? 1 : 0;
      return at(r ?? 0, c ?? 0);
    }),
  );
}

export function multiply(a: Matrix, b: Matrix): Matrix {
  const product: Matrix = [];
  for (let i = 0; i < 4; ++i) {
    for (let j = 0; j < 4; ++j) {
      let sum = 0;
      for (let k = 0; k < 4; ++k) sum += a[4 * i + k]! * b[4 * k + j]!;
      product.push(sum);
    }
  }
  return product;
}

export function apply(m: Matrix, p: Vec): Vec {
  const row = (i: number): number => m[4 * i]! * p[0] + m[4 * i + 1]! * p[1] + m[4 * i + 2]! * p[2] + m[4 * i + 3]!;
  const w = row(3);
  return [row(0) / w, row(1) / w, row(2) / w];
}

/** A turn about a line, in degrees. */
export function about(direction: Vec, through: Vec, degrees: number): Matrix {
  const length = Math.hypot(...direction) || 1;
  const [x, y, z] = direction.map((v) => v / length) as Vec;
  const c = Math.cos((degrees * Math.PI) / 180);
  const s = Math.sin((degrees * Math.PI) / 180);
  const d = 1 - c;
  const turn: Matrix = [
    d * x * x + c, d * x * y - s * z, d * x * z + s * y, 0,
    d * x * y + s * z, d * y * y + c, d * y * z - s * x, 0,
    d * x * z - s * y, d * y * z + s * x, d * z * z + c, 0,
    0, 0, 0, 1,
  ];
  const [u, v, w] = apply(turn, through);
  turn[3] = through[0] - u;
  turn[7] = through[1] - v;
  turn[11] = through[2] - w;
  return turn;
}

/** From the unit cube to a box. */
export function boxMatrix(low: Vec, size: Vec): Matrix {
  return [size[0], 0, 0, low[0], 0, size[1], 0, low[1], 0, 0, size[2], low[2], 0, 0, 0, 1];
}

/** How far apart two poses put a box's corners, in the root mean square. */
export function distanceBetween(a: Matrix, b: Matrix, low: Vec, size: Vec): number {
  let sum = 0;
  for (let corner = 0; corner < 8; ++corner) {
    const p: Vec = [
      low[0] + (corner & 1 ? size[0] : 0),
      low[1] + (corner & 2 ? size[1] : 0),
      low[2] + (corner & 4 ? size[2] : 0),
    ];
    const [x, y, z] = apply(a, p);
    const [u, v, w] = apply(b, p);
    sum += (x - u) ** 2 + (y - v) ** 2 + (z - w) ** 2;
  }
  return Math.sqrt(sum / 8);
}

export interface PoseParts {
  angle: number; // degrees
  axis: Vec;
  scale: number;
  translation: Vec;
}

/** Rotation, scale and shift of a pose that is a similarity, or nearly. */
export function parts(m: Matrix, dimension: number): PoseParts {
  const col = (j: number): Vec => [m[j]!, m[4 + j]!, m[8 + j]!];
  const cross = (a: Vec, b: Vec): Vec => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const dot = (a: Vec, b: Vec): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const volume = dot(cross(col(0), col(1)), col(2));
  const scale = dimension === 2 ? Math.sqrt(Math.abs(volume)) : Math.cbrt(Math.abs(volume));
  const translation: Vec = [m[3]!, m[7]!, m[11]!];
  if (dimension === 2) {
    const angle = (Math.atan2(m[4]! - m[1]!, m[0]! + m[5]!) * 180) / Math.PI;
    return { angle, axis: [0, 0, 1], scale, translation };
  }
  const skew: Vec = [m[9]! - m[6]!, m[2]! - m[8]!, m[4]! - m[1]!];
  const sine = Math.hypot(...skew) / 2;
  const cosine = (m[0]! + m[5]! + m[10]! - scale) / 2;
  const angle = Math.atan2(sine, cosine);
  let axis: Vec = [0, 0, 1];
  if (sine > 1e-6 * scale) {
    axis = [skew[0] / (2 * sine), skew[1] / (2 * sine), skew[2] / (2 * sine)];
  } else if (cosine < 0) {
    // Half a turn: R + 1 = 2 a aᵀ, and its longest column is along the axis.
    const columns = [0, 1, 2].map((j): Vec => {
      const c = col(j);
      c[j] = c[j]! + scale;
      return c;
    });
    const longest = columns.reduce((a, b) => (Math.hypot(...b) > Math.hypot(...a) ? b : a));
    const length = Math.hypot(...longest) || 1;
    axis = [longest[0] / length, longest[1] / length, longest[2] / length];
  }
  return { angle: (angle * 180) / Math.PI, axis, scale, translation };
}
