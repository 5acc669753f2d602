// SPDX-License-Identifier: MIT
// Part of Dovetail.

import type { Loaded, Run } from "../data";
import { FoundView } from "./found";
import { RegistrationView } from "./registration";
import { ScoresView } from "./scores";
import { SymmetryView } from "./symmetry";
import type { View } from "./view";

/** The view that shows a run of this kind. */
export function openRun(loaded: Loaded, run: Run): View {
  switch (run.kind) {
    case "registration":
      return new RegistrationView(loaded, run);
    case "symmetry":
      return new SymmetryView(loaded, run);
    case "scores":
      return new ScoresView(run);
    default:
      return new FoundView(loaded, run);
  }
}
