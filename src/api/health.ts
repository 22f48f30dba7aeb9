// GET /healthz answers 200 if the settings are valid and every database, the queues and a ledger
// answer. Otherwise it answers 503 with the names of the failing checks and, if known, the command
// that repairs each fault. It shows no other detail, because it needs no credentials. An answer is
// cached for a second, so frequent calls are cheap.
import type { Env } from "../env.ts";
import { boundCores, coreDatabase } from "../db/core-shards.ts";
import { CORE_PROBE, SHARD_PROBE } from "../db/schema-probes.ts";
import { settingsOf } from "../settings.ts";
import { withTimeout } from "../lib/with-timeout.ts";
import { hintFor, logError } from "../lib/log.ts";
import { QUEUE_BINDINGS } from "../resources/dead-letters/job-queues.ts";
import { missingGateway } from "./local-gateway.ts";
import { objectOf } from "../object-of.ts";

const CHECK_TIMEOUT_MS = 2_000;
const CACHE_MS = 1_000;
/**
 * The name of the ledger that the check calls. No team has this name, so that ledger is empty and
 * stores nothing.
 */
const PROBE_LEDGER = "healthz";

interface Health {
  readonly status: "ok" | "failing";
  readonly checks: Readonly<Record<string, boolean>>;
  /** The commands that repair the faults, by the name of the check that found the fault. */
  readonly hints?: Readonly<Record<string, string>>;
}

interface Found {
  readonly name: string;
  readonly ok: boolean;
  readonly hint: string | undefined;
}

const known = new WeakMap<Env, { readonly health: Health; readonly until: number }>();

export async function health(env: Env, now: number): Promise<Response> {
  const cached = known.get(env);
  const current = cached && cached.until > now ? cached.health : await check(env, now);
  return Response.json(current, { status: current.status === "ok" ? 200 : 503 });
}

async function check(env: Env, now: number): Promise<Health> {
  const asked = Object.entries(checksOf(env, now)).map(([name, ask]) => answerOf(name, ask));
  const [gateway, ...found] = await Promise.all([missingGateway(env), ...asked]);
  const hints = [...found, { name: "gateway", hint: gateway }].flatMap(({ name, hint }) =>
    hint === undefined ? [] : [[name, hint]],
  );
  const current: Health = {
    status: found.every(({ ok }) => ok) ? "ok" : "failing",
    checks: Object.fromEntries(found.map(({ name, ok }) => [name, ok])),
    ...(hints.length > 0 ? { hints: Object.fromEntries(hints) } : {}),
  };
  known.set(env, { health: current, until: Date.now() + CACHE_MS });
  return current;
}

function checksOf(env: Env, now: number): Record<string, () => unknown> {
  const shards = Object.keys(env).filter((name) => /^SHARD_\d+$/.test(name));
  return {
    settings: () => settingsOf(env),
    ...Object.fromEntries(
      boundCores(env).map((shard) => [
        shard === 0 ? "database" : `core_${shard}`,
        () => coreDatabase(env, shard).prepare(CORE_PROBE).run(),
      ]),
    ),
    ...Object.fromEntries(
      shards.map((name) => [
        name.toLowerCase(),
        () => shardOf(env, name).prepare(SHARD_PROBE).run(),
      ]),
    ),
    queues: () => Promise.all(Object.values(QUEUE_BINDINGS).map((name) => env[name].metrics())),
    ledger: () => objectOf(env, "TEAM_LEDGER", PROBE_LEDGER).usage(now),
  };
}

function shardOf(env: Env, name: string): D1Database {
  return (env as unknown as Record<string, D1Database>)[name] as D1Database;
}

async function answerOf(name: string, ask: () => unknown): Promise<Found> {
  try {
    await withTimeout(CHECK_TIMEOUT_MS, ask);
    return { name, ok: true, hint: undefined };
  } catch (error) {
    logError("unhealthy", error, { check: name });
    return { name, ok: false, hint: hintFor(error) };
  }
}
