// SPDX-License-Identifier: MIT
// Part of Dovetail.

// How long reports take to show, and how many frames a second they are turned with: node tests/measure.mjs PAGE...
import { drawn, launch, look, open } from "./browser.mjs";

const browser = await launch();
for (const file of process.argv.slice(2)) {
  const { page } = await open(browser, file);
  await drawn(page);
  await look(page); // waits for the pixels themselves
  const first = await page.evaluate(() => performance.now());
  await page.evaluate(() => {
    const counter = /** @type {any} */ (window);
    counter.frames = 0;
    const status = /** @type {Element} */ (document.querySelector(".status"));
    new MutationObserver(() => ++counter.frames).observe(status, { childList: true, characterData: true, subtree: true });
  });
  const shown = await page.textContent(".status");
  await page.mouse.move(500, 430);
  await page.mouse.down();
  const began = Date.now();
  for (let i = 0; Date.now() - began < 4000; ++i) await page.mouse.move(500 + 200 * Math.sin(i / 20), 430 + 60 * Math.cos(i / 15));
  const frames = await page.evaluate(() => /** @type {any} */ (window).frames);
  const moving = await page.textContent(".status");
  const seconds = (Date.now() - began) / 1000;
  await page.mouse.up();
  // Every point anew, shaded, as the slider moves the source.
  const whole = await page.evaluate(async () => {
    const slider = /** @type {HTMLInputElement} */ (document.querySelector("[data-testid=replay-slider]"));
    const steps = 12;
    const start = performance.now();
    for (let i = 0; i < steps; ++i) {
      slider.value = String(i % 2 ? slider.max : 0);
      slider.dispatchEvent(new Event("input"));
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    }
    return (1000 * steps) / (performance.now() - start);
  });
  console.log(`${file}: first picture after ${Math.round(first)} ms (${shown}); ${(frames / seconds).toFixed(1)} frames/s while turned (${moving}), ${whole.toFixed(1)} with all of them`);
  await page.context().close();
}
await browser.close();
