// SPDX-License-Identifier: MIT
// Part of Dovetail.

import { ClampToEdgeWrapping, DataTexture, LinearFilter, NearestFilter, RGBAFormat, UnsignedByteType } from "three";

/** Colours along a scale. */

type Stop = [at: number, red: number, green: number, blue: number];

/** Of distances, in shares of the inlier distance: blue on the surface, yellow at the limit, red beyond. */
const distanceStops: Stop[] = [
  [0, 38, 84, 140],
  [0.3, 46, 139, 163],
  [0.7, 122, 190, 143],
  [1, 240, 200, 85],
  [2, 219, 98, 63],
  [4, 134, 28, 57],
];

/** Of heights: even steps of lightness. */
const heightStops: Stop[] = [
  [0, 68, 30, 100],
  [0.25, 59, 82, 139],
  [0.5, 33, 145, 140],
  [0.75, 94, 190, 98],
  [1, 232, 208, 60],
];

function along(stops: Stop[], at: number): [number, number, number] {
  let before = stops[0]!;
  for (const stop of stops) {
    if (stop[0] >= at) {
      const share = stop[0] > before[0] ? (at - before[0]) / (stop[0] - before[0]) : 0;
      const mix = (k: 1 | 2 | 3): number => Math.round(before[k] + share * (stop[k] - before[k]));
      return [mix(1), mix(2), mix(3)];
    }
    before = stop;
  }
  return [before[1], before[2], before[3]];
}

/** Of depths: light is near, and little colour, so that outlines stand out. */
const depthStops: Stop[] = [
  [0, 236, 231, 222],
  [0.5, 158, 162, 166],
  [1, 84, 94, 110],
];

/** 256 colours, red, green, blue. */
export function depthRamp(): Uint8Array {
  const colors = new Uint8Array(3 * 256);
  for (let i = 0; i < 256; ++i) colors.set(along(depthStops, i / 255), 3 * i);
  return colors;
}

/** The colour of a distance, given in inlier distances. */
export function distanceColor(inlierDistances: number): [number, number, number] {
  return along(distanceStops, inlierDistances);
}

function texture(colors: Uint8Array<ArrayBuffer>, smooth: boolean): DataTexture {
  const made = new DataTexture(colors, colors.length / 4, 1, RGBAFormat, UnsignedByteType);
  made.minFilter = made.magFilter = smooth ? LinearFilter : NearestFilter;
  made.wrapS = made.wrapT = ClampToEdgeWrapping;
  made.needsUpdate = true;
  return made;
}

/** A texture of 256 colours: of a residual's byte, which is the root of its share of `clip`. */
export function distanceRamp(clip: number, inlierDistance: number): DataTexture {
  const colors = new Uint8Array(4 * 256);
  for (let i = 0; i < 256; ++i) {
    const residual = clip * (i / 254) ** 2;
    colors.set([...along(distanceStops, residual / inlierDistance), 255], 4 * i);
  }
  return texture(colors, true);
}

export function heightRamp(): DataTexture {
  const colors = new Uint8Array(4 * 256);
  for (let i = 0; i < 256; ++i) colors.set([...along(heightStops, i / 255), 255], 4 * i);
  return texture(colors, true);
}

export function paletteTexture(palette: number[] | null): DataTexture {
  const colors = new Uint8Array(4 * 256).fill(160);
  for (let i = 0; palette && 3 * i < palette.length; ++i) colors.set([...palette.slice(3 * i, 3 * i + 3), 255], 4 * i);
  return texture(colors, false);
}
