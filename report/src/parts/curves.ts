// SPDX-License-Identifier: MIT
// Part of Dovetail.

import type { RegistrationRun, TraceRow } from "../data";
import { distanceBetween, fromRows } from "../poses";
import type { Curve } from "./plot";

/** What there is to plot of a trace: the columns it has, and how far each iteration moved the source. */
export function curvesOf(run: RegistrationRun): Curve[] {
  const trace = run.result.trace ?? [];
  const column = (key: keyof TraceRow): (number | null)[] =>
    trace.map((row) => (typeof row[key] === "number" && Number.isFinite(row[key]) ? (row[key] as number) : null));
  const source = run.clouds.find((cloud) => cloud.role === "source");
  const low = source?.low ?? [0, 0, 0];
  const size = source?.size ?? [1, 1, 1];
  const poses = trace.map((row) => fromRows(row.target_from_source));
  const steps = poses.map((pose, i) => distanceBetween(pose, i > 0 ? poses[i - 1]! : fromRows(run.before), low, size));
  const curves: Curve[] = [
    { key: "rmse", title: "error", meaning: "rmse: root mean square distance of the pairs used", values: column("rmse"), mayBeLogarithmic: true },
    { key: "used_ratio", title: "pairs used", meaning: "as a share of the level's source points", values: column("used_ratio"), mayBeLogarithmic: false },
    { key: "sigma", title: "sigma", meaning: "how wide the weights were, a length", values: column("sigma"), mayBeLogarithmic: true },
    { key: "objective", title: "objective", meaning: "what a better pose makes smaller at the same sigma, a squared length", values: column("objective"), mayBeLogarithmic: true },
    { key: "max_distance", title: "reach", meaning: "pairs farther apart were not used", values: column("max_distance"), mayBeLogarithmic: true },
    { key: "step", title: "step", meaning: "how far the iteration moved the corners of the source's box, in the root mean square", values: steps.map((v) => (Number.isFinite(v) ? v : null)), mayBeLogarithmic: true },
  ];
  return curves.filter((curve) => curve.values.filter((v) => v !== null).length > 1);
}
