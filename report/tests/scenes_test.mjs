// SPDX-License-Identifier: MIT
// Part of Dovetail.

// Reports of parts: in images, in bins, their symmetry, and scores of poses; opened from disk by Chromium.
import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { Folder, toolsOrSkip } from "./runs.mjs";

const { drawn, launch, look, open } = await toolsOrSkip();
const folder = new Folder();
const file = (/** @type {string} */ name) => folder.file(name);
/** @type {import("playwright-core").Browser} */
let browser;
const info = folder.dovetail("info");
const withBins = /bins +yes/.test(info) && /VSD +yes/.test(info);
const evil = `"'><script>window.ran = 1</script><img src=x onerror="window.ran = 1">\u202e&lt;`;

/** Poses of the data set as results of the BOP benchmark; every third a part's length off. */
function estimates() {
  const rows = ["scene_id,im_id,obj_id,score,R,t,time"];
  const truths = JSON.parse(readFileSync(file("bins/test/000001/scene_gt.json"), "utf8"));
  for (const [image, parts] of Object.entries(truths)) {
    /** @type {any[]} */ (parts).forEach((part, i) => {
      const t = part.cam_t_m2c.map((/** @type {number} */ v, /** @type {number} */ k) => (i % 3 === 2 && k === 0 ? v + 60 : v));
      rows.push([1, image, part.obj_id, 0.9, part.cam_R_m2c.join(" "), t.join(" "), 0.5].join(","));
    });
  }
  writeFileSync(file("results.csv"), rows.join("\n") + "\n");
}

before(async () => {
  if (withBins) {
    folder.dovetail("bin", "simulate", "built-in:t_pipe", "--count", "5", "--images", "2", "--columns", "320", "--rows", "240", "--seed", "3", "--out", "bins", "--report", "bins.html", "--quiet");
    estimates();
  }
  browser = await launch();
});

after(async () => {
  await browser?.close();
  folder.remove();
});

test("images of bins: a table, each with the outlines of its parts, which can be picked", { skip: !withBins }, async () => {
  const { page, trouble } = await open(browser, file("bins.html"));
  await page.waitForFunction(() => document.querySelectorAll("[data-picture] canvas").length === 2);
  assert.ok((await look(page, '[data-picture="0"] canvas')).different > 100, "the small picture is blank");
  await page.click('[data-run="0"]');
  await drawn(page);
  const truths = folder.json("bins/test/000001/scene_gt.json");
  const shares = folder.json("bins/test/000001/scene_gt_info.json");
  const first = Object.keys(truths)[0] ?? "";
  assert.equal(await page.locator("[data-object]").count(), truths[first].length);
  const whole = await look(page, "[data-testid=depth-picture]");
  assert.ok(whole.different > 20000, "the image is not drawn");
  await page.click("[data-value=none]");
  const bare = await look(page, "[data-testid=depth-picture]");
  assert.notEqual(bare.sum, whole.sum, "no outlines");
  await page.click("[data-value=found]");
  await page.click('[data-object="0"]');
  await page.waitForTimeout(200);
  assert.notEqual((await look(page, "[data-testid=depth-picture]")).sum, whole.sum);
  const visible = parseFloat((await page.textContent('[data-testid=details] dd[data-key="visible_ratio"]')) ?? "");
  assert.ok(Math.abs(visible - 100 * shares[first][0].visib_fract) < 0.06, `${visible} is shown for ${shares[first][0].visib_fract}`);
  const shown = ((await page.textContent("[data-testid=details] .matrix")) ?? "").trim().split("\n").map((row) => row.trim().split(/\s+/).map(Number));
  assert.deepEqual(shown.slice(0, 3).map((row) => row[3]), truths[first][0].cam_t_m2c);
  await page.click('[data-value="points"]');
  await drawn(page);
  assert.ok((await look(page)).different > 3000, "the points are not drawn");
  assert.deepEqual(trouble, []);
});

test("an outline is where the part is: a click on the part in the picture picks it", { skip: !withBins }, async () => {
  const { page, trouble } = await open(browser, file("bins.html"));
  await page.click('[data-run="0"]');
  await drawn(page);
  const truths = folder.json("bins/test/000001/scene_gt.json");
  const masks = folder.json("bins/test/000001/scene_gt_info.json");
  const first = Object.keys(truths)[0] ?? "";
  // The part that is least hidden, at the middle of what is seen of it: the bend of a pipe may leave that to another.
  const best = masks[first].reduce((/** @type {number} */ b, /** @type {any} */ m, /** @type {number} */ i, /** @type {any[]} */ all) => (m.visib_fract > all[b].visib_fract ? i : b), 0);
  const camera = folder.json("bins/test/000001/scene_camera.json")[first];
  const [x, y, z] = truths[first][best].cam_t_m2c;
  const centre = camera.pixel_center ?? 0;
  const at = [(camera.cam_K[0] * x) / z + camera.cam_K[2] - centre + 0.5, (camera.cam_K[4] * y) / z + camera.cam_K[5] - centre + 0.5];
  const box = await page.locator("[data-testid=depth-picture]").boundingBox();
  assert.ok(box);
  const scale = 0.94 * Math.min(box.width / 320, box.height / 240);
  await page.mouse.click(box.x + box.width / 2 + scale * ((at[0] ?? 0) - 160), box.y + box.height / 2 + scale * ((at[1] ?? 0) - 120));
  const picked = await page.locator('[data-object][aria-pressed="true"]').count();
  assert.equal(picked, 1, "nothing was picked at the middle of a part");
  assert.deepEqual(trouble, []);
});

