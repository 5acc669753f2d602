// SPDX-License-Identifier: MIT
// Part of Dovetail.

import { h } from "./dom";

/** What the keyboard does, and a page that says so. */

export interface Key {
  key: string;
  what: string;
  act: () => void;
}

let bound: Key[] = [];
let dialog: HTMLDialogElement | null = null;

/** The keys of the view that is shown, in place of those of the last one. */
export function bindKeys(keys: Key[]): void {
  bound = keys;
}

const names: Record<string, string> = { " ": "space", ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" };

function row(key: string, what: string): HTMLElement {
  return h("tr", {}, h("td", {}, h("kbd", {}, key)), h("td", {}, what));
}

export function showHelp(): void {
  dialog?.remove();
  const table = h("table", { class: "keys" });
  for (const { key, what } of bound) table.append(row(names[key] ?? key, what));
  table.append(row("drag", "turn, or move in the plane"), row("right drag", "move"), row("wheel", "closer, farther"));
  dialog = h("dialog", { "aria-label": "Keyboard" }, h("h2", {}, "Keyboard and mouse"), table);
  const close = h("button", { type: "button", click: () => dialog?.close() }, "Close");
  dialog.append(h("div", { class: "dialog-foot" }, close));
  document.body.append(dialog);
  dialog.showModal();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || dialog?.open) return;
  const target = event.target as HTMLElement;
  const typing = target.tagName === "INPUT" && (event.key.startsWith("Arrow") || event.key === " ");
  if (typing || (target.tagName === "BUTTON" && event.key === " ") || target.tagName === "SUMMARY") return;
  const key = bound.find((k) => k.key.toLowerCase() === event.key.toLowerCase());
  if (!key) return;
  event.preventDefault();
  key.act();
});
