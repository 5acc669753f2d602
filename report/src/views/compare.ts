// SPDX-License-Identifier: MIT
// Part of Dovetail.

import type { Loaded, Run } from "../data";
import { h } from "../dom";
import { bindKeys, showHelp } from "../keys";
import { methodName, milliseconds, number, percent, plain, probability } from "../text";
import { toggleTheme } from "../theme";
import { openRun } from "./open";

/** Several runs as a table: what failed and what is doubtful first. Each can be opened. */

interface Line {
  run: Run;
  index: number;
  usable: boolean;
  confidence: number | null;
  method: string;
  rmse: number | null;
  inliers: number | null;
  overlap: number | null;
  time: number | null;
  message: string;
  /** What is told in place of usable or not, of what is no answer. */
  pill: string;
}

function lineOf(run: Run, index: number): Line {
  const value = (v: number | null | undefined): number | null => (typeof v === "number" ? v : null);
  const none = { run, index, usable: true, confidence: null, rmse: null, inliers: null, overlap: null, time: null, pill: "" };
  if (run.kind === "symmetry") return { ...none, method: "symmetry", message: run.result.description ?? "", pill: run.result.group ?? "" };
  if (run.kind === "scores") return { ...none, method: "scores", message: `${run.result.estimates ?? "–"} estimates`, pill: percent(run.result.bop19 ?? run.result.bop24 ?? run.result.bulk?.recall) };
  if (run.kind === "image") return { ...none, method: "image", message: run.result.message ?? "", pill: `${run.result.objects.length} parts` };
  const base = { run, index, message: run.result.message ?? "", time: value(run.result.time_ms?.["total"]), pill: "" };
  if (run.kind === "found") {
    const best = run.result.objects[0] ?? run.result.doubtful[0];
    return { ...base, usable: run.result.objects.length > 0, confidence: value(best?.confidence), method: "find", rmse: value(best?.rmse), inliers: value(best?.inlier_ratio), overlap: value(best?.visible_ratio) };
  }
  const { result } = run;
  return { ...base, usable: result.usable === true, confidence: value(result.confidence), method: methodName(result.method), rmse: value(result.rmse), inliers: value(result.inlier_ratio), overlap: value(result.overlap) };
}

type Key = "usable" | "name" | "method" | "confidence" | "rmse" | "inliers" | "overlap" | "time";

const columns: { key: Key; title: string; numeric: boolean }[] = [
  { key: "name", title: "Run", numeric: false },
  { key: "usable", title: "Result", numeric: false },
  { key: "confidence", title: "Confidence", numeric: true },
  { key: "method", title: "Method", numeric: false },
  { key: "rmse", title: "rmse", numeric: true },
  { key: "inliers", title: "Inliers", numeric: true },
  { key: "overlap", title: "Overlap", numeric: true },
  { key: "time", title: "Time", numeric: true },
];

/** What to look at first: not usable, then the least likely. */
function worry(line: Line): number {
  if (line.pill !== "") return 3;
  return (line.usable ? 1 : 0) + (line.confidence ?? -1) / 2;
}

function compare(key: Key, a: Line, b: Line): number {
  if (key === "usable") return worry(a) - worry(b);
  if (key === "name") return a.run.name.localeCompare(b.run.name, "en", { numeric: true });
  if (key === "method") return a.method.localeCompare(b.method, "en");
  return (a[key] ?? -Infinity) - (b[key] ?? -Infinity);
}

export class CompareView {
  readonly element = h("main", { class: "compare" });
  private readonly lines: Line[];
  private readonly pictures = new Map<number, HTMLCanvasElement>();
  private readonly body = h("tbody", {});
  private readonly heads = new Map<Key, HTMLElement>();
  private round = 0; // of drawing pictures: a new one ends the one before
  private sorted: { key: Key; down: boolean } = { key: "usable", down: false };

