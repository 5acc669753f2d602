// SPDX-License-Identifier: MIT
// Part of Dovetail.

import { h } from "../dom";

/** A slider over the poses of a run, and a button that plays them. */
export class Replay {
  readonly element: HTMLElement;
  private readonly slider: HTMLInputElement;
  private readonly button: HTMLButtonElement;
  private readonly label: HTMLElement;
  private timer = 0;

  constructor(
    private readonly labels: string[],
    private readonly changed: (step: number) => void,
  ) {
    const last = labels.length - 1;
    this.slider = h("input", {
      type: "range",
      min: 0,
      max: last,
      step: 1,
      value: last,
      "aria-label": "Iteration",
      "data-testid": "replay-slider",
      input: () => this.go(Number(this.slider.value)),
    });
    this.button = h("button", { type: "button", class: "play", "data-testid": "play", click: () => this.toggle() });
    this.label = h("span", { class: "replay-label", "data-testid": "replay-label" });
    this.element = h("div", { class: "replay" }, this.button, this.slider, this.label);
    this.show(last);
    this.playing(false);
  }

  get step(): number {
    return Number(this.slider.value);
  }
  get last(): number {
    return this.labels.length - 1;
  }

  /** Shows a step without telling anyone. */
  show(step: number): void {
    this.slider.value = String(step);
    this.label.textContent = this.labels[this.step] ?? "";
  }

  go(step: number): void {
    this.stop();
    this.move(step);
  }

  toggle(): void {
    if (this.timer) return this.stop();
    if (this.step >= this.last) this.move(0);
    this.playing(true);
    // About five seconds for all of it, but no step so short that it is not seen.
    const wait = Math.min(250, Math.max(30, 5000 / Math.max(1, this.last)));
    this.timer = window.setInterval(() => {
      this.move(this.step + 1);
      if (this.step >= this.last) this.stop();
    }, wait);
  }

  stop(): void {
    window.clearInterval(this.timer);
    this.timer = 0;
    this.playing(false);
  }

  private move(step: number): void {
    this.show(Math.min(this.last, Math.max(0, step)));
    this.changed(this.step);
  }

  private playing(yes: boolean): void {
    this.button.textContent = yes ? "❚❚" : "▶";
    this.button.setAttribute("aria-label", yes ? "Pause" : "Play the iterations");
    this.button.title = yes ? "Pause (space)" : "Play the iterations (space)";
  }
}
