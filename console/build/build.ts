// `npm run console`: generates the client's types and builds the console into public/console. With
// --watch, as `npm run dev` calls it, it builds again after each edit.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { generate, SCHEMA } from "./generate-types.ts";

const isWatching = process.argv.includes("--watch");

writeFileSync(SCHEMA, await generate());
await build({
  configFile: fileURLToPath(new URL("../vite.config.ts", import.meta.url)),
  logLevel: isWatching ? "info" : "warn",
  build: { watch: isWatching ? {} : null },
});
if (!isWatching) console.log("public/console is built");
