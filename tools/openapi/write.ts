// Writes public/api from the worker's table of endpoints. It imports the table unchanged, but
// replaces modules that exist only in workerd. This works because describing an endpoint calls none
// of the replaced modules.
import { mkdirSync, writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "../../public/api");

/** The modules of workerd from which src imports values, and what replaces them. */
const STAND_INS: Readonly<Record<string, string>> = {
  "cloudflare:workers":
    "export class DurableObject {} export class WorkerEntrypoint {} export class RpcTarget " +
    "{} export const env = {}; export const exports = {};",
  "cloudflare:sockets": "export const connect = undefined;",
  "cloudflare:email": "export class EmailMessage {}",
};

registerHooks({
  resolve(specifier, context, next) {
    const text = STAND_INS[specifier];
    return text === undefined
      ? next(specifier, context)
      : {
          url: `data:text/javascript,${encodeURIComponent(text)}`,
          format: "module",
          shortCircuit: true,
        };
  },
});
const { endpoints } = await import("../../src/api/app.ts");
const { publishedFiles } = await import("./published-files.ts");

mkdirSync(FOLDER, { recursive: true });
for (const [name, text] of Object.entries(publishedFiles(endpoints)))
  writeFileSync(join(FOLDER, name), text);
