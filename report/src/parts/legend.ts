// SPDX-License-Identifier: MIT
// Part of Dovetail.

import { distanceColor } from "../draw/ramps";
import { h, svg } from "../dom";
import { number } from "../text";

/** What colours mean. */

function swatch(name: string, text: string): HTMLElement {
  return h("span", { class: "legend-item" }, h("span", { class: "swatch swatch-" + name }), text);
}

export function cloudLegend(target: string): HTMLElement {
  return h("div", { class: "legend" }, swatch("source", "source"), swatch("target", target));
}

export function heightLegend(): HTMLElement {
  return h("div", { class: "legend" }, "height: dark is low, yellow is high");
}

export function fileLegend(): HTMLElement {
  return h("div", { class: "legend" }, "colours of the files");
}

/** The scale of distances, up to `clip`, with the inlier distance marked. */
export function distanceLegend(clip: number, inlierDistance: number, target: string): HTMLElement {
  const wide = 160;
  const bar = svg("svg", { viewBox: `0 0 ${wide} 10`, width: wide, height: 10, class: "legend-bar" });
  for (let i = 0; i < wide; i += 2) {
    const [r, g, b] = distanceColor(((i / wide) * clip) / inlierDistance);
    bar.append(svg("rect", { x: i, y: 0, width: 2.2, height: 10, fill: `rgb(${r},${g},${b})` }));
  }
  const mark = (100 * inlierDistance) / clip;
  bar.append(svg("line", { x1: (mark * wide) / 100, x2: (mark * wide) / 100, y1: 0, y2: 10, class: "legend-mark" }));
  return h(
    "div",
    { class: "legend" },
    h("span", {}, "distance to the " + target),
    bar,
    h("span", { class: "legend-numbers" }, `0 … ${number(inlierDistance, 3)} (inlier) … ≥ ${number(clip, 3)}`),
  );
}
