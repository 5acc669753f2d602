// SPDX-License-Identifier: MIT
// Part of Dovetail.

// The pictures of docs/report.md, made from reports in a folder:
//   node docs/images/make_report_images.mjs FOLDER
// with registration.html, weak.html, map.html, found.html, runs.html, parts.html (of dovetail bin simulate), symmetry.html and
// scores.html. Further words choose some of them. Pictures are then reduced to 256 colours.
import { join } from "node:path";
import { drawn, launch, open } from "../../report/tests/browser.mjs";

const folder = process.argv[2] ?? ".";
/** @type {{ name: string; colorScheme?: "light" | "dark"; size?: { width: number; height: number }; prepare?: (page: import("playwright-core").Page) => Promise<void> }[]} */
const pictures = [
  { name: "registration" },
  { name: "weak", colorScheme: "dark" },
  { name: "map", prepare: (page) => page.click("[data-value=distance]") },
  { name: "found" },
  { name: "runs", prepare: (page) => page.waitForTimeout(3000) },
  {
    name: "parts",
    size: { width: 1040, height: 600 }, // noise takes room in a PNG
    prepare: async (page) => {
      await page.click('[data-run="0"]');
      await page.waitForTimeout(500);
    },
  },
  { name: "symmetry", colorScheme: "dark", prepare: (page) => page.locator("[data-testid=turn]").fill("20") },
  { name: "scores" },
];
const chosen = process.argv.slice(3);
const browser = await launch();
for (const { name, colorScheme = "light", size = { width: 1200, height: 700 }, prepare } of pictures) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  const { page } = await open(browser, join(folder, name + ".html"), { viewport: size, colorScheme });
  if (name === "parts" || name === "runs") await page.waitForSelector("[data-picture] canvas");
  else await drawn(page);
  await prepare?.(page);
  await page.mouse.move(5, size.height - 10);
  await page.waitForTimeout(1500);
  await page.screenshot({ path: new URL(`report_${name}.png`, import.meta.url).pathname });
  await page.context().close();
}
await browser.close();
