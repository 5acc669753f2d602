// SPDX-License-Identifier: MIT
// Part of Dovetail.

import { Vector3 } from "three";
import type { Axis, Loaded, SymmetryRun } from "../data";
import { h, section } from "../dom";
import { AxisLines } from "../draw/axis_lines";
import { Cloud } from "../draw/cloud";
import { Stage } from "../draw/stage";
import { type Frame, frameOf, guessUp } from "../frame";
import { bindKeys, showHelp } from "../keys";
import { sampleNote } from "../parts/sample_note";
import { folded, table } from "../parts/table";
import { about, identity } from "../poses";
import { count, number, plain } from "../text";
import { onTheme, themeColor, toggleTheme } from "../theme";
import { nextUp, PointSize, viewDirection } from "./common";
import type { View } from "./view";

/** How often a part may be turned about an axis, in words. */
function fold(axis: Axis): string {
  return axis.order ? `${axis.order}-fold: every ${number(360 / axis.order, 4)}°` : "by any angle";
}

/** A part with the axes about which it may be turned; a copy of it turns, and comes to lie on the part again. */
export class SymmetryView implements View {
  readonly main = h("div", { class: "stage" });
  readonly panel = h("div", { class: "panel" });
  readonly subtitle = "Symmetry";
  private readonly stage: Stage;
  private readonly frame: Frame;
  private readonly part: Cloud | null = null;
  private readonly turned: Cloud | null = null;
  private readonly axes: AxisLines;
  private readonly up: Vector3;
  private readonly size: PointSize;
  private readonly list = h("div", { class: "alternatives", "data-testid": "axes" });
  private readonly slider = h("input", { type: "range", min: 0, max: 360, step: 1, value: 0, "aria-label": "Angle", "data-testid": "turn", input: () => this.turn() });
  private readonly angle = h("span", { "data-testid": "angle" }, "0°");
  private readonly forget: () => void;
  private chosen = 0;
  private playing = 0;

  constructor(loaded: Loaded, private readonly run: SymmetryRun) {
    const cloud = run.clouds[0];
    this.frame = frameOf(cloud ? [{ cloud, pose: identity() }] : []);
    this.up = new Vector3(...guessUp(cloud));
    this.stage = new Stage(this.main, false);
    if (cloud) {
      this.part = new Cloud(loaded.bytes, cloud);
      this.turned = new Cloud(loaded.bytes, cloud);
      for (const one of [this.part, this.turned]) {
        one.place(this.frame, identity());
        this.stage.add(one);
      }
    }
    if (!cloud && run.result.center) {
      this.frame = { center: run.result.center, radius: (run.result.diameter ?? 2) / 2 || 1, half: [1, 1, 1] };
    }
    this.axes = new AxisLines(run.result.axes, this.frame, 1.15);
    this.stage.overlay.add(this.axes.object);
    this.size = new PointSize(run.clouds, this.stage);
    this.layOut();
    this.forget = onTheme(() => this.recolor());
    this.choose(0);
    this.resetView();
    this.keys();
  }

