// The single object that collects the numbers of all isolates, ledgers and webhooks (GET
// /admin/metrics), and stores the account's hold (account-hold.ts). Counters are sums of the
// isolates' counts. The object saves all counters together at most once a second, so a message
// costs only a fraction of a row write. Gauges are the last report of each source. A source without
// numbers has no row. Marks store past sums of the counters, to show how fast the counters grow.
import { DurableObject } from "cloudflare:workers";
import type { Env } from "../../env.ts";
import { DAY_MS } from "../../limits.ts";
import type {
  Gauges,
  CounterMark,
  Reading,
  Samples,
  MetricsAggregator,
  Worst,
} from "../../rpc/metrics-calls.ts";
import { MARK_EVERY_MS, MARK_LIFETIME_MS, markOf } from "../../metrics/sample-sums.ts";
import { settingsOf } from "../../settings.ts";
import type { ProbePermit, ProbeRequest, ActiveHold } from "../../rpc/holds.ts";
import { type AccountState, permitProbe, FREE } from "./account-hold.ts";
import { countTeams, rankTeams } from "../attention/attention-rank.ts";

const SAVE_EVERY_MS = 1_000;
const TOTALS = "totals";
const ACCOUNT = "account";
const MARKS = "marks";
const OVER = "over";
/**
 * The object deletes a report of this age. A ledger with open mail reports at least every few
 * hours, because the longest wait between two attempts is a few hours.
 */
const FORGOTTEN_MS = DAY_MS;

/**
 * Maximum number of reports, each of about 500 bytes. If a new report exceeds the maximum, the
 * object deletes the oldest report.
 */
export const SOURCES_MOST = 50_000;

interface Report {
  readonly at: number;
  readonly gauges: Gauges;
}

export class Metrics extends DurableObject<Env> implements MetricsAggregator {
  readonly #saveEveryMs: number;
  readonly #totals: Record<string, number>;
  #marks: readonly CounterMark[];
  readonly #reports = new Map<string, Report>();
  readonly #speedup: number;
  #account: AccountState;
  #saving: Promise<void> | undefined;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#saveEveryMs = Math.min(SAVE_EVERY_MS, settingsOf(env).metricsFlushMs);
    this.#speedup = settingsOf(env).retrySpeedup;
    this.#account = ctx.storage.kv.get<AccountState>(ACCOUNT) ?? FREE;
    this.#totals = ctx.storage.kv.get<Record<string, number>>(TOTALS) ?? {};
    this.#marks = ctx.storage.kv.get<readonly CounterMark[]>(MARKS) ?? [];
    ctx.storage.sql.exec(
      "CREATE TABLE IF NOT EXISTS reports (source TEXT PRIMARY KEY, at INTEGER NOT NULL, " +
        "gauges TEXT NOT NULL) WITHOUT ROWID",
    );
    const rows = ctx.storage.sql.exec<{ source: string; at: number; gauges: string }>(
      "SELECT source, at, gauges FROM reports ORDER BY at",
    );
    for (const { source, at, gauges } of rows)
      this.#reports.set(source, { at, gauges: JSON.parse(gauges) as Gauges });
  }

  /** Adds counts. Resolves when they are saved. Calls that arrive before the save share it. */
  async add(samples: Samples): Promise<void> {
    this.#mark(Date.now());
    for (const [key, value] of Object.entries(samples))
      this.#totals[key] = (this.#totals[key] ?? 0) + value;
    await (this.#saving ??= this.#save());
  }

  /**
   * Replaces the report of `source`, such as a team's ledger. `gauges` null: deletes the report,
   * because the source has no numbers any more.
   */
  report(source: string, gauges: Gauges | null, now: number): void {
    if (gauges === null) return this.#forget(source);
    this.#reports.delete(source);
    this.#reports.set(source, { at: now, gauges });
    if (this.#reports.size > SOURCES_MOST) this.#forget(this.#reports.keys().next().value!);
    this.ctx.storage.sql.exec(
      "INSERT OR REPLACE INTO reports VALUES (?, ?, ?)",
      source,
      now,
      JSON.stringify(gauges),
    );
  }

  read(now: number): Reading {
    const gauges: Record<string, number> = {};
    this.#forgetOld(now);
    for (const report of this.#reports.values())
      for (const [name, value] of Object.entries(report.gauges))
        gauges[name] = combine(name, gauges[name], value);
    return { counters: this.#totals, gauges, marks: this.#marks };
  }

  watch(over: readonly string[], now: number): Readonly<Record<string, number>> {
    const { kv } = this.ctx.storage;
    const before = kv.get<Readonly<Record<string, number>>>(OVER) ?? {};
    const since = Object.fromEntries(over.map((check) => [check, before[check] ?? now]));
    const isSame = over.every((check) => check in before);
    if (!isSame || Object.keys(before).length !== over.length) kv.put(OVER, since);
    return since;
  }

  readWorst(
    { skip, limit }: { readonly skip: number; readonly limit: number },
    now: number,
  ): Worst {
    this.#forgetOld(now);
    const ranked = rankTeams(this.#reports, now);
    return { counts: countTeams(ranked), worst: ranked.slice(skip, skip + limit) };
  }

  askAccount(question: ProbeRequest): ProbePermit {
    const [state, answer] = permitProbe(this.#account, question, Date.now(), this.#speedup);
    this.#keepAccount(state);
    return answer;
  }

  noteAccountFree(freedAt: number): void {
    this.#keepAccount({ hold: null, freedAt, probeAt: 0 });
  }

  accountHold(): ActiveHold | null {
    return this.#account.hold;
  }

  jurisdiction(): string | null {
    return this.ctx.id.jurisdiction ?? null;
  }

  /**
   * Stores the account's state. Does not write if only the time of the next probe changed, because
   * an early probe after a restart does no harm.
   */
  #keepAccount(state: AccountState): void {
    const { hold, freedAt } = this.#account;
    this.#account = state;
    const isSame = hold?.code === state.hold?.code && hold?.message === state.hold?.message;
    if (!isSame || freedAt !== state.freedAt) this.ctx.storage.kv.put(ACCOUNT, state);
  }

  #mark(now: number): void {
    if (now - (this.#marks.at(-1)?.at ?? Number.NEGATIVE_INFINITY) < MARK_EVERY_MS) return;
    const kept = this.#marks.filter(({ at }) => at >= now - MARK_LIFETIME_MS);
    this.#marks = [...kept, markOf(this.#totals, now)];
    this.ctx.storage.kv.put(MARKS, this.#marks);
  }

  async #save(): Promise<void> {
    await scheduler.wait(this.#saveEveryMs);
    this.#saving = undefined;
    this.ctx.storage.kv.put(TOTALS, this.#totals);
    await this.ctx.storage.sync();
  }

  #forgetOld(now: number): void {
    for (const [source, { at }] of this.#reports) if (at < now - FORGOTTEN_MS) this.#forget(source);
  }

  #forget(source: string): void {
    if (this.#reports.delete(source))
      this.ctx.storage.sql.exec("DELETE FROM reports WHERE source = ?", source);
  }
}

function combine(name: string, before: number | undefined, value: number): number {
  if (before === undefined) return value;
  return name.endsWith("At") ? Math.min(before, value) : before + value;
}
