// SPDX-License-Identifier: MIT
// Part of Dovetail.

import { h } from "../dom";
import { number, plain } from "../text";

/** What a confidence comes from. docs/confidence.md, docs/find.md and docs/pose_find.md have the whole of it. */
const meanings: Record<string, string> = {
  agreement: "points that lie on the other surface, as a share of those with a counterpart",
  contradiction: "points beside the other surface but off it, as a share of all",
  parallel: "mean cosine between the two surfaces' normals where they meet",
  held: "how well agreeing points hold the pose; a plane that slides has 0",
  coarseness: "what cannot be resolved, in radii of the source",
  common: "points that agree, as a share of all",
  from_start: "how far the answer is from the start, in radians or radii",
  start_sigmas: "how far the answer is from a start that is known, in standard deviations",
  moved: "how far ICP moves the pose before it rests; 1 is the limit of what is right",
  score: "mean over the points of 1 − (d / cap)²",
  median: "median distance over the cap",
  over_chance: "how clearly the score beats that of poses spread at random",
  over_slid: "how clearly it beats the answer slid along what the data holds least",
  vagueness: "expected error over the cap",
  seen_through: "points where a sensor looked through, as a share",
  purity: "explained by the scene, as a share of what could be seen",
  support: "explained, as a share of the whole surface",
  roughness: "distance of explained points from the scene's surface, over the tolerance",
  beneath: "share of the surface behind a plane that nothing is behind",
  continued: "scene points in which a surface goes on where the object ends",
  left_over: "scene points close beside the object and not on it",
  viewpoint: "1 where it is known where the sensor stood",
};

/** Of parts in images, where they mean something else or only there. */
const imageMeanings: Record<string, string> = {
  purity: "explained pixels, as a share of explained and contradicted ones",
  visible: "explained pixels, as a share of all that the part would have alone",
  closeness: "how near explained depths are; 1 is exact",
  edges: "outline that lies on edges of the image, as a share",
  continued: "outline beyond which the measured surface simply goes on, as a share",
  seamless: "border where the part is said to be hidden, and the image shows no step",
  crossed: "explained pixels off the part's edges where the image has an edge",
  normals: "mean cosine between the part's normals and the measured ones",
  askew: "share of the normals that are off by more than 30°",
  beneath: "share of what it explains that is floor or wall",
  sunk: "share of its surface that would be behind floor or wall",
  inside: "share of its pixels in the place of a part that is more likely",
  shared: "share of what it explains that more likely parts explain",
  log_pixels: "logarithm of the number of explained pixels",
};

/** A bar for what is a share; what is none has a number alone. */
function bar(value: number): HTMLElement {
  const track = h("div", { class: "bar" });
  const filled = h("div", {});
  filled.style.width = `${100 * Math.min(1, Math.max(0, value))}%`;
  track.append(filled);
  return track;
}

export function evidence(values: Record<string, number | null> | undefined, inImage = false): HTMLElement {
  const list = h("ul", { class: "evidence", "data-testid": "evidence" });
  for (const [name, value] of Object.entries(values ?? {})) {
    list.append(
      h(
        "li",
        {},
        h("span", { class: "evidence-name" }, plain(name.replaceAll("_", " "))),
        h("span", { class: "evidence-value", "data-key": name }, number(value, 3)),
        typeof value === "number" && value >= 0 && value <= 1 ? bar(value) : h("div", {}),
        h("span", { class: "meaning" }, (inImage ? imageMeanings[name] : undefined) ?? meanings[name] ?? ""),
      ),
    );
  }
  if (list.childElementCount === 0) list.append(h("li", { class: "meaning" }, "none was told"));
  return list;
}
