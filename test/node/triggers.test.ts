// The cron triggers of wrangler.toml and what the worker makes of them: one only rouses, and its
// text stands in both places.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");

it("rouses every quarter of an hour, and sweeps once an hour", () => {
  const [, crons = ""] =
    /^crons = (\[.*\])$/m.exec(readFileSync(join(ROOT, "wrangler.toml"), "utf8")) ?? [];
  const [, rousing] =
    /export const ROUSING = "([^"]+)"/.exec(readFileSync(join(ROOT, "src", "sweep.ts"), "utf8")) ??
    [];
  const [sweeping, ...others] = (JSON.parse(crons) as string[]).filter((cron) => cron !== rousing);
  expect([rousing, others]).toEqual(["*/15 * * * *", []]);
  expect(sweeping).toMatch(/^\d+ \* \* \* \*$/);
});
