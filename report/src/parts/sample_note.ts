// SPDX-License-Identifier: MIT
// Part of Dovetail.

import type { CloudData } from "../data";
import { count } from "../text";

/** What of a cloud is on the page, in words. */
export function sampleNote(cloud: CloudData, name: string): string {
  const parts: string[] = [];
  const shown = cloud.points.count;
  const could = cloud.usable - cloud.far_out;
  if (cloud.lines) parts.push(`${name}: ${count(cloud.lines.count / 2)} pieces of lines`);
  else if (cloud.sampled) parts.push(`${name}: ${count(shown)} points on its surface`);
  else if (shown < could) parts.push(`${name}: a random ${count(shown)} of ${count(could)} points`);
  else parts.push(`${name}: all ${count(shown)} points`);
  if (!cloud.sampled && cloud.total > cloud.usable) parts.push(`${count(cloud.total - cloud.usable)} invalid ones left out`);
  if (cloud.far_out > 0) parts.push(`${count(cloud.far_out)} far out not drawn`);
  return parts.join(", ");
}
