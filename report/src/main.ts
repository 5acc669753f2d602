// SPDX-License-Identifier: MIT
// Part of Dovetail.

import "./style.css";
import { load } from "./data";
import { h } from "./dom";
import { header } from "./parts/header";
import { plain } from "./text";
import { onTheme } from "./theme";
import { CompareView } from "./views/compare";
import { openRun } from "./views/open";
import type { View } from "./views/view";

const app = document.getElementById("app")!;

function fail(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  app.replaceChildren(h("main", { class: "failure", "data-testid": "failure" }, h("h1", {}, "This report cannot be shown"), h("p", {}, plain(text))));
}

function start(): void {
  const loaded = load(document);
  const { runs, version } = loaded.data;
  let shown: View | null = null;
  let forget = (): void => undefined;
  const close = (): void => {
    shown?.dispose();
    shown = null;
    forget();
    forget = () => undefined;
  };

  const showAll = (): void => {
    close();
    document.title = "Dovetail report";
    const table = new CompareView(loaded, show);
    app.replaceChildren(header(`${runs.length} runs`, "version " + version, null), table.element);
    table.keys();
    void table.drawPictures().catch(fail);
    forget = onTheme(() => void table.redrawPictures().catch(fail));
  };
  const show = (index: number): void => {
    const run = runs[index];
    if (!run) return;
    close();
    document.title = plain(run.name) + " – Dovetail";
    const content = h("main", { class: "run" });
    const view = openRun(loaded, run);
    shown = view;
    content.append(view.main, view.panel);
    app.replaceChildren(header(run.name, view.subtitle, runs.length > 1 ? showAll : null), content);
  };

  if (runs.length === 0) throw new Error("it holds no runs");
  runs.length === 1 ? show(0) : showAll();
}

try {
  start();
} catch (error) {
  fail(error);
}
