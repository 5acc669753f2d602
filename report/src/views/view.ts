// SPDX-License-Identifier: MIT
// Part of Dovetail.

/** What a run is shown by: a drawing, a panel beside it. A new kind of run is a new file with one of these. */
export interface View {
  readonly main: HTMLElement;
  readonly panel: HTMLElement;
  readonly subtitle: string;
  picture(width: number, height: number): HTMLCanvasElement;
  dispose(): void;
}
