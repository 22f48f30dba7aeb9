// `npm run freeze`: stores the current OpenAPI document as the promise of a release. It refuses a
// document that breaks the previous release's promise.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { breakingChanges } from "./breaking-changes.ts";
import { FROZEN_FILE, frozenText, readFrozen } from "./frozen-document.ts";
import { readDocument } from "./read-document.ts";

const { version } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"),
) as { readonly version: string };
const document = readDocument("https://api.postern.test");
const broken = existsSync(FROZEN_FILE) ? breakingChanges(readFrozen(), document) : [];
if (broken.length === 0) writeFileSync(FROZEN_FILE, frozenText(version, document));
else {
  process.stderr.write(
    `the document was not frozen, because these changes would break clients:${broken.map((one) => `\n  ${one}`).join("")}\n`,
  );
  process.exitCode = 1;
}