  private layOut(): void {
    const { result } = this.run;
    this.main.append(h("div", { class: "tools" }, this.size.element));
    if (!this.part) this.main.append(h("div", { class: "empty" }, "The part's points are not at hand."));
    const word = plain(result.group ?? "Symmetry");
    const card = h("section", { class: "verdict usable", "data-testid": "verdict" }, h("div", { class: "verdict-word" }, word), h("p", { class: "message", "data-testid": "message" }, plain(result.description ?? "")));
    for (const note of this.run.notes) card.append(h("p", { class: "note" }, plain(note)));
    this.panel.append(card);
    if (result.axes.length > 0) {
      result.axes.forEach((axis, i) => this.list.append(this.button(axis, i)));
      const play = h("button", { type: "button", class: "quiet", "data-testid": "play", click: () => this.play() }, "Turn once");
      this.panel.append(section("Axes", this.list), section("Turn", h("div", { class: "turner" }, h("label", {}, this.slider, this.angle), play, h("p", { class: "note" }, "A copy of the part turns; where it is a symmetry the two lie on each other."))));
    }
    this.panel.append(
      section("Measured", table([
        { key: "rotations", name: "rotations", value: count(result.rotations?.length), meaning: "that map the part onto itself, the identity with them; of one that turns freely those beside the turns" },
        { key: "mirror", name: "mirror image", value: result.mirror ? "the same" : "differs" },
        { key: "deviation", name: "deviation", value: number(result.deviation), meaning: "largest distance from the turned surface to the surface" },
        { key: "tolerance", name: "allowed", value: number((result.tolerance ?? 0) + (result.allowance ?? 0)) },
        { key: "diameter", name: "diameter", value: number(result.diameter, 6) },
        { key: "measured_on", name: "measured on", value: plain(result.measured_on ?? "–") },
      ]), folded("Rotations", h("pre", { class: "matrix", "data-testid": "matrices" }, (result.rotations ?? []).map((rows) => rows.map((row) => row.join("  ")).join("\n")).join("\n\n")))),
      section("Shown", ...this.run.clouds.map((cloud) => h("p", { class: "note" }, sampleNote(cloud, "part")))),
    );
  }

  private button(axis: Axis, i: number): HTMLElement {
    const along = "(" + axis.direction.map((x) => number(Math.abs(x) < 1e-9 ? 0 : x, 3)).join(", ") + ")";
    return h("button", { type: "button", class: "alternative", "data-axis": i, "aria-pressed": "false", click: () => this.choose(i) }, h("span", {}, fold(axis)), h("span", {}), h("span", { class: "meaning" }, "along " + along));
  }

  private choose(index: number): void {
    this.chosen = index;
    [...this.list.children].forEach((child, i) => child.setAttribute("aria-pressed", String(i === index)));
    this.slider.value = String(360 / (this.run.result.axes[index]?.order ?? 0) || 90);
    this.recolor();
    this.turn();
  }

  private turn(): void {
    const degrees = Number(this.slider.value);
    const axis = this.run.result.axes[this.chosen];
    this.angle.textContent = number(degrees, 4) + "°";
    this.turned?.place(this.frame, axis ? about(axis.direction, axis.through, degrees) : identity());
    this.stage.invalidate();
  }

  /** All the way round, once. */
  private play(): void {
    cancelAnimationFrame(this.playing);
    const began = performance.now();
    const step = (now: number): void => {
      const share = Math.min(1, (now - began) / 4000);
      this.slider.value = String(Math.round(360 * share));
      this.turn();
      if (share < 1) this.playing = requestAnimationFrame(step);
    };
    this.playing = requestAnimationFrame(step);
  }

  private recolor(): void {
    this.part?.tint(themeColor("--target"));
    this.turned?.tint(themeColor("--source"));
    this.part?.color("cloud");
    this.turned?.color("cloud");
    this.axes.paint(this.chosen, themeColor("--accent"), themeColor("--faint"));
    this.stage.invalidate();
  }

  private resetView(): void {
    this.stage.look(new Vector3(0, 0, 0), 1.25, viewDirection(this.up), this.up);
  }

  private keys(): void {
    const axes = this.run.result.axes.length;
    bindKeys([
      ...(axes > 0
        ? [
            { key: " ", what: "turn once about the axis", act: () => this.play() },
            { key: "N", what: "the next axis", act: () => this.choose((this.chosen + 1) % axes) },
          ]
        : []),
      { key: "+", what: "larger points", act: () => this.size.change(0.5) },
      { key: "-", what: "smaller points", act: () => this.size.change(-0.5) },
      { key: "R", what: "the whole part in view", act: () => this.resetView() },
      { key: "U", what: "another way up", act: () => { this.up.copy(nextUp(this.up)); this.resetView(); } },
      { key: "T", what: "light or dark", act: toggleTheme },
      { key: "?", what: "this help", act: showHelp },
    ]);
  }

  picture(width: number, height: number): HTMLCanvasElement {
    return this.stage.picture(width, height);
  }

  dispose(): void {
    cancelAnimationFrame(this.playing);
    this.forget();
    this.stage.dispose();
  }
}
