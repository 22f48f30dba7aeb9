// Compares the cron triggers of wrangler.toml with what the worker does at each. One trigger only
// wakes ledgers, and the code and wrangler.toml must have the same expression for it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");

it("the worker wakes ledgers every 15 minutes, and sweeps every hour", () => {
  const [, crons = ""] =
    /^crons = (\[.*\])$/m.exec(readFileSync(join(ROOT, "wrangler.toml"), "utf8")) ?? [];
  const [, alarmCheck] =
    /export const ALARM_CHECK = "([^"]+)"/.exec(
      readFileSync(join(ROOT, "src", "sweep.ts"), "utf8"),
    ) ?? [];
  const [sweeping, ...others] = (JSON.parse(crons) as string[]).filter(
    (cron) => cron !== alarmCheck,
  );
  expect([alarmCheck, others]).toEqual(["*/15 * * * *", []]);
  expect(sweeping).toMatch(/^\d+ \* \* \* \*$/);
});
