// SPDX-License-Identifier: MIT
// Part of Dovetail.

import { createHash } from "node:crypto";
import type { Plugin } from "vite";

/** What a policy allows: exactly this text, inline. */
function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;
}

/** Code as the text of an element that it cannot end. */
function scriptText(code: string): string {
  return code.trim().replaceAll("</script", "<\\/script").replaceAll("<!--", "\\x3C!--");
}

/** Puts the script and the style into the page, under a policy that allows these two and nothing from outside. */
export function singleFile(name: string): Plugin {
  return {
    name: "single-file",
    enforce: "post",
    generateBundle(_options, bundle) {
      let script = "";
      let style = "";
      let page = "";
      for (const [file, item] of Object.entries(bundle)) {
        if (item.type === "chunk") {
          script += item.code;
        } else if (file.endsWith(".css")) {
          style += String(item.source);
        } else if (file.endsWith(".html")) {
          page = String(item.source);
        } else {
          this.error(`${file} is neither script nor style nor page`);
        }
        delete bundle[file];
      }
      script = scriptText(script);
      style = style.trim();
      const policy =
        `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)}; img-src data:; ` +
        "base-uri 'none'; form-action 'none'";
      page = page
        .replace(/\s*<script type="module"[^>]*><\/script>/, "")
        .replace(/\s*<link rel="stylesheet"[^>]*>/, "")
        .replace("<!--policy-->", () => `<meta http-equiv="Content-Security-Policy" content="${policy}">`)
        .replace("<!--style-->", () => `<style>${style}</style>`)
        .replace("<!--script-->", () => `<script type="module">${script}</script>`);
      if (!page.includes("<!--dovetail-data-->")) this.error("index.html has no place for data");
      this.emitFile({ type: "asset", fileName: name, source: page });
    },
  };
}
