// SPDX-License-Identifier: MIT
// Part of Dovetail.

import { Vector3 } from "three";
import type { CloudData } from "../data";
import { h } from "../dom";
import type { Stage } from "../draw/stage";

/** What views of points have in common. */

/** The view from obliquely above, in which most things are recognised. */
export function viewDirection(up: Vector3): Vector3 {
  if (up.z !== 0) return new Vector3(0.75, -1, 0.65);
  return up.y > 0 ? new Vector3(0.45, 0.35, 1) : new Vector3(0.3, -0.3, -1);
}

const ups = [new Vector3(0, 0, 1), new Vector3(0, 1, 0), new Vector3(0, -1, 0)];

/** Another way up than this one. */
export function nextUp(up: Vector3): Vector3 {
  return ups[(ups.findIndex((other) => other.equals(up)) + 1) % ups.length]!.clone();
}

/** A slider for the size of points, which begins larger where there are few. */
export class PointSize {
  readonly element: HTMLElement;
  private readonly slider: HTMLInputElement;

  constructor(
    clouds: CloudData[],
    private readonly stage: Stage,
  ) {
    const points = clouds.reduce((sum, cloud) => sum + cloud.points.count, 0);
    const first = points > 400_000 ? 1 : points > 20_000 ? 2 : points > 1000 ? 3 : 5;
    this.slider = h("input", {
      type: "range",
      min: 1,
      max: 8,
      step: 0.5,
      value: first,
      "aria-label": "Point size",
      "data-testid": "point-size",
      input: () => this.change(0),
    });
    this.element = h("label", { class: "size" }, "Size", this.slider);
    this.change(0);
  }

  change(by: number): void {
    this.slider.value = String(Number(this.slider.value) + by);
    this.stage.pointSize(Number(this.slider.value));
  }
}
