// Adds a call to the team's ledger for this bench. It fills the table of scheduled messages with
// copies of the first message, because a million sends would measure how they are accepted. It also
// counts the messages that are due.

/** The bench's request to a team's ledger. */
export interface LedgerFeedRequest {
  readonly teamId: string;
  /** Number of copies to add; 0: none. */
  readonly copies: number;
  /**
   * The due time of the copies, and the time until which due messages are counted, in Unix
   * milliseconds.
   */
  readonly at: number;
}

interface Feed {
  feed(copies: number, at: number): Promise<number>;
}

interface Env {
  readonly TEAM_LEDGER: { getByName(name: string): Feed };
}

interface Handler {
  fetch(request: Request, env: Env, context: unknown): Response | Promise<Response>;
}

interface Storage {
  readonly sql: {
    exec(query: string, ...values: readonly (string | number)[]): { one(): { rows: number } };
  };
}

type LedgerClass = new (context: { readonly storage: Storage }, env: Env) => object;

export const FEED_PATH = "/bench/scheduled";

/** The beginning of a version 7 UUID, without its last group. */
const ID_START = "substr(first.id, 1, length('email_') + 24)";
const COPY = `
  WITH RECURSIVE series (n) AS (SELECT ?1 + 1 UNION ALL SELECT n + 1 FROM series WHERE n < ?1 + ?2),
    first AS (SELECT * FROM scheduled ORDER BY seq LIMIT 1)
  INSERT INTO scheduled (id, due_at, accepted_at, recipients, campaign, priority, overage, labels, content_key, meta, content)
  SELECT ${ID_START} || printf('%012x', n), ?3, accepted_at, recipients, campaign, priority, overage, labels, content_key,
    replace(meta, first.id, ${ID_START} || printf('%012x', n)), content FROM series, first`;

/**
 * Adds feed(), which copies messages, to the class of the ledger. Restart the object after feed().
 */
export function feedableLedger(Base: LedgerClass): LedgerClass {
  return class extends Base {
    readonly #sql: Storage["sql"];

    constructor(context: { readonly storage: Storage }, env: Env) {
      super(context, env);
      this.#sql = context.storage.sql;
    }

    /** Adds copies, and returns how many messages are due until `at`. */
    feed(copies: number, at: number): number {
      const { rows } = this.#sql.exec("SELECT count(*) AS rows FROM scheduled").one();
      if (copies > 0) this.#sql.exec(COPY, rows, copies, at);
      return this.#sql.exec("SELECT count(*) AS rows FROM scheduled WHERE due_at <= ?", at).one()
        .rows;
    }
  };
}

export function withLedgerFeed(worker: Handler): Handler {
  return {
    ...worker,
    async fetch(request, env, context) {
      if (new URL(request.url).pathname !== FEED_PATH) return worker.fetch(request, env, context);
      const { teamId, copies, at } = (await request.json()) as LedgerFeedRequest;
      return Response.json({ due: await env.TEAM_LEDGER.getByName(teamId).feed(copies, at) });
    },
  };
}
