// SPDX-License-Identifier: MIT
// Part of Dovetail.

import type { Block, DepthImage } from "../data";
import { depthRamp } from "./ramps";
import { onTheme, themeColor } from "../theme";

type Color = [number, number, number];

/** Something that is seen in the picture: its pixels row by row, and how it is drawn. */
export interface Outlined {
  spans: Block | null;
  color: Color;
  shown: boolean;
  chosen: boolean;
}

/** How one silhouette lies in the picture. */
interface Shape {
  spans: Uint16Array;
  border: Path2D;
  box: [number, number, number, number];
}

/** The sides of pixels that have the silhouette on one side only, as one path. */
function borderOf(spans: Uint16Array): { border: Path2D; box: [number, number, number, number] } {
  const border = new Path2D();
  const rows = new Map<number, [number, number][]>();
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i + 2 < spans.length; i += 3) {
    const [row, begin, end] = [spans[i]!, spans[i + 1]!, spans[i + 2]!];
    const list = rows.get(row) ?? [];
    list.push([begin, end]);
    rows.set(row, list);
    box[0] = Math.min(box[0], begin);
    box[1] = Math.min(box[1], row);
    box[2] = Math.max(box[2], end);
    box[3] = Math.max(box[3], row + 1);
    for (const x of [begin, end]) {
      border.moveTo(x, row);
      border.lineTo(x, row + 1);
    }
  }
  const uncovered = (row: number, begin: number, end: number, y: number): void => {
    let x = begin;
    for (const [from, to] of rows.get(row) ?? []) {
      if (to <= x || from >= end) continue;
      if (from > x) {
        border.moveTo(x, y);
        border.lineTo(from, y);
      }
      x = Math.max(x, to);
    }
    if (x < end) {
      border.moveTo(x, y);
      border.lineTo(end, y);
    }
  };
  for (const [row, list] of rows) {
    for (const [begin, end] of list) {
      uncovered(row - 1, begin, end, row);
      uncovered(row + 1, begin, end, row + 1);
    }
  }
  return { border, box };
}

/** A depth image, shaded as if lit from the camera's left, with outlines over it. It can be zoomed and moved. */
export class DepthPicture {
  readonly canvas: HTMLCanvasElement;
  /** A click on a part of the picture: the outlined thing there, -1 where there is none. */
  onPick: (index: number) => void = () => undefined;
  private readonly shaded: HTMLCanvasElement;
  private readonly shapes: (Shape | null)[];
  private readonly sizes: ResizeObserver;
  private readonly forget: () => void;
  private scale = 1;
  private shift: [number, number] = [0, 0];
  private fitted = true;
  private asked = 0;

  constructor(
    private readonly place: HTMLElement,
    bytes: ArrayBuffer,
    private readonly image: DepthImage,
    private readonly outlined: Outlined[],
  ) {
    this.canvas = document.createElement("canvas");
    this.canvas.className = "depth-picture";
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", "depth image");
    this.canvas.dataset["testid"] = "depth-picture";
    this.shaded = shade(bytes, image);
    this.shapes = outlined.map(({ spans }) => {
      if (!spans) return null;
      const numbers = new Uint16Array(bytes, spans.at, 3 * spans.count);
      return { spans: numbers, ...borderOf(numbers) };
    });
    place.append(this.canvas);
    this.sizes = new ResizeObserver(() => this.resize());
    this.sizes.observe(place);
    this.forget = onTheme(() => this.invalidate());
    this.listen();
    this.resize();
  }

  private resize(): void {
    const ratio = Math.min(2, window.devicePixelRatio);
    this.canvas.width = Math.max(1, Math.round(this.place.clientWidth * ratio));
    this.canvas.height = Math.max(1, Math.round(this.place.clientHeight * ratio));
    this.canvas.style.width = `${this.place.clientWidth}px`;
    this.canvas.style.height = `${this.place.clientHeight}px`;
    if (this.fitted) this.fit();
    this.draw();
  }

  /** All of it in view. */
  fit(): void {
    this.look([0, 0, this.image.width, this.image.height], 0.94);
    this.fitted = true;
  }

  /** Looks at one outlined thing; -1: at all. */
  lookAt(index: number): void {
    const shape = this.shapes[index];
    if (!shape || shape.spans.length === 0) return this.fit();
    this.look(shape.box, 0.45);
  }

  private look([left, top, right, bottom]: [number, number, number, number], share: number): void {
    const { width, height } = this.canvas;
    this.scale = share * Math.min(width / Math.max(1, right - left), height / Math.max(1, bottom - top));
    this.shift = [width / 2 - (this.scale * (left + right)) / 2, height / 2 - (this.scale * (top + bottom)) / 2];
    this.fitted = false;
    this.invalidate();
  }

  invalidate(): void {
    if (this.asked === 0) this.asked = requestAnimationFrame(() => this.draw());
  }

  private draw(): void {
    cancelAnimationFrame(this.asked);
    this.asked = 0;
    this.paint(this.canvas, this.scale, this.shift);
    if (performance.getEntriesByName("first-picture").length === 0) performance.mark("first-picture");
  }

