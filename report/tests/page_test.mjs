// SPDX-License-Identifier: MIT
// Part of Dovetail.

// Reports as a person opens them: written by the program, loaded from disk by Chromium.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { Folder, toolsOrSkip } from "./runs.mjs";

const { drawn, launch, look, open } = await toolsOrSkip();
const folder = new Folder();
/** @type {import("playwright-core").Browser} */
let browser;

/** @param {string} name */
const file = (name) => folder.file(name);
/** @param {string} name */
const json = (name) => folder.json(name);
/** @param {string[]} words */
const dovetail = (...words) => folder.dovetail(...words);

/** Points on a hilly surface, moved a little. @param {number} shift @param {[number, number, number]} [origin] */
function hills(shift, [ox, oy, oz] = [0, 0, 0]) {
  const lines = [];
  for (let i = 0; i <= 60; ++i) {
    for (let j = 0; j <= 45; ++j) {
      const z = 6 * Math.sin(i * 0.21) * Math.cos(j * 0.17) + 3 * Math.sin(0.3 * i + 0.02 * j * j);
      lines.push(`${ox + i + shift} ${oy + j - shift / 2} ${oz + z}`);
    }
  }
  return lines.join("\n") + "\n";
}

before(async () => {
  writeFileSync(file("a.xyz"), hills(1.5));
  writeFileSync(file("b.xyz"), hills(0));
  dovetail("register", "icp", "a.xyz", "b.xyz", "--json", "run.json", "--report", "run.html", "--quiet");
  browser = await launch();
});

after(async () => {
  await browser?.close();
  folder.remove();
});

test("a registration is drawn, and its numbers are those of the JSON", async () => {
  const run = json("run.json");
  const { page, trouble } = await open(browser, file("run.html"));
  await drawn(page);
  assert.ok((await look(page)).different > 5000, "the drawing is blank");
  assert.equal(await page.textContent("[data-testid=title]"), "a.xyz → b.xyz");
  assert.match(await page.innerText("[data-testid=verdict]"), run.usable ? /^Usable/ : /^Not usable/);
  assert.equal(await page.textContent("[data-testid=message]"), run.message);
  /** @param {string} key */
  const value = async (key) => parseFloat(((await page.textContent(`dd[data-key="${key}"]`)) ?? "").replaceAll(",", ""));
  // Three digits are shown at least: half of the last one is at most this share.
  const near = (/** @type {number} */ shown, /** @type {number} */ exact) => assert.ok(Math.abs(shown - exact) <= 5e-3 * Math.abs(exact), `${shown} is shown for ${exact}`);
  near(await value("inlier_ratio"), 100 * run.inlier_ratio);
  near(await value("overlap"), 100 * run.overlap);
  near(await value("points.source"), run.points.source);
  near(await value("score"), run.score);
  const matrix = ((await page.textContent("[data-testid=matrix]")) ?? "").trim().split("\n").map((row) => row.trim().split(/\s+/).map(Number));
  assert.deepEqual(matrix, run.target_from_source);
  for (const [name, number] of Object.entries(run.evidence)) {
    const text = (await page.textContent(`[data-testid=evidence] [data-key="${name}"]`)) ?? "";
    if (!text.includes("·")) near(parseFloat(text), number);
  }
  assert.match(await page.innerText(".panel"), /all 2,806 points/);
  assert.deepEqual(trouble, []);
});

test("before, after, the slider, the play button and the keys move the points", async () => {
  const run = json("run.json");
  const { page, trouble } = await open(browser, file("run.html"));
  await drawn(page);
  const end = await look(page);
  await page.click("[data-value=before]");
  await drawn(page);
  const start = await look(page);
  assert.notEqual(start.sum, end.sum);
  assert.equal(await page.textContent("[data-testid=replay-label]"), "before");
  await page.keyboard.press("a");
  await drawn(page);
  assert.deepEqual(await look(page), end);
  const slider = page.locator("[data-testid=replay-slider]");
  await slider.fill("1");
  await drawn(page);
  assert.equal(await page.textContent("[data-testid=replay-label]"), `iteration 1 of ${run.trace.length}`);
  assert.notEqual((await look(page)).sum, end.sum);
  const error = await page.textContent('[data-plot="rmse"] .plot-value');
  assert.ok(Math.abs(parseFloat(error ?? "") - run.trace[0].rmse) < 0.01 * run.trace[0].rmse, `${error} for ${run.trace[0].rmse}`);
  await page.click("[data-testid=play]");
  await page.waitForFunction((last) => document.querySelector("[data-testid=replay-label]")?.textContent === last, await page.evaluate((rows) => `iteration ${rows} of ${rows}`, run.trace.length), { timeout: 20000 });
  await slider.fill("0");
  await page.keyboard.press("Escape");
  await page.locator(".stage canvas").focus();
  await page.keyboard.press("ArrowRight");
  assert.match((await page.textContent("[data-testid=replay-label]")) ?? "", /^iteration 1 /);
  assert.deepEqual(trouble, []);
});

