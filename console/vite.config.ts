// Builds the console into public/console, which the worker serves. The build is committed, so that
// neither `npm start` nor a deployment builds it. Names and chunks stay the same from one build to
// the next, so that git stores what differs. The page names the build by its digest instead.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { DIGEST_FILE, digestOfAssets, digestOfSources, PAGE } from "./build/digests.ts";

const BASE = "/console/";

/**
 * Notes the sources' digest beside the build, so that a test can tell a stale one, and has the page
 * load its files below the digest of all of them (docs/api.md §The console's files).
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
  // Files name each other by relative paths, so that all of them are loaded below one digest.
  experimental: {
    renderBuiltUrl: (_file, { hostType }) => (hostType === "html" ? undefined : { relative: true }),
  },
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
    rolldownOptions: {
      output: {
        entryFileNames: "assets/[name].js",
        chunkFileNames: "assets/[name].js",
        assetFileNames: "assets/[name][extname]",
        // What a page of ours changes leaves the libraries' files as they are.
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
        // A short name for an export would change with those before it, and all importers with it.
        minifyInternalExports: false,
      },
    },
  },
});
