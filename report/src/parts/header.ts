// SPDX-License-Identifier: MIT
// Part of Dovetail.

import { h } from "../dom";
import { showHelp } from "../keys";
import { toggleTheme } from "../theme";
import { plain } from "../text";

/** The line above everything: what this is, and the page's own buttons. */
export function header(title: string, subtitle: string, back: (() => void) | null): HTMLElement {
  return h(
    "header",
    {},
    back && h("button", { type: "button", class: "quiet", "data-testid": "back", click: back }, "← All runs"),
    h("span", { class: "mark" }, "Dovetail"),
    h("h1", { "data-testid": "title" }, plain(title)),
    h("span", { class: "subtitle" }, plain(subtitle)),
    h("span", { class: "space" }),
    h("button", { type: "button", class: "quiet", title: "Light or dark (T)", "data-testid": "theme", click: toggleTheme }, "◐"),
    h("button", { type: "button", class: "quiet", title: "Keyboard (?)", "data-testid": "help", click: showHelp }, "?"),
  );
}
