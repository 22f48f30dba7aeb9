// The one object that collects the numbers of all isolates, ledgers and webhooks (GET
// /admin/metrics). Counters are sums of what isolates report. All counters are saved together at
// most once a second, so a message costs only a fraction of a row write. Gauges are the last report
// of each source. An empty source has no row.
import { DurableObject } from "cloudflare:workers";
import type { Env } from "../../env.ts";
import { DAY_MS } from "../../limits.ts";
import type {
  Gauges,
  Reading,
  Samples,
  MetricsAggregator,
  Worst,
} from "../../rpc/metrics-calls.ts";
import { settingsOf } from "../../settings.ts";
import { countTeams, rankTeams } from "../attention/attention-rank.ts";

const SAVE_EVERY_MS = 1_000;
const TOTALS = "totals";
/**
 * A report that is this old is dropped. A ledger that is not empty reports at least every few
 * hours, because its longest wait between attempts is a few hours.
 */
const FORGOTTEN_MS = DAY_MS;

interface Report {
  readonly at: number;
  readonly gauges: Gauges;
}

export class Metrics extends DurableObject<Env> implements MetricsAggregator {
  readonly #saveEveryMs: number;
  readonly #totals: Record<string, number>;
  readonly #reports = new Map<string, Report>();
  #saving: Promise<void> | undefined;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#saveEveryMs = Math.min(SAVE_EVERY_MS, settingsOf(env).metricsFlushMs);
    this.#totals = ctx.storage.kv.get<Record<string, number>>(TOTALS) ?? {};
    ctx.storage.sql.exec(
      "CREATE TABLE IF NOT EXISTS reports (source TEXT PRIMARY KEY, at INTEGER NOT NULL, " +
        "gauges TEXT NOT NULL) WITHOUT ROWID",
    );
    const rows = ctx.storage.sql.exec<{ source: string; at: number; gauges: string }>(
      "SELECT source, at, gauges FROM reports",
    );
    for (const { source, at, gauges } of rows)
      this.#reports.set(source, { at, gauges: JSON.parse(gauges) as Gauges });
  }

  /** Adds counts. Resolves when they are saved. Calls that arrive meanwhile share the save. */
  async add(samples: Samples): Promise<void> {
    for (const [key, value] of Object.entries(samples))
      this.#totals[key] = (this.#totals[key] ?? 0) + value;
    await (this.#saving ??= this.#save());
  }

  /**
   * Replaces the report of `source`, such as a team's ledger. Null deletes the report, because the
   * source is empty.
   */
  report(source: string, gauges: Gauges | null, now: number): void {
    if (gauges === null) return this.#forget(source);
    this.#reports.set(source, { at: now, gauges });
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
    return { counters: this.#totals, gauges };
  }

  readWorst(
    { skip, limit }: { readonly skip: number; readonly limit: number },
    now: number,
  ): Worst {
    this.#forgetOld(now);
    const ranked = rankTeams(this.#reports, now);
    return { counts: countTeams(ranked), worst: ranked.slice(skip, skip + limit) };
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
