// Builds the console into public/console, which the worker serves. The build is committed, so that
// neither `npm start` nor a deployment builds it.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { DIGEST_FILE, digestOfSources } from "./build/source-digest.ts";

/** Notes the sources' digest beside the build, so that a test can tell a stale one. */
const noteDigest: Plugin = {
  name: "note-digest",
  closeBundle: () => writeFileSync(DIGEST_FILE, `${digestOfSources()}\n`),
};

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "/console/",
  plugins: [react(), noteDigest],
  build: {
    outDir: "../public/console",
    emptyOutDir: true,
    target: "es2022",
    // The first browsers with light-dark() and nested rules, which the style sheets are written in.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // The policy of the page allows no inline script.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // The templates' editor is the largest part, and loads with its page.
    chunkSizeWarningLimit: 600,
  },
});
