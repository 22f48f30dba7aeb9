// GET /healthz (wire.md "Operator API"): 200 when every database, queue and kind of object answers; 503 naming what does not, and no more: it is open.
// An answer holds for a second, so that asking often costs nothing.
import type { Env } from "../env.ts";
import { settingsOf } from "../env.ts";
import { within } from "../lib/deadline.ts";
import { logError } from "../lib/log.ts";
import { QUEUES } from "../resources/dead-letters/queues.ts";

const CHECK_TIMEOUT_MS = 2_000;
const CACHE_MS = 1_000;
/** No team has this name: the object answers, holds nothing, and goes away. */
const PROBE_LEDGER = "healthz";

interface Health {
  readonly status: "ok" | "failing";
  readonly checks: Readonly<Record<string, boolean>>;
}

const known = new WeakMap<Env, { readonly health: Health; readonly until: number }>();

export async function health(env: Env, now: number): Promise<Response> {
  const cached = known.get(env);
  const current = cached && cached.until > now ? cached.health : await check(env, now);
  const headers = { "Cache-Control": "no-store" };
  return Response.json(current, { status: current.status === "ok" ? 200 : 503, headers });
}

async function check(env: Env, now: number): Promise<Health> {
  const results = await Promise.all(
    Object.entries(checksOf(env, now)).map(async ([name, ask]) => [name, await answers(name, ask)] as const),
  );
  const found: Health = { status: results.every(([, ok]) => ok) ? "ok" : "failing", checks: Object.fromEntries(results) };
  known.set(env, { health: found, until: Date.now() + CACHE_MS });
  return found;
}

function checksOf(env: Env, now: number): Record<string, () => unknown> {
  const shards = Object.keys(env).filter((name) => /^HISTORY_\d+$/.test(name));
  return {
    settings: () => settingsOf(env),
    database: () => env.DB.prepare("SELECT id FROM teams LIMIT 1").run(),
    ...Object.fromEntries(shards.map((name) => [name.toLowerCase(), () => shardOf(env, name).prepare("SELECT 1").run()])),
    queues: () => Promise.all(Object.values(QUEUES).map((queue) => queue(env).metrics())),
    ledger: () => env.TEAM_LEDGER.getByName(PROBE_LEDGER).usage(now),
  };
}

function shardOf(env: Env, name: string): D1Database {
  return (env as unknown as Record<string, D1Database>)[name] as D1Database;
}

async function answers(name: string, ask: () => unknown): Promise<boolean> {
  try {
    await within(CHECK_TIMEOUT_MS, ask);
    return true;
  } catch (error) {
    logError("unhealthy", error, { check: name });
    return false;
  }
}
