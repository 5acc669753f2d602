// SPDX-License-Identifier: MIT
// Part of Dovetail.

import type { Answer } from "../data";
import { fromRows, parts } from "../poses";
import { count, methodName, milliseconds, number, percent, plain, probability } from "../text";
import type { Row } from "./table";

/** The numbers of a result, as docs/registration_json.md tells them. */

const terminations: Record<string, string> = {
  converged: "converged: the pose stopped moving",
  schedule_finished: "the method's schedule came to its end",
  max_iterations: "the iterations ran out while the pose still moved",
  time_limit: "the time ran out",
  no_correspondences: "no source point has a target point near enough",
  degenerate: "the data does not determine the transform",
  stopped_by_callback: "it was asked to stop",
  not_run: "nothing was run",
};

export function qualityRows(a: Answer): Row[] {
  return [
    { key: "rmse", name: "rmse", value: number(a.rmse), meaning: "root mean square distance of the inliers" },
    { key: "inlier_ratio", name: "inliers", value: percent(a.inlier_ratio), meaning: `source points within ${number(a.inlier_distance)} of the target` },
    { key: "overlap", name: "overlap", value: percent(a.overlap), meaning: "source points with a target point within three target spacings" },
    { key: "expected_error", name: "expected error", value: number(a.expected_error, 3), meaning: "how far source points are likely to be from where they belong, if this is the right place" },
    { key: "score", name: "score", value: number(a.score, 3), meaning: "how well the surfaces agree, 0 to 1" },
    { key: "margin", name: "margin", value: probability(a.margin), meaning: "how clearly the answer beats the next different one, 0 to 1" },
  ];
}

export function poseRows(a: Answer, dimension: number): Row[] {
  const pose = parts(fromRows(a.target_from_source), dimension);
  const vector = (v: number[]): string => "(" + v.slice(0, dimension).map((x) => number(x, 5)).join(", ") + ")";
  const rows: Row[] = [
    { key: "rotation", name: "rotation", value: number(pose.angle, 6) + "°", meaning: dimension === 3 ? "about " + vector(pose.axis) : undefined },
    { key: "translation", name: "translation", value: vector(pose.translation) },
  ];
  if (!(a.model ?? "rigid").startsWith("rigid")) rows.push({ key: "scale", name: "scale", value: number(pose.scale, 8) });
  return rows;
}

export function runRows(a: Answer): Row[] {
  const points = a.points ?? {};
  const time = a.time_ms ?? {};
  const rows: Row[] = [
    { key: "method", name: "method", value: methodName(a.method), meaning: a.finished_by ? "finished by " + plain(a.finished_by) : undefined },
    { key: "termination", name: "ended", value: a.iterations ? `after ${count(a.iterations)} iterations` : "–", meaning: terminations[a.termination ?? ""] ?? plain(a.termination ?? "") },
    { key: "points.source", name: "source points", value: count(points["source"]) },
    { key: "points.target", name: "target points", value: count(points["target"]) },
    { key: "time_ms.total", name: "time", value: milliseconds(time["total"]), meaning: `read ${milliseconds(time["read"])}, prepare ${milliseconds(time["prepare"])}, loop ${milliseconds(time["loop"])}` },
    { key: "machine", name: "machine", value: plain(a.machine ?? "–"), meaning: plain(a.build ?? "") },
  ];
  const dropped = (points["dropped_non_finite"] ?? 0) + (points["dropped_at_origin"] ?? 0);
  if (dropped > 0) rows.splice(4, 0, { key: "dropped", name: "left out", value: count(dropped), meaning: `${count(points["dropped_non_finite"])} not finite, ${count(points["dropped_at_origin"])} marks at the origin` });
  return rows;
}

/** One standard deviation of each motion that the covariance knows. */
export function sigmaRows(a: Answer, dimension: number): Row[] {
  if (!a.covariance) return [];
  const names = dimension === 2
    ? ["rotation", "x", "y", "log scale", "stretch xx", "stretch xy", "perspective x", "perspective y"]
    : ["rotation about x", "rotation about y", "rotation about z", "x", "y", "z", "log scale", "stretch xx", "stretch yy", "stretch xy", "stretch xz", "stretch yz"];
  return a.covariance.map((row, i) => {
    const sigma = Math.sqrt(Math.max(0, row[i] ?? NaN));
    const turn = i < (dimension === 2 ? 1 : 3);
    return { key: "sigma." + i, name: names[i] ?? String(i), value: turn ? number((sigma * 180) / Math.PI, 3) + "°" : number(sigma, 3) };
  });
}
