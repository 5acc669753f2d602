// SPDX-License-Identifier: MIT
// Part of Dovetail.

import { h } from "../dom";

/** Numbers with what they mean, which a touch or the mouse shows. */

export interface Row {
  key: string;
  name: string;
  value: string;
  meaning?: string;
}

export function table(rows: Row[]): HTMLElement {
  const list = h("dl", { class: "numbers" });
  for (const row of rows) {
    const name = h("dt", { title: row.meaning }, row.name);
    const value = h("dd", { "data-key": row.key }, row.value);
    list.append(name, value);
    if (row.meaning) list.append(h("dd", { class: "meaning" }, row.meaning));
  }
  return list;
}

/** Options or other values as they are, folded away. */
export function folded(title: string, ...children: (Node | string)[]): HTMLElement {
  return h("details", {}, h("summary", {}, title), ...children);
}
