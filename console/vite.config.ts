// Builds the console into public/console, from where the worker serves it. The build is committed,
// so that neither `npm start` nor a deployment needs to build it. Files keep their names from build
// to build, so that git stores only differences. The page names the build by its digest instead.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { DIGEST_FILE, digestOfAssets, digestOfSources, PAGE } from "./build/digests.ts";

const BASE = "/console/";

/**
 * Writes the digest of the sources beside the build, so that a test can detect a stale build. Also
 * puts the digest of all built files into the paths from which the page loads them (docs/api.md
 * §The console's files).
 */
const noteDigests: Plugin = {
  name: "note-digests",
  closeBundle() {
    writeFileSync(DIGEST_FILE, `${digestOfSources()}\n`);
    const page = readFileSync(PAGE, "utf8");
    const assets = `${BASE}assets/`;
    writeFileSync(PAGE, page.replaceAll(`"${assets}`, `"${assets}${digestOfAssets()}/`));
  },
};

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: BASE,
  plugins: [react(), noteDigests],
  // Files refer to each other by relative paths. The digest in the page's paths therefore becomes
  // part of every file's path.
  experimental: {
    renderBuiltUrl: (_file, { hostType }) => (hostType === "html" ? undefined : { relative: true }),
  },
  build: {
    outDir: "../public/console",
    emptyOutDir: true,
    target: "es2022",
    // The first browsers that support light-dark() and nested CSS rules.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // The policy of the page allows no inline script.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // The template editor is the largest part, so it loads only with its page.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        entryFileNames: "assets/[name].js",
        chunkFileNames: "assets/[name].js",
        assetFileNames: "assets/[name][extname]",
        // Libraries have files of their own, which stay unchanged when the console's own code
        // changes.
        codeSplitting: {
          groups: [
            {
              name: "editor",
              test: /node_modules\/(?:@codemirror|@lezer|codemirror|style-mod|crelt|w3c)/,
            },
            { name: "libraries", test: /node_modules\/(?:react|react-dom|scheduler|@tanstack)\// },
            { name: "charts", test: /node_modules\/uplot\// },
          ],
        },
        // Short export names follow the order of the exports. A new export would therefore rename
        // others, and change all files that import them.
        minifyInternalExports: false,
      },
    },
  },
});