test("parts that were found in an image, also from the stored result", { skip: !withBins }, async () => {
  const truths = folder.json("bins/test/000001/scene_gt.json");
  const camera = folder.json("bins/test/000001/scene_camera.json");
  const first = Object.keys(truths)[0] ?? "";
  const k = camera[first].cam_K;
  writeFileSync(file("camera.json"), JSON.stringify({ fx: k[0], fy: k[4], cx: k[2], cy: k[5], depth_scale: camera[first].depth_scale, pixel_center: camera[first].pixel_center ?? 0 }));
  folder.dovetail("pose", "build", "built-in:t_pipe", "--sampling", "uniform", "--references", "64", "--out", "pipe.posedb", "--quiet");
  const image = `bins/test/000001/depth/${first.padStart(6, "0")}.png`;
  folder.dovetail("pose", "find", image, "--camera", "camera.json", "--poses", "pipe.posedb", "--starts", "2", "--rounds", "1", "--json", "found.json", "--report", "found.html", "--quiet");
  const found = folder.json("found.json");
  assert.equal(found.scene_file, image);
  assert.equal(found.camera.fx, k[0]);
  folder.dovetail("report", "found.json", "--out", "again.html");
  for (const name of ["found.html", "again.html"]) {
    const { page, trouble } = await open(browser, file(name));
    await drawn(page);
    assert.ok((await look(page, "[data-testid=depth-picture]")).different > 20000, "the image is not drawn");
    assert.equal(await page.locator("[data-object]").count(), found.objects.length + found.doubtful.length);
    assert.match(await page.innerText(".panel"), /image: 320 × 240 pixels/);
    assert.equal(await page.textContent("[data-testid=message]"), found.message);
    const parts = [...found.objects, ...found.doubtful];
    if (parts.length > 0) {
      await page.click('[data-object="0"]');
      const value = async (/** @type {string} */ key) => page.textContent(`[data-testid=details] dd[data-key="${key}"]`);
      assert.equal(await value("on_top"), parts[0].on_top ? "yes" : "no");
      assert.equal(await value("rivals"), String(parts[0].rivals.length));
    }
    assert.deepEqual(trouble, []);
  }
});

test("a symmetry: the part turns about its axes", async () => {
  // A cube's corners and faces as OBJ: the program's own parts are not files.
  const corners = [];
  for (let i = 0; i < 8; ++i) corners.push(`v ${20 * (i & 1)} ${20 * ((i >> 1) & 1)} ${20 * (i >> 2)}`);
  const faces = ["f 1 3 4 2", "f 5 6 8 7", "f 1 2 6 5", "f 3 7 8 4", "f 1 5 7 3", "f 2 4 8 6"];
  writeFileSync(file("cube.obj"), [...corners, ...faces].join("\n") + "\n");
  folder.dovetail("symmetry", "cube.obj", "--json", "cube.json", "--report", "cube.html", "--quiet");
  const told = folder.json("cube.json");
  assert.equal(told.group, "O");
  folder.dovetail("report", "cube.json", "--out", "cube_again.html");
  for (const name of ["cube.html", "cube_again.html"]) {
    const { page, trouble } = await open(browser, file(name));
    await drawn(page);
    assert.match(await page.innerText("[data-testid=verdict]"), /^O\n/);
    assert.equal(await page.locator("[data-axis]").count(), told.axes.length);
    assert.equal(await page.textContent('dd[data-key="rotations"]'), "24");
    const first = await look(page);
    assert.ok(first.different > 3000, "the part is not drawn");
    await page.locator("[data-testid=turn]").fill("30");
    await drawn(page);
    const turned = await look(page);
    assert.notEqual(turned.sum, first.sum);
    assert.equal(await page.textContent("[data-testid=angle]"), "30°");
    await page.click('[data-axis="2"]');
    await drawn(page);
    assert.notEqual((await look(page)).sum, turned.sum);
    assert.deepEqual(trouble, []);
  }
});

