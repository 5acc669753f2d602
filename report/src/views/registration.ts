// SPDX-License-Identifier: MIT
// Part of Dovetail.

import { type Group, Vector3 } from "three";
import type { Answer, CloudData, Loaded, Plane, RegistrationRun } from "../data";
import { Choice, h, section } from "../dom";
import { Cloud, type Coloring } from "../draw/cloud";
import { distanceRamp } from "../draw/ramps";
import { Stage } from "../draw/stage";
import { weakArrows } from "../draw/weak_arrows";
import { type Focus, focusOf, rangeAlong } from "../focus";
import { type Frame, frameOf, guessUp, toFrame } from "../frame";
import { bindKeys, showHelp } from "../keys";
import { curvesOf } from "../parts/curves";
import { evidence } from "../parts/evidence";
import { cloudLegend, distanceLegend, fileLegend, heightLegend } from "../parts/legend";
import { poseRows, qualityRows, runRows, sigmaRows } from "../parts/numbers";
import { Plot } from "../parts/plot";
import { Replay } from "../parts/replay";
import { sampleNote } from "../parts/sample_note";
import { folded, table } from "../parts/table";
import { verdict } from "../parts/verdict";
import { apply, fromRows, identity, type Matrix } from "../poses";
import { count, methodName, number, plain, probability } from "../text";
import { onTheme, themeColor, toggleTheme } from "../theme";
import { nextUp, PointSize, viewDirection } from "./common";
import type { View } from "./view";

export class RegistrationView implements View {
  readonly main = h("div", { class: "stage" });
  readonly panel = h("div", { class: "panel" });
  readonly subtitle: string;
  private readonly stage: Stage;
  private readonly frame: Frame;
  private readonly focus: Focus;
  private readonly source: Cloud | null = null;
  private readonly target: Cloud[] = [];
  private readonly poses: Matrix[]; // before, those of the trace, the answer
  private readonly trace: number;
  private readonly replay: Replay;
  private readonly plots: Plot[];
  private readonly coloring: Choice<Coloring>;
  private readonly moment: Choice<"before" | "after">;
  private readonly legend = h("div", { class: "legend-place", "data-testid": "legend" });
  private readonly status = h("div", { class: "status", "data-testid": "status" });
  private readonly numbers = h("div", { "data-testid": "numbers" });
  private readonly up: Vector3;
  private readonly forget: () => void;
  private readonly size: PointSize;
  private arrows: Group | null = null;
  private chosen = -1; // the answer, or the number of an alternative

  constructor(
    loaded: Loaded,
    private readonly run: RegistrationRun,
  ) {
    const { result } = run;
    this.subtitle = methodName(result.method);
    this.poses = [fromRows(run.before), ...(result.trace ?? []).map((row) => fromRows(row.target_from_source))];
    this.trace = this.poses.length - 1;
    const answer = fromRows(result.target_from_source);
    if (this.trace === 0 || this.poses[this.trace]!.some((v, i) => v !== answer[i])) this.poses.push(answer);

    const clouds = { source: this.cloud("source"), target: this.cloud("target") };
    const placed = [
      ...(clouds.target ? [{ cloud: clouds.target, pose: identity() }] : []),
      ...(clouds.source ? [{ cloud: clouds.source, pose: answer }] : []),
    ];
    this.frame = frameOf(placed);
    this.focus = focusOf(loaded.bytes, this.frame, placed);
    this.up = new Vector3(...guessUp(clouds.target ?? clouds.source));
    this.stage = new Stage(this.main, run.dimension === 2);
    this.size = new PointSize(run.clouds, this.stage);
    if (clouds.target) {
      this.target.push(new Cloud(loaded.bytes, clouds.target));
      if (clouds.target.lines) this.target.push(new Cloud(loaded.bytes, clouds.target, true));
    }
    if (clouds.source) this.source = new Cloud(loaded.bytes, clouds.source);
    for (const cloud of this.target) {
      cloud.place(this.frame, identity());
      this.stage.add(cloud);
    }
    if (this.source) this.stage.add(this.source);
    this.prepareColors();

    const known = run.residuals !== null && this.inlierDistance() > 0;
    const choices: { value: Coloring; text: string; title: string }[] = [{ value: "cloud", text: "Cloud", title: "source and target each in a colour (C)" }];
    if (known) choices.push({ value: "distance", text: "Residual", title: "how far source points are from the target (C)" });
    if (run.dimension === 3) choices.push({ value: "height", text: "Height", title: "how high points are (C)" });
    if (run.clouds.some((cloud) => cloud.palette)) choices.push({ value: "file", text: "File", title: "the files' own colours (C)" });
    this.coloring = new Choice("Colour by", choices, "cloud", () => this.recolor());
    this.moment = new Choice<"before" | "after">("Before or after", [
      { value: "before", text: "Before", title: "where the source was (B)" },
      { value: "after", text: "After", title: "where the answer puts it (A)" },
    ], "after", (value) => this.replay.go(value === "before" ? 0 : this.replay.last));
    this.replay = new Replay(this.labels(), (step) => this.showStep(step));
    const levels = (result.trace ?? []).map((row) => row.level ?? 0);
    this.plots = curvesOf(run).map((curve) => new Plot(curve, levels, (row) => this.replay.go(row + 1)));

    this.layOut();
    this.fillPanel();
    this.showNumbers();
    this.forget = onTheme(() => {
      this.prepareColors();
      this.drawArrows();
    });
    this.recolor();
    this.showPose(answer);
    this.resetView();
    this.stage.onDrawn = (points) => {
      this.status.textContent = points > 0 ? `${count(points)} points drawn` : "";

    };
    this.keys();
  }

