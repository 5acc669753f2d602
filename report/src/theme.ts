// SPDX-License-Identifier: MIT
// Part of Dovetail.

/** Light or dark: as the system has it, until somebody chooses. */

type Listener = () => void;
const listeners: Listener[] = [];
const system = matchMedia("(prefers-color-scheme: dark)");

let chosen = false;

function apply(dark: boolean): void {
  document.documentElement.dataset["theme"] = dark ? "dark" : "light";
  for (const listener of listeners) listener();
}

export function toggleTheme(): void {
  chosen = true;
  apply(document.documentElement.dataset["theme"] !== "dark");
}

/** Calls the listener when the colours change; the function returned ends that. */
export function onTheme(listener: Listener): () => void {
  listeners.push(listener);
  return () => void listeners.splice(listeners.indexOf(listener), 1);
}

system.addEventListener("change", () => {
  if (!chosen) apply(system.matches);
});
apply(system.matches);

/** A colour of the style sheet, as red, green, blue from 0 to 1. */
export function themeColor(name: string): [number, number, number] {
  const text = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const digits = /^#([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(text)?.[1] ?? "808080";
  const hex = digits.length === 3 ? digits.replace(/./g, "$&$&") : digits; // style sheets may be written short
  const channel = (at: number): number => parseInt(hex.slice(at, at + 2), 16) / 255;
  return [channel(0), channel(2), channel(4)];
}
