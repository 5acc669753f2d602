// SPDX-License-Identifier: MIT
// Part of Dovetail.

import { Vector3 } from "three";
import type { CloudData, FoundObject, FoundRun, ImageRun, Loaded } from "../data";
import { Choice, h, section } from "../dom";
import { Cloud } from "../draw/cloud";
import { DepthPicture, type Outlined } from "../draw/depth_picture";
import { Stage } from "../draw/stage";
import { type Focus, focusOf, rangeAlong } from "../focus";
import { type Frame, frameOf, guessUp, toFrame } from "../frame";
import { bindKeys, showHelp } from "../keys";
import { foundRun, foundVerdict, objectNumbers } from "../parts/found_numbers";
import { apply, fromRows, identity } from "../poses";
import { count, percent, plain, probability } from "../text";
import { onTheme, themeColor, toggleTheme } from "../theme";
import { nextUp, PointSize, viewDirection } from "./common";
import type { View } from "./view";

/** Distinct for the first dozen, then again from the first: those of `find --out`. */
const hues = ["e64b3c", "418cdc", "50b45a", "f0aa32", "9664c8", "3cbebe", "dc6eaa", "967846", "78c83c", "5a64e6", "c8c83c", "f08264"];

function hue(index: number): [number, number, number] {
  const hex = hues[index % hues.length]!;
  const channel = (at: number): number => parseInt(hex.slice(at, at + 2), 16) / 255;
  return [channel(0), channel(2), channel(4)];
}

interface Item {
  object: FoundObject;
  doubtful: boolean;
  drawn: Cloud | null;
  color: [number, number, number];
}

export class FoundView implements View {
  readonly main = h("div", { class: "stage" });
  readonly panel = h("div", { class: "panel" });
  readonly subtitle: string;
  private readonly stage: Stage;
  private readonly frame: Frame;
  private readonly focus: Focus;
  private readonly scene: Cloud | null = null;
  private readonly items: Item[];
  private readonly up: Vector3;
  private readonly size: PointSize;
  private readonly details = h("div", { "data-testid": "details" });
  private readonly list = h("div", { class: "alternatives", "data-testid": "objects" });
  private readonly sceneColor: Choice<"cloud" | "height" | "file"> | null = null;
  private readonly overlay: Choice<"found" | "all" | "none">;
  private readonly status = h("div", { class: "status", "data-testid": "status" });
  private readonly forget: () => void;
  private chosen = -1;
  private readonly flat: DepthPicture | null = null;
  private readonly outlined: Outlined[] = [];
  private readonly pane = h("div", { class: "flat" });
  private readonly shown: Choice<"image" | "points"> | null = null;

  constructor(loaded: Loaded, private readonly run: FoundRun | ImageRun) {
    const { result } = run;
    this.subtitle = run.kind === "image" ? "Range image" : run.image ? "Search for parts" : "Search for objects";
    const scene = run.clouds.find((cloud) => cloud.role === "scene");
    const objects = run.clouds.filter((cloud) => cloud.role === "object");
    const all = [...result.objects.map((object) => ({ object, doubtful: false })), ...result.doubtful.map((object) => ({ object, doubtful: true }))];
    const cloudOf = (object: FoundObject): CloudData | undefined => objects[object.object_index ?? -1];
    const placed = scene
      ? [{ cloud: scene, pose: identity() }]
      : all.flatMap(({ object }) => {
          const cloud = cloudOf(object);
          return cloud ? [{ cloud, pose: fromRows(object.scene_from_object) }] : [];
        });
    this.frame = frameOf(placed);
    this.focus = focusOf(loaded.bytes, this.frame, placed);
    this.up = new Vector3(...guessUp(scene));
    this.stage = new Stage(this.main, false);
    if (scene) {
      this.scene = new Cloud(loaded.bytes, scene);
      this.scene.place(this.frame, identity());
      this.stage.add(this.scene);
    }
    this.items = all.map(({ object, doubtful }, i) => {
      const cloud = cloudOf(object);
      const item: Item = { object, doubtful, drawn: cloud ? new Cloud(loaded.bytes, cloud) : null, color: hue(i) };
      item.drawn?.place(this.frame, fromRows(object.scene_from_object));
      item.drawn?.tint(item.color);
      item.drawn?.inFront();
      if (item.drawn) this.stage.add(item.drawn);
      return item;
    });
    this.size = new PointSize(run.clouds, this.stage);
    const colors: { value: "cloud" | "height" | "file"; text: string }[] = [{ value: "cloud", text: "Grey" }, { value: "height", text: "Height" }];
    if (scene?.palette) colors.push({ value: "file", text: "File" });
    this.sceneColor = new Choice("Scene's colours", colors, scene?.palette ? "file" : "cloud", () => this.recolor());
    const known = run.kind === "image"; // there is nothing doubtful about it
    const overlays: { value: "found" | "all" | "none"; text: string; title: string }[] = [
      { value: "found", text: known ? "Parts" : "Found", title: "over the scene (O)" },
      { value: "none", text: "None", title: "the scene alone (O)" },
    ];
    if (!known) overlays.splice(1, 0, { value: "all", text: "And doubtful", title: "also what was not likely enough (O)" });
    this.overlay = new Choice<"found" | "all" | "none">("Objects drawn", overlays, "found", () => this.showObjects());
    if (run.image) {
      this.outlined = this.items.map((item, i) => ({ spans: run.outlines?.[i] ?? null, color: item.color, shown: false, chosen: false }));
      this.main.append(this.pane);
      this.flat = new DepthPicture(this.pane, loaded.bytes, run.image, this.outlined);
      this.flat.onPick = (index) => this.choose(index === this.chosen ? -1 : index);
      this.shown = new Choice<"image" | "points">("View", [
        { value: "image", text: "Image", title: "as the camera saw it (V)" },
        { value: "points", text: "3D", title: "as points (V)" },
      ], "image", () => this.switchView());
    }
    this.layOut();
    this.switchView();
    this.forget = onTheme(() => this.recolor());
    this.recolor();
    this.showObjects();
    this.resetView();
    this.stage.onDrawn = (points) => {
      this.status.textContent = `${count(points)} points drawn`;
    };
    this.keys();
  }

