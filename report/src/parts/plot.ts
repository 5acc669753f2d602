// SPDX-License-Identifier: MIT
// Part of Dovetail.

import { h, svg } from "../dom";
import { number } from "../text";

/** A curve over the iterations, with a mark at the one that is shown. */

const width = 320;
const height = 84;
const pad = { left: 4, right: 4, top: 10, bottom: 6 };

export interface Curve {
  key: string;
  title: string;
  meaning: string;
  /** One a row of the trace; null where it has none. */
  values: (number | null)[];
  /** Equal steps for equal ratios, where the values span more than two powers of ten. */
  mayBeLogarithmic: boolean;
}

export class Plot {
  readonly element: HTMLElement;
  private readonly mark: SVGLineElement;
  private readonly dot: SVGCircleElement;
  private readonly readout: HTMLElement;
  private readonly place: (i: number) => [number, number] | null;

  constructor(
    private readonly curve: Curve,
    levels: number[],
    chosen: (row: number) => void,
  ) {
    const known = curve.values.filter((v): v is number => v !== null);
    const positive = known.filter((v) => v > 0);
    const least = Math.min(...positive);
    const logarithmic = curve.mayBeLogarithmic && positive.length > 1 && Math.max(...known) > 100 * least;
    const map = (v: number): number => (logarithmic ? Math.log10(Math.max(v, least)) : v);
    const low = logarithmic ? map(least) : Math.min(0, ...known);
    const high = Math.max(...known.map(map));
    const last = Math.max(1, curve.values.length - 1);
    const across = (i: number): number => pad.left + ((width - pad.left - pad.right) * i) / last;
    this.place = (i) => {
      const value = curve.values[i];
      if (value === null || value === undefined) return null;
      const share = high > low ? (map(value) - low) / (high - low) : 0.5;
      return [across(i), height - pad.bottom - share * (height - pad.top - pad.bottom)];
    };

    const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "plot", role: "img", "aria-label": curve.title });
    levels.forEach((level, i) => {
      if (i > 0 && level !== levels[i - 1]) {
        const x = across(i);
        picture.append(svg("line", { x1: x, x2: x, y1: 0, y2: height, class: "plot-level" }));
      }
    });
    picture.append(svg("line", { x1: 0, x2: width, y1: height - 1, y2: height - 1, class: "plot-axis" }));
    const path = curve.values.map((_, i) => this.place(i)).filter((p) => p !== null);
    picture.append(svg("polyline", { points: path.map((p) => p.map((c) => c.toFixed(1)).join(",")).join(" "), class: "plot-line" }));
    this.mark = svg("line", { y1: 0, y2: height, class: "plot-mark" });
    this.dot = svg("circle", { r: 3.5, class: "plot-dot" });
    picture.append(this.mark, this.dot);
    picture.addEventListener("click", (event) => {
      const box = picture.getBoundingClientRect();
      chosen(Math.round(((event.clientX - box.left) / box.width) * last));
    });
    this.readout = h("span", { class: "plot-value" });
    const name = logarithmic ? curve.title + " (logarithmic)" : curve.title;
    const head = h("div", { class: "plot-head", title: curve.meaning }, h("span", {}, name), this.readout);
    this.element = h("figure", { class: "plot-box", "data-plot": curve.key }, head, picture);
    this.show(curve.values.length - 1);
  }

  show(row: number): void {
    const at = this.place(row);
    this.mark.setAttribute("visibility", at ? "visible" : "hidden");
    this.dot.setAttribute("visibility", at ? "visible" : "hidden");
    this.readout.textContent = at ? number(this.curve.values[row], 3) : "";
    if (!at) return;
    this.mark.setAttribute("x1", String(at[0]));
    this.mark.setAttribute("x2", String(at[0]));
    this.dot.setAttribute("cx", String(at[0]));
    this.dot.setAttribute("cy", String(at[1]));
  }
}
