// `npm run console`: builds the console into public/console. With --watch, which `npm run dev`
// uses, it builds again after each edit.
import { fileURLToPath } from "node:url";
import { build } from "vite";

const isWatching = process.argv.includes("--watch");

await build({
  configFile: fileURLToPath(new URL("../vite.config.ts", import.meta.url)),
  logLevel: isWatching ? "info" : "warn",
  build: { watch: isWatching ? {} : null },
});
if (!isWatching) console.log("public/console is built");