  private paint(canvas: HTMLCanvasElement, scale: number, [x, y]: [number, number]): void {
    const brush = canvas.getContext("2d");
    if (!brush) return;
    const css = ([r, g, b]: Color): string => `rgb(${Math.round(255 * r)},${Math.round(255 * g)},${Math.round(255 * b)})`;
    brush.setTransform(1, 0, 0, 1, 0, 0);
    brush.fillStyle = css(themeColor("--stage"));
    brush.fillRect(0, 0, canvas.width, canvas.height);
    brush.setTransform(scale, 0, 0, scale, x, y);
    brush.imageSmoothingEnabled = scale < 3;
    brush.drawImage(this.shaded, 0, 0);
    const pixel = canvas.width / Math.max(1, canvas.clientWidth || canvas.width);
    const chosen = this.outlined.some((one) => one.chosen);
    this.outlined.forEach((one, i) => {
      const shape = this.shapes[i];
      if (!shape || !one.shown) return;
      brush.globalAlpha = chosen && !one.chosen ? 0.35 : 1;
      // A dark line under the coloured one: it is seen over every depth.
      for (const [color, width] of [["rgb(0 0 0 / 55%)", 3.5], [css(one.color), one.chosen ? 2.5 : 1.8]] as const) {
        brush.strokeStyle = color;
        brush.lineWidth = (width * pixel) / scale;
        brush.stroke(shape.border);
      }
    });
    brush.globalAlpha = 1;
  }

  /** The topmost shown thing at a place of the canvas: of several the smallest. */
  private at(event: MouseEvent): number {
    const box = this.canvas.getBoundingClientRect();
    const ratio = this.canvas.width / box.width;
    const x = ((event.clientX - box.left) * ratio - this.shift[0]) / this.scale;
    const y = Math.floor(((event.clientY - box.top) * ratio - this.shift[1]) / this.scale);
    let best = -1;
    let least = Infinity;
    this.shapes.forEach((shape, i) => {
      if (!shape || !this.outlined[i]!.shown) return;
      let size = 0;
      let inside = false;
      for (let k = 0; k + 2 < shape.spans.length; k += 3) {
        size += shape.spans[k + 2]! - shape.spans[k + 1]!;
        inside ||= shape.spans[k] === y && x >= shape.spans[k + 1]! && x < shape.spans[k + 2]!;
      }
      if (inside && size < least) [best, least] = [i, size];
    });
    return best;
  }

  private listen(): void {
    let from: [number, number] | null = null;
    let moved = 0;
    this.canvas.addEventListener("pointerdown", (event) => {
      from = [event.clientX, event.clientY];
      moved = 0;
      this.canvas.setPointerCapture(event.pointerId);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (!from) {
        this.canvas.style.cursor = this.at(event) >= 0 ? "pointer" : "grab";
        return;
      }
      const ratio = this.canvas.width / Math.max(1, this.canvas.clientWidth);
      const step: [number, number] = [event.clientX - from[0], event.clientY - from[1]];
      moved += Math.abs(step[0]) + Math.abs(step[1]);
      from = [event.clientX, event.clientY];
      if (moved <= 4) return;
      this.shift = [this.shift[0] + step[0] * ratio, this.shift[1] + step[1] * ratio];
      this.fitted = false;
      this.invalidate();
    });
    this.canvas.addEventListener("pointerup", (event) => {
      if (from && moved <= 4) this.onPick(this.at(event));
      from = null;
    });
    this.canvas.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        const box = this.canvas.getBoundingClientRect();
        const ratio = this.canvas.width / box.width;
        const [x, y] = [(event.clientX - box.left) * ratio, (event.clientY - box.top) * ratio];
        const factor = Math.min(60 / this.scale, Math.max(0.05 / this.scale, Math.exp(-event.deltaY / 500)));
        this.shift = [x - factor * (x - this.shift[0]), y - factor * (y - this.shift[1])];
        this.scale *= factor;
        this.fitted = false;
        this.invalidate();
      },
      { passive: false },
    );
  }

  /** The whole picture, small. */
  picture(width: number, height: number): HTMLCanvasElement {
    const copy = document.createElement("canvas");
    copy.width = width;
    copy.height = height;
    const scale = Math.min(width / this.image.width, height / this.image.height);
    this.paint(copy, scale, [(width - scale * this.image.width) / 2, (height - scale * this.image.height) / 2]);
    return copy;
  }

  dispose(): void {
    cancelAnimationFrame(this.asked);
    this.sizes.disconnect();
    this.forget();
    this.canvas.remove();
  }
}

/** The image once and for all: colours by depth, darker where the surface turns away from the light. */
function shade(bytes: ArrayBuffer, image: DepthImage): HTMLCanvasElement {
  const { width, height } = image;
  const depth = new Uint16Array(bytes, image.at, width * height);
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, width);
  canvas.height = Math.max(1, height);
  const brush = canvas.getContext("2d");
  if (!brush || width === 0 || height === 0) return canvas;
  const picture = brush.createImageData(width, height);
  const ramp = depthRamp();
  const step = (image.high - image.low) / 65534;
  const pixel = (0.5 * (image.low + image.high)) / Math.max(1, image.focal); // mm beside each other
  for (let y = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x) {
      const i = y * width + x;
      const d = depth[i]!;
      if (d === 0) continue; // transparent: nothing was measured
      const side = (a: number, b: number): number => {
        const [p, q] = [depth[a] ?? 0, depth[b] ?? 0];
        return p === 0 || q === 0 ? 0 : (step * (q - p)) / (2 * pixel);
      };
      const slopeX = side(x > 0 ? i - 1 : i, x + 1 < width ? i + 1 : i);
      const slopeY = side(y > 0 ? i - width : i, y + 1 < height ? i + width : i);
      const facing = (1 - 0.45 * slopeX - 0.45 * slopeY) / Math.sqrt((1 + slopeX * slopeX + slopeY * slopeY) * 1.405);
      const light = 0.28 + 0.72 * Math.max(0, facing);
      const color = 3 * Math.round((255 * (d - 1)) / 65534);
      for (let k = 0; k < 3; ++k) picture.data[4 * i + k] = light * ramp[color + k]!;
      picture.data[4 * i + 3] = 255;
    }
  }
  brush.putImageData(picture, 0, 0);
  return canvas;
}