  private layOut(): void {
    const tools = h("div", { class: "tools" }, this.shown?.element, this.overlay.element, this.sceneColor?.element, this.size.element);
    this.main.append(tools, this.status);
    if (!this.scene) this.main.append(h("div", { class: "empty" }, "The scene's points are not at hand."));
    this.panel.append(foundVerdict(this.run), section(this.run.kind === "image" ? "Parts" : "Objects", this.list), this.details);
    this.items.forEach((item, i) => this.list.append(this.button(item, i)));
    if (this.items.length === 0) this.list.append(h("p", { class: "note" }, "Nothing came near enough to be listed."));
    this.panel.append(...foundRun(this.run));
  }

  private button(item: Item, i: number): HTMLElement {
    const swatch = h("span", { class: "swatch" });
    swatch.style.background = `rgb(${item.color.map((c) => Math.round(255 * c)).join(",")})`;
    return h(
      "button",
      { type: "button", class: "alternative", "data-object": i, "aria-pressed": "false", click: () => this.choose(this.chosen === i ? -1 : i) },
      h("span", {}, swatch, " ", plain(item.object.object ?? "object")),
      h("span", {}, this.run.kind === "image" ? percent(item.object.visible_ratio, 0) : probability(item.object.confidence)),
      h("span", { class: "meaning" }, this.run.kind === "image" ? "visible" : (item.doubtful ? "doubtful, " : "") + percent(item.object.visible_ratio, 0) + " visible"),
    );
  }

  /** Looks at one of them; -1: at all. */
  private choose(index: number): void {
    this.chosen = index;
    [...this.list.children].forEach((child, i) => child.setAttribute("aria-pressed", String(i === index)));
    const item = this.items[index];
    if (item?.doubtful && this.overlay.value === "found") this.overlay.show("all");
    this.showObjects();
    this.details.replaceChildren(...(item ? objectNumbers(item.object, this.run.kind) : []));
    this.list.children[index]?.scrollIntoView({ block: "nearest" });
    this.flat?.lookAt(index);
    if (!item?.drawn) return this.resetView();
    const { low, size } = item.drawn.data;
    const middle: [number, number, number] = [low[0] + size[0] / 2, low[1] + size[1] / 2, low[2] + size[2] / 2];
    const at = apply(toFrame(this.frame), apply(fromRows(item.object.scene_from_object), middle));
    const radius = Math.hypot(...size) / 2 / this.frame.radius;
    this.stage.look(new Vector3(...at), Math.max(1e-3, 2 * radius), viewDirection(this.up), this.up);
  }

  private showObjects(): void {
    this.items.forEach((item, i) => {
      const among = this.overlay.value === "all" || (this.overlay.value === "found" && !item.doubtful);
      const outlined = this.outlined[i];
      if (outlined) [outlined.shown, outlined.chosen] = [among, this.chosen === i];
      if (item.drawn) item.drawn.object.visible = among && (this.chosen < 0 || this.chosen === i);
    });
    this.flat?.invalidate();
    this.stage.invalidate();
  }

  private switchView(): void {
    const image = this.shown?.value === "image";
    this.pane.hidden = !image;
    for (const control of [this.size.element, this.sceneColor?.element, this.status]) if (control) control.hidden = image;
    if (!image) this.stage.invalidate();
  }

  private recolor(): void {
    this.scene?.tint(themeColor("--target"));
    this.scene?.heights(this.up, ...rangeAlong(this.focus.points, this.up.toArray()));
    this.scene?.color(this.sceneColor?.value ?? "cloud");
    this.stage.invalidate();
  }

  private resetView(): void {
    this.flat?.fit();
    this.stage.look(new Vector3(...this.focus.center), this.focus.radius, viewDirection(this.up), this.up);
  }

  private keys(): void {
    const step = (by: number) => () => this.choose(((this.chosen + 1 + by + this.items.length + 1) % (this.items.length + 1)) - 1);
    bindKeys([
      { key: "ArrowDown", what: "look at the next object", act: step(1) },
      { key: "ArrowUp", what: "look at the one before", act: step(-1) },
      { key: "O", what: "which objects are drawn", act: () => this.overlay.next() },
      ...(this.shown ? [{ key: "V", what: "the image or the points", act: () => this.shown?.next() }] : []),
      { key: "C", what: "the scene's colours", act: () => this.sceneColor?.next() },
      { key: "+", what: "larger points", act: () => this.size.change(0.5) },
      { key: "-", what: "smaller points", act: () => this.size.change(-0.5) },
      { key: "R", what: "the whole scene in view", act: () => this.choose(-1) },
      { key: "U", what: "another way up", act: () => { this.up.copy(nextUp(this.up)); this.recolor(); this.resetView(); } },
      { key: "T", what: "light or dark", act: toggleTheme },
      { key: "?", what: "this help", act: showHelp },
    ]);
  }

  picture(width: number, height: number): HTMLCanvasElement {
    return this.flat?.picture(width, height) ?? this.stage.picture(width, height);
  }

  dispose(): void {
    this.forget();
    this.flat?.dispose();
    this.stage.dispose();
  }
}
