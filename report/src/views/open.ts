// SPDX-License-Identifier: MIT
// Part of Dovetail.

import type { Loaded, Run } from "../data";
import { FoundView } from "./found";
import { RegistrationView } from "./registration";
import type { View } from "./view";

/** The view that shows a run of this kind. */
export function openRun(loaded: Loaded, run: Run): View {
  return run.kind === "found" ? new FoundView(loaded, run) : new RegistrationView(loaded, run);
}