test("in a notebook: the page works in a frame that may run its own script and nothing else", async () => {
  const inside = readFileSync(file("cube.html"), "utf8").replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  writeFileSync(file("notebook.html"), `<!doctype html><title>notebook</title><iframe sandbox="allow-scripts" style="width:100%;height:620px" srcdoc="${inside}"></iframe>`);
  const { page, trouble } = await open(browser, file("notebook.html"));
  const frame = page.frameLocator("iframe");
  await frame.locator(".stage canvas").waitFor();
  assert.match(await frame.locator("[data-testid=verdict]").innerText(), /^O\n/);
  await page.waitForTimeout(1000);
  const box = await page.locator("iframe").boundingBox();
  assert.ok(box);
  assert.ok((await look(page, "iframe")).different > 3000, "the frame is blank");
  assert.deepEqual(trouble.filter((what) => !what.startsWith("asked for about:srcdoc")), []);
});

test("scores of poses: the numbers are those of the JSON", { skip: !withBins }, async () => {
  folder.dovetail("pose", "evaluate", "results.csv", "--dataset", "bins", "--json", "scores.json", "--report", "scores.html", "--quiet");
  const scores = folder.json("scores.json");
  folder.dovetail("report", "scores.json", "--out", "scores_again.html");
  for (const name of ["scores.html", "scores_again.html"]) {
    const { page, trouble } = await open(browser, file(name));
    await page.waitForSelector(".tiles");
    const value = async (/** @type {string} */ key) => parseFloat((await page.textContent(`[data-key="${key}"]`)) ?? "");
    assert.ok(Math.abs((await value("bop19")) - 100 * scores.bop19) < 0.06);
    assert.ok(Math.abs((await value("bulk.recall")) - 100 * scores.bulk.recall) < 0.06);
    assert.ok(scores.bulk.recall < 1 && scores.bulk.recall > 0.3, "a third was put elsewhere");
    assert.equal(await page.locator("[data-recall]").count(), 4);
    assert.equal(await page.locator('[data-recall="mssd"] circle').count(), scores.localisation.mssd.thresholds.length);
    assert.equal(await page.locator("[data-testid=objects] tbody tr").count(), 1);
    assert.deepEqual(trouble, []);
  }
});

test("hostile strings of every kind are text and run nothing", async () => {
  writeFileSync(file("evil_symmetry.json"), JSON.stringify({ ...folder.json("cube.json"), group: evil, description: evil, measured_on: evil, part_file: evil }));
  const at = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 500], [0, 0, 0, 1]];
  writeFileSync(file("evil_found.json"), JSON.stringify({ schema: "dovetail.found/1", scene_file: evil, object_files: [evil], camera: { fx: 500, fy: 500, cx: 1, cy: 1, width: evil }, message: evil, warnings: [evil], objects: [{ object: evil, object_index: 0, scene_from_object: at, confidence: 0.9, evidence: { [evil]: 1 } }], doubtful: [], time_ms: {} }));
  writeFileSync(file("evil_scores.json"), JSON.stringify({ schema: "dovetail.pose_evaluation/1", results: evil, dataset: evil, notes: [evil], images: 1, estimates: 2, bop19: evil, objects: [{ id: evil }], bulk: { recall: 0.5 } }));
  folder.dovetail("report", "evil_symmetry.json", "evil_found.json", "evil_scores.json", "--out", "evil.html");
  const { page, trouble } = await open(browser, file("evil.html"));
  await page.waitForFunction(() => document.querySelectorAll("[data-picture] canvas").length === 3);
  for (let run = 0; run < 3; ++run) {
    await page.click(`[data-run="${run}"]`);
    await page.waitForSelector("[data-testid=verdict]");
    assert.equal(await page.evaluate(() => /** @type {any} */ (window).ran), undefined);
    assert.equal(await page.locator("img").count(), 0);
    assert.match(await page.innerText(".panel"), /<script>window\.ran = 1<\/script>/);
    assert.match(await page.innerText(".panel"), /‹U\+202E›/);
    await page.click("[data-testid=back]");
  }
  assert.deepEqual(trouble, []);
});

test("a data set that others made is shown from its folder", { skip: !withBins }, async () => {
  cpSync(file("bins"), file("bare"), { recursive: true });
  writeFileSync(file("bare/models/obj_000001.ply"), "no mesh\n");
  folder.dovetail("report", "bare", "--out", "bare.html");
  const { page, trouble } = await open(browser, file("bare.html"));
  await page.click('[data-run="1"]');
  await drawn(page);
  assert.ok((await look(page, "[data-testid=depth-picture]")).different > 20000, "the image is not drawn");
  assert.match(await page.innerText(".panel"), /Not drawn: .*obj_000001\.ply/);
  assert.deepEqual(trouble, []);
});
