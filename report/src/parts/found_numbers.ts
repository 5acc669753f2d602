// SPDX-License-Identifier: MIT
// Part of Dovetail.

import type { FoundObject, FoundRun, ImageRun } from "../data";
import { h, section } from "../dom";
import { fromRows, parts } from "../poses";
import { count, fileName, milliseconds, number, percent, plain, probability } from "../text";
import { evidence } from "./evidence";
import { sampleNote } from "./sample_note";
import { folded, type Row, table } from "./table";
import { verdict } from "./verdict";

/** What the panel says of a search, or of an image whose parts are known. */

/** The first thing to read. */
export function foundVerdict(run: FoundRun | ImageRun): HTMLElement {
  const { result } = run;
  const found = result.objects.length;
  if (run.kind === "image") {
    const card = h("section", { class: "verdict usable", "data-testid": "verdict" }, h("div", { class: "verdict-word" }, `${found} ${found === 1 ? "part" : "parts"}`));
    card.append(h("p", { class: "message", "data-testid": "message" }, plain(result.message ?? "")));
    for (const note of run.notes) card.append(h("p", { class: "note" }, plain(note)));
    return card;
  }
  return verdict({
    usable: found > 0,
    word: found > 0 ? `${found} found` : "Nothing found",
    confidence: (result.objects[0] ?? result.doubtful[0])?.confidence,
    message: result.message ?? "",
    warnings: [...(result.warnings ?? []), ...(result.stopped ? ["The search was stopped: this is what was found so far."] : [])],
    notes: run.notes,
  });
}

/** What is drawn of how much, and how it was come by. */
export function foundRun(run: FoundRun | ImageRun): HTMLElement[] {
  const { result, image } = run;
  const names = result.object_files?.map((file) => plain(fileName(file))) ?? [];
  let object = 0;
  const notes = run.clouds.map((cloud) => {
    const name = cloud.role === "scene" ? "scene" : run.clouds.length - 1 === names.length ? (names[object] ?? "object") : (plain(result.objects.find((o) => o.object_index === object)?.object ?? "") || "object");
    if (cloud.role !== "scene") ++object;
    return h("p", { class: "note" }, sampleNote(cloud, name));
  });
  if (image) {
    const reduced = image.width < image.of_width ? ` of ${count(image.of_width)} × ${count(image.of_height)}` : "";
    notes.unshift(h("p", { class: "note" }, `image: ${count(image.width)} × ${count(image.height)}${reduced} pixels, ${count(image.measured)} with a depth, ${number(image.low)} to ${number(image.high)} mm away`));
  }
  const shown = section("Shown", ...notes);
  if (run.kind === "image") return [shown];
  const time = result.time_ms ?? {};
  return [
    shown,
    section("Run", table([
      { key: "scene_points", name: image ? "pixels with a depth" : "scene points", value: count(result.scene_points), meaning: "that were looked at" },
      { key: "time_ms.total", name: "time", value: milliseconds(time["total"]), meaning: `read ${milliseconds(time["read"])}, prepare ${milliseconds(time["prepare"])}, search ${milliseconds(time["search"])}` },
      { key: "machine", name: "machine", value: plain(result.machine ?? "–"), meaning: plain(result.build ?? "") },
    ])),
  ];
}

/** What the image says of a part, and which other poses it allows. */
function inImage(object: FoundObject, pixels: NonNullable<FoundObject["pixels"]>): Row[] {
  const covered = (object.covered_by ?? []).map((index) => index + 1).join(", ");
  const rivals = (object.rivals ?? []).map((rival) => `${plain(rival.object)} ${percent(rival.share, 0)}`).join(", ");
  const hidden = covered ? `hidden by number ${covered} of the list` : "another part hides some of it";
  return [
    { key: "on_top", name: "on top", value: object.on_top ? "yes" : "no", meaning: object.on_top ? "no other found part hides any of it" : hidden },
    { key: "pixels", name: "pixels", value: count(pixels.all), meaning: `${count(pixels.hidden)} hidden, ${count(pixels.contradicted)} contradicted, ${count(pixels.unknown)} unknown` },
    { key: "rivals", name: "rivals", value: count(object.rivals?.length ?? 0), meaning: rivals ? `other poses, and what they explain of the same: ${rivals}` : "no other pose explains much of the same" },
  ];
}

/** The numbers of one object. */
export function objectNumbers(object: FoundObject, kind: "found" | "image"): HTMLElement[] {
  const pose = parts(fromRows(object.scene_from_object), 3);
  const vector = (v: number[]): string => "(" + v.map((x) => number(x, 5)).join(", ") + ")";
  const place: Row[] = [
    { key: "rotation", name: "rotation", value: number(pose.angle, 6) + "°", meaning: "about " + vector(pose.axis) },
    { key: "translation", name: "translation", value: vector(pose.translation) },
  ];
  const matrix = h("pre", { class: "matrix" }, object.scene_from_object.map((row) => row.join("  ")).join("\n"));
  const title = plain(object.object ?? "object");
  if (kind === "image") {
    const visible = { key: "visible_ratio", name: "visible", value: percent(object.visible_ratio), meaning: "share of its pixels that nothing hides" };
    return [section(title, table([visible, ...place]), folded("Matrix, camera from object", matrix))];
  }
  const { pixels } = object;
  const rows: Row[] = [
    { key: "visible_ratio", name: "visible", value: percent(object.visible_ratio), meaning: pixels ? "share of its pixels that the image shows" : "share of its surface that the scene shows" },
    { key: "support", name: "support", value: count(object.support), meaning: pixels ? "pixels that it explains" : "scene points that it alone explains" },
    ...(pixels ? inImage(object, pixels) : []),
    { key: "rmse", name: "rmse", value: number(object.rmse), meaning: "root mean square distance of the inliers" },
    { key: "inlier_ratio", name: "inliers", value: percent(object.inlier_ratio), meaning: `within ${number(object.inlier_distance)} of the scene` },
    { key: "margin", name: "margin", value: probability(object.margin), meaning: "how clearly it beats the best other pose" },
    { key: "expected_error", name: "expected error", value: number(object.expected_error, 3) },
    ...place,
  ];
  return [section(title, table(rows), folded("Matrix, scene from object", matrix)), section("Evidence", evidence(object.evidence, pixels !== undefined))];
}
