// Reads and writes a worker's databases, buckets and ledgers without the worker's code, through a
// second worker in the same workerd (stores-worker.js). Miniflare's own bindings would block this
// process until workerd answers. If workerd then waited for this process to read its output, both
// would wait forever.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Miniflare } from "miniflare";
import { unstable_splitSqlQuery } from "wrangler";
import { COMPATIBILITY, ROOT } from "./compatibility.ts";

type Value = string | number;

interface Statement {
  readonly sql: string;
  readonly values: readonly Value[];
}

interface StatementResult {
  readonly rows: Record<string, unknown>[];
  /** The database's size. */
  readonly bytes: number;
}

type StoreCall =
  | { readonly kind: "sql"; readonly statements: readonly Statement[] }
  | { readonly kind: "put"; readonly key: string; readonly value: string }
  | { readonly kind: "usage"; readonly teamId: string };

/** The options of the first worker, which has the bindings. */
interface BoundWorker {
  readonly name: string;
  readonly d1Databases: Record<string, { id: string }>;
  readonly r2Buckets?: unknown;
  readonly durableObjects: Record<string, { className: string; scriptName?: string | undefined }>;
}

const HOST = "stores.internal";
const LEDGERS = "TEAM_LEDGER";
/**
 * The least number of events for which a ledger writes a chunk before the end of the day
 * (src/ledger/log/chunk-plans.ts).
 */
const CHUNK_WORTH = 64;
const MIGRATIONS: readonly (readonly [binding: string, folder: string])[] = [
  ["DB", "migrations/core"],
  ["SHARD_0", "migrations/shard"],
];

/** Returns the options of the second worker, which runs in the same workerd as `worker`. */
export function storesBeside({ name, d1Databases, r2Buckets = {}, durableObjects }: BoundWorker) {
  const ledgers = durableObjects[LEDGERS];
  return {
    name: `${name}-stores`,
    compatibilityDate: COMPATIBILITY.date,
    compatibilityFlags: [...COMPATIBILITY.flags],
    routes: [`${HOST}/*`],
    modules: [{ type: "ESModule" as const, path: join(import.meta.dirname, "stores-worker.js") }],
    modulesRoot: import.meta.dirname,
    d1Databases,
    r2Buckets: r2Buckets as Record<string, string>,
    durableObjects: ledgers
      ? { [LEDGERS]: { ...ledgers, scriptName: ledgers.scriptName ?? name } }
      : {},
  };
}

export class Stores {
  readonly #miniflare: Miniflare;

  constructor(miniflare: Miniflare) {
    this.#miniflare = miniflare;
  }

  /** Runs SQL in one of the worker's D1 databases. */
  async run(
    binding: string,
    sql: string,
    ...values: readonly Value[]
  ): Promise<Record<string, unknown>[]> {
    const [result] = await this.#sql(binding, [{ sql, values }]);
    return result!.rows;
  }

  /** Returns the size of one of the worker's D1 databases. */
  async bytesOf(binding: string): Promise<number> {
    const [result] = await this.#sql(binding, [{ sql: "SELECT 1", values: [] }]);
    return result!.bytes;
  }

  /** Puts an object into one of the worker's R2 buckets. */
  async put(binding: string, key: string, value: string): Promise<void> {
    await this.#call(binding, { kind: "put", key, value });
  }

  /**
   * Tells whether a team's work is finished. Every message must have its outcomes, the outcomes
   * must be dispatched, and no chunk of events may be due.
   */
  async isSettled(teamId: string): Promise<boolean> {
    const usage = await this.#call<Record<"messages" | "undelivered" | "unpaged", number>>(
      LEDGERS,
      { kind: "usage", teamId },
    );
    return usage.messages === 0 && usage.undelivered === 0 && usage.unpaged < CHUNK_WORTH;
  }

  /**
   * Makes the tables of the databases in `bindings`, by the migrations in the tree `root`. Skips
   * the migrations that the tree `applied` has, because their tables exist. A migration's name
   * identifies it, as in wrangler.
   */
  async migrate(bindings: readonly string[], root = ROOT, applied?: string): Promise<void> {
    for (const [binding, folder] of MIGRATIONS) {
      if (!bindings.includes(binding)) continue;
      const there = new Set(applied === undefined ? [] : await readdir(join(applied, folder)));
      const names = (await readdir(join(root, folder))).filter(
        (name) => name.endsWith(".sql") && !there.has(name),
      );
      for (const name of names.sort()) {
        const statements = unstable_splitSqlQuery(await readFile(join(root, folder, name), "utf8"));
        await this.#sql(
          binding,
          statements.map((sql) => ({ sql, values: [] })),
        );
      }
    }
  }

  #sql(binding: string, statements: readonly Statement[]): Promise<StatementResult[]> {
    return this.#call(binding, { kind: "sql", statements });
  }

  async #call<Result>(binding: string, call: StoreCall): Promise<Result> {
    const response = await this.#miniflare.dispatchFetch(`http://${HOST}/`, {
      method: "POST",
      body: JSON.stringify({ binding, ...call }),
    });
    if (!response.ok) throw new Error(`${binding}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Result;
  }
}
