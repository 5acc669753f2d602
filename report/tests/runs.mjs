// SPDX-License-Identifier: MIT
// Part of Dovetail.

// What tests of pages share: a folder of their own, and the program in it.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const skipped = 77; // what ctest takes for "skipped"
export const program = process.env["DOVETAIL_PROGRAM"] ?? "";

/** The browser's tools; ends the test as skipped where there is no browser or no program. */
export async function toolsOrSkip() {
  /** @type {typeof import("./browser.mjs")} */
  let tools;
  try {
    tools = await import("./browser.mjs");
  } catch (error) {
    console.log(`skipped: report/node_modules is not there (npm ci): ${String(error)}`);
    process.exit(skipped);
  }
  if (tools.missing() || !program) {
    console.log("skipped: " + (tools.missing() || "DOVETAIL_PROGRAM does not name the program"));
    process.exit(skipped);
  }
  return tools;
}

/** A folder for a test's files. */
export class Folder {
  constructor() {
    this.path = mkdtempSync(join(tmpdir(), "dovetail_report_"));
  }

  /** @param {string} name */
  file(name) {
    return join(this.path, name);
  }

  /** @param {string} name */
  json(name) {
    return JSON.parse(readFileSync(this.file(name), "utf8"));
  }

  /**
   * Runs the program here and returns what it prints; an answer that is not usable is an answer too.
   * @param {string[]} words
   */
  dovetail(...words) {
    try {
      return execFileSync(program, words, { cwd: this.path, stdio: "pipe" }).toString();
    } catch (error) {
      const failure = /** @type {{ status: number; stderr: Buffer; stdout: Buffer }} */ (error);
      if (failure.status !== 1) throw new Error(words.join(" ") + ": " + failure.stderr);
      return failure.stdout.toString();
    }
  }

  remove() {
    rmSync(this.path, { recursive: true, force: true });
  }
}
