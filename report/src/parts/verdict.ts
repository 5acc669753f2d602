// SPDX-License-Identifier: MIT
// Part of Dovetail.

import { h } from "../dom";
import { likelihood, plain, probability } from "../text";

/** The first thing to read: whether to go on with a result, how likely it is to be right, and why not. */

export interface Judged {
  usable: boolean;
  word: string;
  confidence: number | null | undefined;
  message: string;
  warnings: string[];
  notes: string[];
}

function gauge(confidence: number | null | undefined): HTMLElement {
  const known = typeof confidence === "number";
  const meter = h("div", { class: "gauge", role: "img", "aria-label": `confidence ${probability(confidence)}` });
  const bar = h("div", { class: "gauge-bar" });
  bar.style.width = `${known ? 100 * confidence : 0}%`;
  meter.append(bar, h("div", { class: "gauge-half", title: "one half: as likely right as wrong" }));
  return meter;
}

export function verdict(judged: Judged): HTMLElement {
  const card = h("section", { class: judged.usable ? "verdict usable" : "verdict doubtful", "data-testid": "verdict" });
  card.append(
    h("div", { class: "verdict-word" }, judged.word),
    h(
      "div",
      { class: "verdict-confidence" },
      h("span", { class: "verdict-number", "data-testid": "confidence" }, probability(judged.confidence)),
      h("span", { class: "verdict-likely" }, likelihood(judged.confidence)),
    ),
    gauge(judged.confidence),
  );
  if (judged.message !== judged.word) card.append(h("p", { class: "message", "data-testid": "message" }, plain(judged.message)));
  for (const warning of judged.warnings) card.append(h("p", { class: "warning" }, plain(warning)));
  for (const note of judged.notes) card.append(h("p", { class: "note" }, plain(note)));
  return card;
}
