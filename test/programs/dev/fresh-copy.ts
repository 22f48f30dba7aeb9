// Makes a copy of the repository like a fresh clone, in the temporary folder. It leaves out files
// that earlier starts of this checkout made, and links the dependencies.
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../../..");
const PARTS = [
  "migrations",
  "package-lock.json",
  "package.json",
  "public",
  "smtp-gateway",
  "src",
  "tools/dev",
  "tools/harness",
  "wrangler.toml",
];

export class FreshCopy {
  readonly path = mkdtempSync(join(tmpdir(), "postern-copy-"));

  constructor() {
    // The copy keeps the lockfile's time, so that the dependencies do not look older than the
    // lockfile.
    const options = {
      recursive: true,
      preserveTimestamps: true,
      filter: (from: string) => !from.includes("node_modules"),
    };
    for (const part of PARTS) cpSync(join(ROOT, part), join(this.path, part), options);
    symlinkSync(join(ROOT, "node_modules"), join(this.path, "node_modules"));
  }

  /** The environment variables for `npx` and `npm run`, without a network. */
  get environment(): Record<string, string | undefined> {
    const offline = {
      CI: "1",
      WRANGLER_SEND_METRICS: "false",
      CLOUDFLARE_CF_FETCH_ENABLED: "false",
      NO_COLOR: "1",
    };
    return {
      ...process.env,
      ...offline,
      PATH: `${join(this.path, "node_modules", ".bin")}:${process.env["PATH"]}`,
    };
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true, maxRetries: 5 });
  }
}
