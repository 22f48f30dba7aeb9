// `npm run lint:openapi`: checks the OpenAPI document against Redocly's recommended rules, every
// warning an error. Makes no network requests.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readDocument } from "../../tools/openapi/read-document.ts";

const REDOCLY = join(
  fileURLToPath(import.meta.resolve("@redocly/cli/package.json")),
  "..",
  "bin",
  "cli.js",
);
const QUIET = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", NO_COLOR: "1" };

const folder = mkdtempSync(join(tmpdir(), "openapi-"));
try {
  writeFileSync(
    join(folder, "openapi.json"),
    JSON.stringify(readDocument("https://api.postern.test"), null, 2),
  );
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [REDOCLY, "lint", "openapi.json", "--extends=recommended-strict"],
    { cwd: folder, env: { ...process.env, ...QUIET }, encoding: "utf8" },
  );
  if (status !== 0) process.stderr.write(stdout + stderr);
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
