// SPDX-License-Identifier: MIT
// Part of Dovetail.

// The pictures of docs/report.md, made from reports in a folder:
//   node docs/images/make_report_images.mjs FOLDER
// with registration.html, weak.html, map.html, found.html and runs.html. Pictures are then reduced to 256 colours.
import { join } from "node:path";
import { drawn, launch, open } from "../../report/tests/browser.mjs";

const folder = process.argv[2] ?? ".";
/** @type {{ name: string; colorScheme?: "light" | "dark"; prepare?: (page: import("playwright-core").Page) => Promise<void> }[]} */
const pictures = [
  { name: "registration" },
  { name: "weak", colorScheme: "dark" },
  { name: "map", prepare: (page) => page.click("[data-value=distance]") },
  { name: "found" },
  { name: "runs", prepare: (page) => page.waitForTimeout(3000) },
];
const browser = await launch();
for (const { name, colorScheme = "light", prepare } of pictures) {
  const { page } = await open(browser, join(folder, name + ".html"), { viewport: { width: 1200, height: 700 }, colorScheme });
  await drawn(page);
  await prepare?.(page);
  await page.mouse.move(5, 690);
  await page.waitForTimeout(1500);
  await page.screenshot({ path: new URL(`report_${name}.png`, import.meta.url).pathname });
  await page.context().close();
}
await browser.close();