  private cloud(role: CloudData["role"]): CloudData | undefined {
    return this.run.clouds.find((cloud) => cloud.role === role);
  }

  private inlierDistance(): number {
    return this.run.result.inlier_distance ?? 0;
  }

  private labels(): string[] {
    const trace = this.run.result.trace ?? [];
    const labels = ["before"];
    trace.forEach((row) => labels.push(`iteration ${row.iteration + 1} of ${trace.length}`));
    while (labels.length < this.poses.length) labels.push("answer");
    return labels;
  }

  private layOut(): void {
    const tools = h("div", { class: "tools" }, this.moment.element, this.coloring.element, this.size.element);
    this.main.append(tools, this.legend, this.status);
    if (this.poses.length > 1) this.main.append(this.replay.element);
    if (!this.source && this.target.length === 0) this.main.append(h("div", { class: "empty" }, "The points are not at hand: numbers and plots alone."));
  }

  private answers(): Answer[] {
    return [this.run.result, ...(this.run.result.alternatives ?? [])];
  }

  private shown(): Answer {
    return this.answers()[this.chosen + 1] ?? this.run.result;
  }

  private fillPanel(): void {
    const { result } = this.run;
    const target = result.method === "chamfer" ? "reference" : "target";
    this.panel.append(this.numbers);
    if (this.plots.length > 0) this.panel.append(section("Convergence", h("div", { class: "plots" }, ...this.plots.map((plot) => plot.element))));
    const notes = this.run.clouds.map((cloud) => h("p", { class: "note" }, sampleNote(cloud, cloud.role === "target" ? target : cloud.role)));
    const files = [result.source_file, result.target_file].filter((file): file is string => typeof file === "string");
    this.panel.append(
      section("Shown", ...notes, files.length === 2 && h("p", { class: "note", "data-testid": "files" }, plain(`${files[0]} onto ${files[1]}`))),
      section("Run", table(runRows(result))),
      section("", folded("Options", h("pre", {}, plain(JSON.stringify(result.options ?? {}, null, 1).replaceAll("\n", " ")).replaceAll(", ", ",\n")))),
    );
  }

  /** What belongs to the answer that is shown. */
  private showNumbers(): void {
    const answer = this.shown();
    const own = this.chosen < 0;
    const usable = answer.usable === true;
    const parts: HTMLElement[] = [
      verdict({
        usable,
        word: own ? (usable ? "Usable" : "Not usable") : `Alternative ${this.chosen + 1}`,
        confidence: answer.confidence,
        message: answer.message ?? "",
        warnings: answer.warnings ?? [],
        notes: own ? this.run.notes : [],
      }),
    ];
    if (this.answers().length > 1) parts.push(this.alternatives());
    parts.push(section("Fit", table(qualityRows(answer))));
    const sigmas = sigmaRows(answer, this.run.dimension);
    const matrix = h("pre", { class: "matrix", "data-testid": "matrix" }, answer.target_from_source.map((row) => row.join("  ")).join("\n"));
    parts.push(section("Pose", table(poseRows(answer, this.run.dimension)), folded("Matrix", matrix), sigmas.length > 0 ? folded("One standard deviation of each motion", table(sigmas)) : ""));
    const weak = answer.weak_directions ?? [];
    if (weak.length > 0) {
      const vector = (v: number[]): string => "(" + v.map((x) => number(x, 2)).join(", ") + ")";
      parts.push(section("Weak directions", h("p", { class: "note" }, "Motions that the data hardly determines; drawn as arrows."), h("ul", { class: "weak" }, ...weak.map((d) => h("li", {}, `shift ${vector(d.translation)} with turn ${vector(d.rotation)}`)))));
    }
    parts.push(section("Evidence", evidence(answer.evidence)));
    this.numbers.replaceChildren(...parts);
    this.drawArrows();
  }

  private alternatives(): HTMLElement {
    const rows = this.answers().map((answer, i) =>
      h(
        "button",
        { type: "button", class: "alternative", "aria-pressed": String(i - 1 === this.chosen), "data-alternative": i - 1, click: () => this.choose(i - 1) },
        h("span", {}, i === 0 ? "Answer" : `Alternative ${i}`),
        h("span", {}, probability(answer.confidence)),
        h("span", { class: "meaning" }, "rmse " + number(answer.rmse, 3)),
      ),
    );
    return section("Answers", h("div", { class: "alternatives" }, ...rows));
  }

