// SPDX-License-Identifier: MIT
// Part of Dovetail.

import { h, svg } from "../dom";
import { number, percent } from "../text";

/** A score over its thresholds, from 0 to 1. */

const width = 320;
const height = 150;
const pad = { left: 38, right: 10, top: 8, bottom: 20 };

export function recallPlot(key: string, title: string, meaning: string, thresholds: number[], scores: number[]): HTMLElement {
  const last = thresholds[thresholds.length - 1] ?? 1;
  const x = (t: number): number => pad.left + ((width - pad.left - pad.right) * t) / (last || 1);
  const y = (s: number): number => height - pad.bottom - (height - pad.top - pad.bottom) * s;
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title });
  for (const share of [0, 0.5, 1]) {
    picture.append(svg("line", { x1: pad.left, x2: width - pad.right, y1: y(share), y2: y(share), class: "plot-axis" }), svg("text", { x: pad.left - 5, y: y(share) + 3, "text-anchor": "end" }, percent(share, 0)));
  }
  for (const t of [0, last / 2, last]) picture.append(svg("text", { x: x(t), y: height - 5, "text-anchor": "middle" }, number(t, 2)));
  const points = thresholds.map((t, i) => `${x(t).toFixed(1)},${y(scores[i] ?? 0).toFixed(1)}`).join(" ");
  picture.append(svg("polyline", { points, class: "plot-line" }));
  thresholds.forEach((t, i) => picture.append(svg("circle", { cx: x(t), cy: y(scores[i] ?? 0), r: 2.2, class: "plot-dot" })));
  const mean = scores.reduce((sum, s) => sum + s, 0) / Math.max(1, scores.length);
  return h("figure", { "data-recall": key }, h("div", { class: "plot-head", title: meaning }, h("span", {}, title), h("span", { class: "plot-value" }, percent(mean))), picture, h("p", { class: "meaning" }, meaning));
}
