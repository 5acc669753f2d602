// SPDX-License-Identifier: MIT
// Part of Dovetail.

import { defineConfig } from "vite";
import { singleFile } from "./single_file.ts";

export default defineConfig({
  plugins: [singleFile("report.html")],
  build: {
    target: "es2022",
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    cssCodeSplit: false,
    modulePreload: false,
    chunkSizeWarningLimit: 2000,
  },
});