  private choose(index: number): void {
    this.chosen = index;
    this.replay.stop();
    this.replay.show(this.replay.last);
    this.moment.show("after");
    this.showNumbers();
    this.recolor();
    this.showPose(fromRows(this.shown().target_from_source));
  }

  private showStep(step: number): void {
    if (this.chosen >= 0) {
      this.chosen = -1;
      this.showNumbers();
    }
    this.moment.show(step === 0 ? "before" : "after");
    for (const plot of this.plots) plot.show(Math.min(this.trace, step) - 1);
    this.recolor();
    this.stage.nudge();
    this.showPose(this.poses[step] ?? identity());
  }

  private showPose(pose: Matrix): void {
    this.source?.place(this.frame, pose);
    this.stage.invalidate();
  }

  /** The residuals that are known at what is shown: of the start, the answer, an alternative; else nothing. */
  private plane(): Plane | null | undefined {
    const planes = this.run.residuals?.planes ?? [];
    if (this.chosen >= 0) return planes.find((plane) => plane.alternative === this.chosen);
    if (this.replay.step === this.replay.last) return null;
    return this.replay.step === 0 ? planes.find((plane) => plane.alternative === -1) : undefined;
  }

  private recolor(): void {
    const target = this.run.result.method === "chamfer" ? "reference" : "target";
    let coloring = this.coloring.value;
    let legend: HTMLElement = cloudLegend(target);
    if (coloring === "distance") {
      const plane = this.plane();
      if (plane === undefined) {
        coloring = "cloud";
        legend.append(h("span", {}, "residuals are known at the start and at the answers"));
      } else {
        this.source?.residualsOf(plane);
        legend = distanceLegend(this.run.residuals?.clip ?? 1, this.inlierDistance(), target);
      }
    }
    if (coloring !== "distance") this.source?.residualsOf(null);
    if (coloring === "height") legend = heightLegend();
    if (coloring === "file") legend = fileLegend();
    this.source?.color(coloring === "file" && !this.source.data.palette ? "cloud" : coloring);
    for (const cloud of this.target) {
      cloud.color(coloring === "distance" || (coloring === "file" && !cloud.data.palette) ? "cloud" : coloring);
    }
    this.legend.replaceChildren(legend);
    this.stage.invalidate();
  }

  private prepareColors(): void {
    this.source?.tint(themeColor("--source"));
    for (const cloud of this.target) cloud.tint(themeColor("--target"));
    this.source?.unknown(themeColor("--target"));
    const { residuals } = this.run;
    if (residuals && this.inlierDistance() > 0) this.source?.distances(distanceRamp(residuals.clip, this.inlierDistance()));
    for (const cloud of [...this.target, ...(this.source ? [this.source] : [])]) cloud.heights(this.up, ...rangeAlong(this.focus.points, this.up.toArray()));
    this.stage.invalidate();
  }

  private drawArrows(): void {
    if (this.arrows) this.stage.overlay.remove(this.arrows);
    this.arrows = null;
    const answer = this.shown();
    if ((answer.weak_directions ?? []).length === 0) return;
    const at = apply(toFrame(this.frame), answer.covariance_center ?? this.frame.center);
    this.arrows = weakArrows(answer.weak_directions ?? [], new Vector3(...at), this.focus.radius, themeColor("--warn"));
    this.stage.overlay.add(this.arrows);
    this.stage.invalidate();
  }

  private resetView(): void {
    const center = this.stage.flat ? new Vector3() : new Vector3(...this.focus.center);
    this.stage.look(center, this.focus.radius, viewDirection(this.up), this.up, this.frame.half);
  }

  private turnUp(): void {
    this.up.copy(nextUp(this.up));
    this.prepareColors();
    this.resetView();
  }

  private keys(): void {
    const answers = this.answers().length;
    bindKeys([
      { key: " ", what: "play the iterations, or pause", act: () => this.replay.toggle() },
      { key: "ArrowLeft", what: "one iteration back", act: () => this.replay.go(this.replay.step - 1) },
      { key: "ArrowRight", what: "one iteration on", act: () => this.replay.go(this.replay.step + 1) },
      { key: "B", what: "before", act: () => this.moment.choose("before") },
      { key: "A", what: "after", act: () => this.moment.choose("after") },
      { key: "C", what: "colour by the next thing", act: () => this.coloring.next() },
      { key: "+", what: "larger points", act: () => this.size.change(0.5) },
      { key: "-", what: "smaller points", act: () => this.size.change(-0.5) },
      ...(answers > 1 ? [{ key: "N", what: "next answer", act: () => this.choose(((this.chosen + 2) % answers) - 1) }] : []),
      { key: "R", what: "the whole drawing in view", act: () => this.resetView() },
      ...(this.stage.flat ? [] : [{ key: "U", what: "another way up", act: () => this.turnUp() }]),
      { key: "T", what: "light or dark", act: toggleTheme },
      { key: "?", what: "this help", act: showHelp },
    ]);
  }

  dispose(): void {
    this.replay.stop();
    this.forget();
    this.stage.dispose();
  }

  /** The clouds as they are at the end, for the table of runs. */
  picture(width: number, height: number): HTMLCanvasElement {
    return this.stage.picture(width, height);
  }
}
