// SPDX-License-Identifier: MIT
// Part of Dovetail.

import {
  BufferAttribute,
  BufferGeometry,
  type Color,
  GLSL3,
  LineSegments,
  Matrix4,
  type Object3D,
  Points,
  RawShaderMaterial,
  type Texture,
  Vector3,
} from "three";
import type { CloudData, Plane } from "../data";
import { type Frame, placement } from "../frame";
import type { Matrix } from "../poses";
import { heightRamp, paletteTexture } from "./ramps";

export type Coloring = "cloud" | "distance" | "height" | "file";

const modes: Record<Coloring, number> = { cloud: 0, distance: 1, height: 2, file: 3 };

const vertexShader = `
precision highp float;
uniform mat4 projectionMatrix, viewMatrix, place;
uniform float pointSize, lift;
uniform int mode;
uniform bool useOther;
uniform vec3 tint, unknown, up;
uniform vec2 heights;
uniform sampler2D distances, rising, palette;
in vec4 packed;
in float other;
out vec3 shade;
void main() {
  vec4 world = place * vec4(packed.xyz, 1.0);
  world = world.w > 0.0 ? vec4(world.xyz / world.w, 1.0) : vec4(1e9, 1e9, 1e9, 1.0);
  vec4 seen = viewMatrix * world;
  gl_Position = projectionMatrix * vec4(lift * seen.xyz, 1.0);
  gl_PointSize = pointSize;
  float bits = floor(packed.w * 65535.0 + 0.5), color = floor(bits / 256.0);
  float residual = useOther ? floor(other * 255.0 + 0.5) : bits - 256.0 * color;
  shade = tint;
  if (mode == 1) shade = residual > 254.5 ? unknown : texture(distances, vec2((residual + 0.5) / 256.0, 0.5)).rgb;
  if (mode == 2) shade = texture(rising, vec2((dot(world.xyz, up) - heights.x) * heights.y, 0.5)).rgb;
  if (mode == 3) shade = texture(palette, vec2((color + 0.5) / 256.0, 0.5)).rgb;
}`;

const fragmentShader = `
precision mediump float;
in vec3 shade;
out vec4 color;
void main() { color = vec4(shade, 1.0); }`;

/** What all clouds of a view share. */
const rising = heightRamp();

/** Points as the page has them, eight bytes each, uploaded once; moved by a matrix alone. */
export class Cloud {
  readonly object: Object3D;
  readonly count: number;
  readonly isLines: boolean;
  private readonly geometry = new BufferGeometry();
  private readonly material: RawShaderMaterial;
  private readonly bytes: ArrayBuffer;
  private shownOther: Plane | null = null;
  private share = 1;

  constructor(bytes: ArrayBuffer, readonly data: CloudData, lines = false) {
    this.bytes = bytes;
    this.isLines = lines;
    const block = lines && data.lines ? data.lines : data.points;
    this.count = block.count;
    const packed = new Uint16Array(bytes, block.at, 4 * block.count);
    this.geometry.setAttribute("packed", new BufferAttribute(packed, 4, true));
    this.material = new RawShaderMaterial({
      glslVersion: GLSL3,
      vertexShader,
      fragmentShader,
      uniforms: {
        place: { value: new Matrix4() },
        pointSize: { value: 2 },
        lift: { value: 1 },
        mode: { value: 0 },
        useOther: { value: false },
        tint: { value: new Vector3(0.5, 0.5, 0.5) },
        unknown: { value: new Vector3(0.6, 0.6, 0.6) },
        up: { value: new Vector3(0, 0, 1) },
        heights: { value: [0, 1] },
        distances: { value: rising },
        rising: { value: rising },
        palette: { value: paletteTexture(data.palette) },
      },
    });
    this.object = lines ? new LineSegments(this.geometry, this.material) : new Points(this.geometry, this.material);
    this.object.frustumCulled = false;
    this.object.matrixAutoUpdate = false;
  }

  private uniform(name: string): { value: unknown } {
    return this.material.uniforms[name]!;
  }

  place(frame: Frame, pose: Matrix): void {
    const m = placement(frame, pose, this.data) as Parameters<Matrix4["set"]>;
    (this.uniform("place").value as Matrix4).set(...m);
  }

  color(coloring: Coloring): void {
    this.uniform("mode").value = modes[coloring];
  }
  tint(color: Color | [number, number, number]): void {
    const value = this.uniform("tint").value as Vector3;
    Array.isArray(color) ? value.set(...color) : value.set(color.r, color.g, color.b);
  }
  unknown(color: [number, number, number]): void {
    (this.uniform("unknown").value as Vector3).set(...color);
  }
  distances(ramp: Texture): void {
    this.uniform("distances").value = ramp;
  }
  /** Along which direction of the drawing heights are counted, and from where to where. */
  heights(up: Vector3, low: number, high: number): void {
    (this.uniform("up").value as Vector3).copy(up);
    this.uniform("heights").value = [low, high > low ? 1 / (high - low) : 1];
  }
  /** Draws it before what lies at the same place: closer to the eye by so much, at the same place of the picture. */
  inFront(): void {
    this.uniform("lift").value = 0.99;
  }
  pointSize(pixels: number): void {
    this.uniform("pointSize").value = pixels;
  }

  /** Residuals at another pose than the answer, of as many points as the page has them of; null: at the answer. */
  residualsOf(plane: Plane | null): void {
    if (plane === this.shownOther) return;
    this.shownOther = plane;
    this.uniform("useOther").value = plane !== null;
    if (plane) {
      const values = new Uint8Array(this.count).fill(255);
      values.set(new Uint8Array(this.bytes, plane.at, plane.count));
      this.geometry.setAttribute("other", new BufferAttribute(values, 1, true));
    } else {
      this.geometry.deleteAttribute("other");
    }
    this.range();
  }

  /** Draws the first points alone: any beginning is a fair sample. */
  draw(share: number): void {
    this.share = share;
    this.range();
  }
  /** How many points. */
  get drawn(): number {
    const known = this.shownOther ? Math.min(this.count, this.shownOther.count) : this.count;
    return this.isLines ? 0 : Math.min(known, Math.ceil(this.share * this.count));
  }
  private range(): void {
    this.geometry.setDrawRange(0, this.isLines ? this.count : this.drawn);
  }

  dispose(): void {
    this.geometry.dispose();
    (this.uniform("palette").value as Texture).dispose();
    this.material.dispose();
  }
}