test("colours, point size, the way the camera looks and light or dark change the picture", async () => {
  const { page, trouble } = await open(browser, file("run.html"), { colorScheme: "light" });
  await drawn(page);
  const seen = new Set([(await look(page)).sum]);
  const fresh = async (/** @type {string} */ what) => {
    await drawn(page);
    const { sum, different } = await look(page);
    assert.ok(different > 3000, what + " leaves nothing to see");
    assert.ok(!seen.has(sum), what + " changes nothing");
    seen.add(sum);
  };
  await page.click("[data-value=distance]");
  await fresh("colour by residual");
  assert.match(await page.innerText("[data-testid=legend]"), /distance to the target/);
  await page.click("[data-value=height]");
  await fresh("colour by height");
  await page.locator("[data-testid=point-size]").fill("7");
  await fresh("point size");
  await page.mouse.move(500, 400);
  await page.mouse.down();
  await page.mouse.move(640, 440, { steps: 4 });
  await page.mouse.up();
  await fresh("a drag");
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await page.click("[data-testid=theme]");
  await fresh("dark");
  assert.notEqual(await paper(), light);
  await page.keyboard.press("?");
  assert.match(await page.innerText("dialog"), /keyboard and mouse/i);
  await page.keyboard.press("Escape");
  assert.deepEqual(trouble, []);
});

test("the system's dark colours are taken", async () => {
  const { page } = await open(browser, file("run.html"), { colorScheme: "dark" });
  assert.equal(await page.evaluate(() => document.documentElement.dataset["theme"]), "dark");
});

test("an alternative is shown with its own numbers", async () => {
  const run = json("run.json");
  const turned = structuredClone(run.target_from_source);
  turned[0][3] += 20;
  const { options: _options, trace: _trace, ...other } = run;
  run.alternatives = [{ ...other, target_from_source: turned, confidence: 0.25, usable: false, message: "another place" }];
  writeFileSync(file("two.json"), JSON.stringify(run));
  dovetail("report", "two.json", "--out", "two.html");
  const { page, trouble } = await open(browser, file("two.html"));
  await drawn(page);
  const answer = await look(page);
  await page.click('[data-alternative="0"]');
  await drawn(page);
  assert.notEqual((await look(page)).sum, answer.sum);
  assert.equal(await page.textContent("[data-testid=confidence]"), "0.25");
  assert.equal(await page.textContent("[data-testid=message]"), "another place");
  await page.click("[data-value=distance]");
  assert.match(await page.innerText("[data-testid=legend]"), /distance to the target/);
  await page.click('[data-alternative="-1"]');
  await page.click("[data-value=cloud]");
  await drawn(page);
  assert.deepEqual(await look(page), answer);
  assert.deepEqual(trouble, []);
});

