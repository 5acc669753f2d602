// SPDX-License-Identifier: MIT
// Part of Dovetail.

import type { PoseScores, ScoresRun, Threshold } from "../data";
import { h, section } from "../dom";
import { bindKeys, showHelp } from "../keys";
import { recallPlot } from "../parts/recall";
import { count, number, percent, plain } from "../text";
import { toggleTheme } from "../theme";
import type { View } from "./view";

function tile(key: string, name: string, value: string, meaning: string): HTMLElement {
  return h("div", { class: "tile" }, h("div", { class: "tile-value", "data-key": key }, value), h("div", { class: "tile-name" }, name), h("div", { class: "meaning" }, meaning));
}

function share(value: number | null | undefined): HTMLElement {
  const bar = h("div", {});
  bar.style.width = `${100 * Math.min(1, Math.max(0, value ?? 0))}%`;
  return h("td", { class: "numeric" }, h("span", { class: "share" }, bar), percent(value));
}

/** What estimated poses are worth: averages, the scores behind them over their thresholds, and object by object. */
export class ScoresView implements View {
  readonly main = h("div", { class: "scores" });
  readonly panel = h("div", { class: "panel" });
  readonly subtitle = "Scores of poses";

  constructor(private readonly run: ScoresRun) {
    const { result } = run;
    this.main.append(this.tiles(), this.curves(result), this.objects());
    const seconds = result.seconds_per_image;
    this.panel.append(
      h("section", { class: "verdict usable", "data-testid": "verdict" }, h("div", { class: "verdict-word" }, this.headline()), h("p", { class: "message", "data-testid": "message" }, this.sentence())),
      section("Data", h("p", { class: "note" }, `results: ${plain(result.results ?? "–")}`), h("p", { class: "note" }, `data set: ${plain(result.dataset ?? "–")}`), h("p", { class: "note" }, `${count(result.images)} images, ${count(result.estimates)} estimates${result.estimates_elsewhere ? `, ${count(result.estimates_elsewhere)} of them in images that are no targets` : ""}`), typeof seconds === "number" && h("p", { class: "note" }, `${number(seconds, 3)} s per image`)),
    );
    for (const note of [...run.notes, ...(result.notes ?? [])]) this.panel.append(h("p", { class: "note" }, plain(note)));
    bindKeys([
      { key: "T", what: "light or dark", act: toggleTheme },
      { key: "?", what: "this help", act: showHelp },
    ]);
    if (performance.getEntriesByName("first-picture").length === 0) performance.mark("first-picture");
  }

  private headline(): string {
    const { bop19, bop24, bulk } = this.run.result;
    if (typeof bop19 === "number") return `${percent(bop19)} AR`;
    if (typeof bop24 === "number") return `${percent(bop24)} AP`;
    return typeof bulk?.recall === "number" ? `${percent(bulk.recall)} recall` : "Scores";
  }

  private sentence(): string {
    const { bulk } = this.run.result;
    if (!bulk) return "";
    return `${count(bulk.right)} of ${count(bulk.truths)} parts that have to be found are found, and ${count(bulk.right)} of ${count(bulk.estimates)} estimates are right.`;
  }

  private tiles(): HTMLElement {
    const { result } = this.run;
    return h(
      "div",
      { class: "tiles" },
      tile("bop19", "BOP19", percent(result.bop19), "average recall of VSD, MSSD and MSPD: objects to be localised"),
      tile("bop24", "BOP24", percent(result.bop24), "mean average precision of MSSD and MSPD: objects to be detected"),
      tile("bulk.recall", "Recall", percent(result.bulk?.recall), "parts in bulk that are hidden by less than a half"),
      tile("bulk.precision", "Precision", percent(result.bulk?.precision), "of the estimates that count there"),
      tile("bulk.average_precision", "Average precision", percent(result.bulk?.average_precision), "over all confidences, parts in bulk"),
    );
  }

  private curves(scores: PoseScores): HTMLElement {
    const box = h("div", { class: "recalls" });
    const add = (key: string, title: string, meaning: string, t: Threshold | null | undefined): void => {
      if (t?.thresholds?.length && t.scores?.length === t.thresholds.length) box.append(recallPlot(key, title, meaning, t.thresholds, t.scores));
    };
    add("mssd", "MSSD recall", "largest distance of a vertex, in diameters", scores.localisation?.mssd);
    add("mspd", "MSPD recall", "the same in the image, in pixels of one 640 wide", scores.localisation?.mspd);
    add("ap_mssd", "MSSD precision", "average precision, in diameters", scores.detection?.ap_mssd);
    add("ap_mspd", "MSPD precision", "average precision, in pixels", scores.detection?.ap_mspd);
    return box;
  }

  private objects(): HTMLElement {
    const head = ["Object", "Targets", "AR", "VSD", "MSSD", "MSPD", "ADD(-S)", "Recall", "Precision"];
    const body = h("tbody", {});
    for (const object of this.run.result.objects ?? []) {
      const { localisation, bulk } = object;
      body.append(
        h("tr", { "data-object": object.id ?? "" }, h("td", {}, count(object.id)), h("td", { class: "numeric" }, count(localisation?.targets)), share(localisation?.ar), share(localisation?.vsd?.mean), share(localisation?.mssd?.mean), share(localisation?.mspd?.mean), share(localisation?.adi_recall), share(bulk?.recall), share(bulk?.precision)),
      );
    }
    return h("table", { class: "runs", "data-testid": "objects" }, h("thead", {}, h("tr", {}, ...head.map((title, i) => h("th", { class: i > 0 ? "numeric" : undefined }, title)))), body);
  }

  /** The headline, drawn: there are no points. */
  picture(width: number, height: number): HTMLCanvasElement {
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = height;
    const brush = canvas.getContext("2d");
    if (!brush) return canvas;
    const style = getComputedStyle(document.documentElement);
    brush.fillStyle = style.getPropertyValue("--stage").trim();
    brush.fillRect(0, 0, width, height);
    brush.fillStyle = style.getPropertyValue("--accent").trim();
    brush.font = `600 ${Math.round(height / 5)}px system-ui, sans-serif`;
    brush.textAlign = "center";
    brush.textBaseline = "middle";
    brush.fillText(this.headline(), width / 2, height / 2);
    return canvas;
  }

  dispose(): void {
    // Nothing is held.
  }
}
