// GET /healthz (wire.md "Operator API"): 200 when the database, the queues and the team objects answer; 503 naming what does not.
import type { Env } from "../env.ts";
import { settingsOf } from "../env.ts";
import { logError } from "../lib/log.ts";

const CHECK_TIMEOUT_MS = 5_000;
/** No team has this name: the object answers, holds nothing, and goes away. */
const PROBE_LEDGER = "healthz";

export async function health(env: Env, now: number): Promise<Response> {
  const checks: Record<string, () => unknown> = {
    settings: () => settingsOf(env),
    database: () => env.DB.prepare("SELECT id FROM teams LIMIT 1").run(),
    history: () => env.HISTORY_0.prepare("SELECT 1").run(),
    queues: () => env.DELIVER.metrics(),
    ledger: () => env.TEAM_LEDGER.getByName(PROBE_LEDGER).usage(now),
  };
  const results = await Promise.all(Object.entries(checks).map(async ([name, check]) => [name, await answers(name, check)] as const));
  const healthy = results.every(([, ok]) => ok);
  return Response.json({ status: healthy ? "ok" : "failing", checks: Object.fromEntries(results) }, { status: healthy ? 200 : 503 });
}

async function answers(name: string, check: () => unknown): Promise<boolean> {
  try {
    await Promise.race([
      Promise.resolve().then(check),
      scheduler.wait(CHECK_TIMEOUT_MS).then(() => {
        throw new Error("no answer in time");
      }),
    ]);
    return true;
  } catch (error) {
    logError("unhealthy", error, { check: name });
    return false;
  }
}
