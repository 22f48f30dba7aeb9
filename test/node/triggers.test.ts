// The cron triggers of wrangler.toml agree with the worker: it tells the trigger that only restores
// alarms by its text.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");

it("the worker restores alarms every quarter of an hour, and sweeps once an hour", () => {
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
