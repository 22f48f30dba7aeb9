// Prints the size of the worker's bundle after gzip, and fails if the bundle is larger than its
// cap. `npm run check` runs it. A larger bundle starts later, because a new isolate compiles it. On
// the free plan, Cloudflare refuses a bundle over 3 MB. A change that needs more space raises the
// cap in its own commit and gives the reason.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { ROOT } from "../dev/dev-settings.ts";
import { buildDeployedWorker } from "./deployed-worker.ts";

const CAP_KB = 600;

const work = mkdtempSync(join(tmpdir(), "postern-size-"));
try {
  const kilobytes = gzipSync(buildDeployedWorker(ROOT, work)).length / 1024;
  console.log(`the worker's bundle, gzipped: ${kilobytes.toFixed(1)} KB of ${CAP_KB}`);
  if (kilobytes > CAP_KB) process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true });
}