  constructor(
    private readonly loaded: Loaded,
    private readonly open: (index: number) => void,
  ) {
    this.lines = loaded.data.runs.map(lineOf);
    const answers = this.lines.filter((line) => line.pill === "");
    const usable = answers.filter((line) => line.usable).length;
    const row = h("tr", {}, h("th", { "aria-label": "Picture" }));
    for (const column of columns) {
      const button = h("button", { type: "button", "data-sort": column.key, click: () => this.sort(column.key) }, column.title);
      const head = h("th", { class: column.numeric ? "numeric" : undefined }, button);
      this.heads.set(column.key, head);
      row.append(head);
    }
    this.element.append(
      answers.length > 0
        ? h("p", { class: "compare-sum", "data-testid": "summary" }, h("strong", {}, `${usable} of ${answers.length}`), " runs are usable")
        : h("p", { class: "compare-sum", "data-testid": "summary" }, h("strong", {}, String(this.lines.length)), " runs"),
      h("table", { class: "runs", "data-testid": "runs" }, h("thead", {}, row), this.body),
    );
    this.fill();
  }

  /** Draws a small picture of each run, one after another, so that the page is there before they are. */
  async drawPictures(): Promise<void> {
    const round = ++this.round;
    const workshop = h("div", { class: "workshop" });
    document.body.append(workshop);
    for (const line of this.lines) {
      if (this.pictures.has(line.index)) continue;
      await new Promise((done) => setTimeout(done));
      if (!this.element.isConnected || round !== this.round) break;
      const view = openRun(this.loaded, line.run);
      workshop.replaceChildren(view.main);
      const picture = view.picture(240, 150);
      this.pictures.set(line.index, picture);
      this.element.querySelector(`[data-picture="${line.index}"]`)?.replaceChildren(picture);
      view.dispose();
    }
    workshop.remove();
    if (this.element.isConnected && round === this.round) this.keys();
  }

  /** The same in other colours. */
  redrawPictures(): Promise<void> {
    this.pictures.clear();
    return this.drawPictures();
  }

  private sort(key: Key): void {
    this.sorted = { key, down: this.sorted.key === key ? !this.sorted.down : false };
    this.fill();
  }

  private fill(): void {
    const { key, down } = this.sorted;
    for (const [name, head] of this.heads) head.setAttribute("aria-sort", name === key ? (down ? "descending" : "ascending") : "none");
    const lines = [...this.lines].sort((a, b) => (down ? -1 : 1) * compare(key, a, b) || a.index - b.index);
    this.body.replaceChildren(...lines.map((line) => this.row(line)));
  }

  private row(line: Line): HTMLElement {
    const picture = h("td", { class: "picture", "data-picture": line.index });
    const drawn = this.pictures.get(line.index);
    if (drawn) picture.append(drawn);
    const doubtful = line.pill === "" && line.usable && (line.confidence ?? 0) < 0.8;
    const name = h("button", { type: "button", class: "run-name", "data-run": line.index }, plain(line.run.name));
    return h(
      "tr",
      { class: line.usable ? (doubtful ? "doubtful" : "") : "failed", click: () => this.open(line.index) },
      picture,
      h("td", {}, name, h("div", { class: "meaning" }, plain(line.message))),
      h("td", {}, h("span", { class: "pill" }, line.pill !== "" ? plain(line.pill) : line.usable ? (doubtful ? "Usable, in doubt" : "Usable") : line.run.kind === "found" ? "Nothing found" : "Not usable")),
      h("td", { class: "numeric" }, probability(line.confidence)),
      h("td", {}, line.method),
      h("td", { class: "numeric" }, number(line.rmse)),
      h("td", { class: "numeric" }, percent(line.inliers)),
      h("td", { class: "numeric" }, percent(line.overlap)),
      h("td", { class: "numeric" }, milliseconds(line.time)),
    );
  }

  keys(): void {
    bindKeys([
      { key: "T", what: "light or dark", act: toggleTheme },
      { key: "?", what: "this help", act: showHelp },
    ]);
  }
}