test("hostile strings are text and run nothing", async () => {
  const evil = `"'><script>window.ran = 1</script><img src=x onerror="window.ran = 1"><!--\u2028\u2029\u202e</title></style>&lt;&#x41;`;
  const name = `<img src=x onerror=alert(1)> \u202e"'&.xyz`;
  writeFileSync(file(name), hills(1.5));
  dovetail("register", "icp", name, "b.xyz", "--json", "evil_name.json", "--report", "evil_name.html", "--quiet");
  const named = await open(browser, file("evil_name.html"));
  await drawn(named.page);
  assert.match((await named.page.textContent("[data-testid=title]")) ?? "", /^<img src=x onerror=alert\(1\)> ‹U\+202E›"'&.xyz →/);
  assert.deepEqual(named.trouble, []);

  const run = json("run.json");
  for (const key of ["method", "machine", "build", "message", "termination", "finished_by"]) run[key] = evil;
  run.warnings = [evil];
  run.evidence = { [evil]: 0.5 };
  run.options = { [evil]: evil };
  run.source_file = evil;
  writeFileSync(file("evil.json"), JSON.stringify(run));
  dovetail("report", "evil.json", "evil_name.json", "--out", "evil.html");
  const { page, trouble } = await open(browser, file("evil.html"));
  await page.waitForSelector("[data-picture] canvas");
  await page.click('[data-run="0"]');
  await drawn(page);
  assert.equal(await page.evaluate(() => /** @type {any} */ (window).ran), undefined);
  const message = (await page.textContent("[data-testid=message]")) ?? "";
  assert.ok(message.startsWith(`"'><script>window.ran = 1</script>`) && message.includes("‹U+2028›") && message.endsWith("&lt;&#x41;"), message);
  assert.equal(await page.locator("img").count(), 0);
  assert.deepEqual(trouble, []);
});

test("the policy forbids everything from outside", async () => {
  const { page } = await open(browser, file("run.html"));
  const policy = (await page.getAttribute('meta[http-equiv="Content-Security-Policy"]', "content")) ?? "";
  assert.match(policy, /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; img-src data:; base-uri 'none'/);
  assert.ok(!policy.includes("unsafe"));
  const refused = await page.evaluate(async () => {
    const script = document.createElement("script");
    script.textContent = "window.ran = 1";
    document.body.append(script);
    const asked = await fetch("https://example.org/").then(() => "fetched", () => "refused");
    return [asked, /** @type {any} */ (window).ran];
  });
  assert.deepEqual(refused, ["refused", undefined]);
});

test("several runs are a table, the worst first, which sorts and opens", async () => {
  const bad = json("run.json");
  Object.assign(bad, { usable: false, confidence: 0.1, message: "too little in common", rmse: 9 });
  const doubtful = { ...json("run.json"), confidence: 0.6, rmse: 0.5 };
  writeFileSync(file("bad.json"), JSON.stringify(bad));
  writeFileSync(file("doubtful.json"), JSON.stringify(doubtful));
  dovetail("report", "run.json", "doubtful.json", "bad.json", "--out", "all.html");
  const { page, trouble } = await open(browser, file("all.html"));
  await page.waitForFunction(() => document.querySelectorAll("[data-picture] canvas").length === 3);
  const order = () => page.locator("[data-run]").evaluateAll((cells) => cells.map((cell) => cell.getAttribute("data-run")));
  assert.deepEqual(await order(), ["2", "1", "0"]);
  assert.match(await page.innerText("[data-testid=summary]"), /2 of 3/);
  await page.click("[data-sort=rmse]");
  assert.equal((await order())[2], "2");
  await page.click("[data-sort=rmse]");
  assert.equal((await order())[0], "2");
  assert.ok((await look(page, '[data-picture="0"] canvas')).different > 100, "the small picture is blank");
  const light = await look(page, '[data-picture="0"] canvas');
  await page.keyboard.press("t");
  await page.waitForFunction(() => document.querySelector(".workshop") === null);
  assert.notEqual((await look(page, '[data-picture="0"] canvas')).sum, light.sum);
  await page.click('[data-run="2"]');
  await drawn(page);
  assert.match(await page.innerText("[data-testid=verdict]"), /^Not usable/);
  assert.ok((await look(page)).different > 5000);
  await page.click("[data-testid=back]");
  assert.equal((await order()).length, 3);
  assert.deepEqual(trouble, []);
});

test("points onto lines are drawn in the plane", async () => {
  const lines = [];
  const seen = ["x,y"];
  for (let k = 0; k < 14; ++k) {
    const street = [];
    for (let i = 0; i <= 40; ++i) {
      const x = k % 2 ? 40 * i : 120 * k + 30 * Math.sin(i);
      const y = k % 2 ? 90 * k + 25 * Math.sin(0.4 * i + k) : 30 * i;
      street.push([7 + x / 80000, 43 + y / 111000]);
      seen.push(`${x + 12},${y - 9}`);
    }
    lines.push({ type: "Feature", properties: {}, geometry: { type: "LineString", coordinates: street } });
  }
  writeFileSync(file("map.geojson"), JSON.stringify({ type: "FeatureCollection", features: lines }));
  writeFileSync(file("seen.csv"), seen.join("\n"));
  dovetail("register", "chamfer", "seen.csv", "map.geojson", "--model", "projective", "--json", "map.json", "--report", "map.html", "--quiet");
  const { page, trouble } = await open(browser, file("map.html"));
  await drawn(page);
  const first = await look(page);
  assert.ok(first.different > 2000, "the map is not drawn");
  assert.match(await page.innerText(".panel"), /560 pieces of lines/);
  await page.mouse.move(500, 400);
  await page.mouse.wheel(0, -400);
  await drawn(page);
  const near = await look(page);
  assert.notEqual(near.sum, first.sum);
  await page.mouse.down();
  await page.mouse.move(600, 450, { steps: 3 });
  await page.mouse.up();
  await drawn(page);
  assert.notEqual((await look(page)).sum, near.sum);
  assert.deepEqual(trouble, []);
});

test("found objects are drawn over the scene and listed", async () => {
  const at = [[1, 0, 0, 20], [0, 1, 0, 10], [0, 0, 1, 0], [0, 0, 0, 1]];
  const object = { object: "part", object_index: 0, scene_from_object: at, confidence: 0.9, evidence: { purity: 0.8 }, visible_ratio: 0.5, support: 120, rmse: 0.1, inlier_distance: 1, inlier_ratio: 0.7, margin: null, expected_error: null };
  const found = { schema: "dovetail.found/1", scene_file: "b.xyz", object_files: ["part.xyz"], message: "1 found", warnings: [], stopped: false, objects: [object], doubtful: [{ ...object, confidence: 0.2 }], scene_points: 2806, time_ms: { total: 12 }, options: {} };
  const part = [];
  for (let i = 0; i < 4000; ++i) part.push(`${8 * Math.cos(i)} ${8 * Math.sin(i)} ${i / 400}`);
  writeFileSync(file("part.xyz"), part.join("\n"));
  writeFileSync(file("found.json"), JSON.stringify(found));
  dovetail("report", "found.json", "--out", "found.html");
  const { page, trouble } = await open(browser, file("found.html"));
  await drawn(page);
  const whole = await look(page);
  await page.click("[data-value=none]");
  await drawn(page);
  assert.notEqual((await look(page)).sum, whole.sum);
  await page.click("[data-value=found]");
  await page.click('[data-object="0"]');
  await drawn(page);
  assert.notEqual((await look(page)).sum, whole.sum);
  assert.equal(await page.textContent('[data-testid=details] dd[data-key="support"]'), "120");
  assert.equal(await page.textContent('[data-testid=details] dd[data-key="visible_ratio"]'), "50.0 %");
  assert.deepEqual(trouble, []);
});

test("what cannot be drawn is told: no points, one point, files that are gone, coordinates far out", async () => {
  const run = json("run.json");
  writeFileSync(file("gone.json"), JSON.stringify({ ...run, source_file: "nowhere.xyz", target_file: null }));
  dovetail("report", "gone.json", "--out", "gone.html");
  const gone = await open(browser, file("gone.html"));
  await drawn(gone.page);
  assert.match(await gone.page.innerText(".panel"), /nowhere.xyz, is not there any more/);
  assert.match(await gone.page.innerText(".stage"), /not at hand/);
  assert.deepEqual(gone.trouble, []);

  writeFileSync(file("one.xyz"), "1 2 3\n");
  writeFileSync(file("few.json"), JSON.stringify({ ...run, source_file: "one.xyz", target_file: "b.xyz", rmse: null, confidence: null, evidence: {}, trace: [], covariance: null }));
  dovetail("report", "few.json", "--out", "few.html");
  const few = await open(browser, file("few.html"));
  await drawn(few.page);
  assert.match(await few.page.innerText("[data-testid=verdict]"), /nothing tells/);
  assert.deepEqual(few.trouble, []);

  writeFileSync(file("far_a.xyz"), hills(1.5, [500000, 5400000, 300]));
  writeFileSync(file("far_b.xyz"), hills(0, [500000, 5400000, 300]));
  dovetail("register", "icp", "far_a.xyz", "far_b.xyz", "--json", "far.json", "--report", "far.html", "--quiet");
  const here = await open(browser, file("run.html"));
  const far = await open(browser, file("far.html"));
  await drawn(here.page);
  await drawn(far.page);
  const a = await look(here.page);
  const b = await look(far.page);
  assert.ok(Math.abs(a.different - b.different) < 0.05 * a.different, `${b.different} pixels far out, ${a.different} here`);
  assert.deepEqual(far.trouble, []);
});
