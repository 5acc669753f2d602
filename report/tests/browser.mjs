// SPDX-License-Identifier: MIT
// Part of Dovetail.

import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

/** The browser that pages are tried in: Debian's, drawing in software. */

export const executable = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/** Why there is no browser to test with; empty where there is one. */
export function missing() {
  return existsSync(executable) ? "" : `no Chromium at ${executable} (Debian: chromium)`;
}

export function launch() {
  return chromium.launch({
    executablePath: executable,
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
    ],
  });
}

/**
 * Opens a page from disk; `trouble` collects what it complains of and what it asks the network for.
 * @param {import("playwright-core").Browser} browser
 * @param {string} file
 * @param {import("playwright-core").BrowserContextOptions} [options]
 */
export async function open(browser, file, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 860 }, ...options });
  const page = await context.newPage();
  /** @type {string[]} */
  const trouble = [];
  const address = pathToFileURL(file).href;
  page.on("console", (message) => {
    if (message.type() === "error") trouble.push(message.text());
  });
  page.on("pageerror", (error) => trouble.push(String(error)));
  page.on("dialog", (dialog) => {
    trouble.push("dialog: " + dialog.message());
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (request.url() !== address && !request.url().startsWith("data:")) trouble.push("asked for " + request.url());
  });
  await page.goto(address);
  return { page, trouble };
}

/**
 * Waits until the page has drawn.
 * @param {import("playwright-core").Page} page
 */
export async function drawn(page) {
  await page.waitForFunction(() => performance.getEntriesByName("first-picture").length > 0);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/**
 * How many pixels of the drawing differ from its background, and a number that changes with what they show.
 * @param {import("playwright-core").Page} page
 * @param {string} [selector]
 */
export async function look(page, selector = ".stage canvas") {
  const box = await page.locator(selector).first().boundingBox();
  if (!box) throw new Error(selector + " is not shown");
  // Without the controls that lie over the edges.
  const clip = { x: box.x + 10, y: box.y + 0.15 * box.height, width: box.width - 20, height: 0.65 * box.height };
  const picture = (await page.screenshot({ clip })).toString("base64");
  return page.evaluate(async (base64) => {
    const image = new Image();
    image.src = "data:image/png;base64," + base64;
    await image.decode();
    const copy = document.createElement("canvas");
    copy.width = image.width;
    copy.height = image.height;
    const brush = /** @type {CanvasRenderingContext2D} */ (copy.getContext("2d"));
    brush.drawImage(image, 0, 0);
    const pixels = brush.getImageData(0, 0, copy.width, copy.height).data;
    let different = 0;
    let sum = 0;
    for (let i = 0; i < pixels.length; i += 4) {
      const apart = [0, 1, 2].some((k) => Math.abs((pixels[i + k] ?? 0) - (pixels[k] ?? 0)) > 8);
      if (!apart) continue;
      ++different;
      sum = (sum * 31 + i + (pixels[i] ?? 0) * 7 + (pixels[i + 1] ?? 0) * 5 + (pixels[i + 2] ?? 0)) % 1000003;
    }
    return { different, sum };
  }, picture);
}
