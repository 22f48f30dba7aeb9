// The worker with a door of the bench's own into its history: events are made here and recorded as the pipeline records them, without the mail that they would be of.
// And it says what SQL the answer to a request took, in a header.
import { eventsOf, type Maker, type RecordedEvent } from "./made-events.ts";

/** Messages `from` to `from + count`, of `perDay` on the day that begins at `dayStart` (Unix milliseconds). */
export interface Feed {
  readonly teamIds: readonly string[];
  readonly dayStart: number;
  readonly perDay: number;
  readonly from: number;
  readonly count: number;
}

interface Statements {
  prepare(sql: string): object;
  batch(statements: readonly object[]): Promise<readonly Result[]>;
}

interface Result {
  readonly meta: { readonly timings?: { readonly sql_duration_ms: number } };
}

interface Database extends Statements {
  withSession(constraint: string): Statements & { getBookmark(): string | null };
}

interface Env {
  readonly SHARD_0: Database;
}

interface Handler {
  fetch(request: Request, env: Env, context: unknown): Response | Promise<Response>;
}

export interface Parts extends Maker {
  readonly insertHistory: (db: Database, messages: readonly never[], events: readonly RecordedEvent[]) => Promise<void>;
}

export const FEED_PATH = "/bench/history";
export const SQL_HEADER = "Bench-Sql-Ms";
/** In one transaction, as a large recording of the pipeline. */
const MESSAGES_AT_ONCE = 200;

export function withHistoryFeed(worker: Handler, parts: Parts): Handler {
  let sqlMs = 0;
  const timed = (source: Statements): Statements => ({
    prepare: (sql) => source.prepare(sql),
    async batch(statements) {
      const results = await source.batch(statements);
      sqlMs += results.reduce((sum, { meta }) => sum + (meta.timings?.sql_duration_ms ?? Number.NaN), 0);
      return results;
    },
  });
  const withTime = (env: Env): Env => {
    const withSession = (constraint: string): ReturnType<Database["withSession"]> => {
      const session = env.SHARD_0.withSession(constraint);
      return { ...timed(session), getBookmark: () => session.getBookmark() };
    };
    return { ...env, SHARD_0: { ...timed(env.SHARD_0), withSession } };
  };
  let watched: Env | undefined;
  return {
    ...worker,
    async fetch(request, env, context) {
      if (new URL(request.url).pathname === FEED_PATH)
        return Response.json({ events: await feed(env, (await request.json()) as Feed, parts) });
      sqlMs = 0;
      const response = await worker.fetch(request, (watched ??= withTime(env)), context);
      const answer = new Response(response.body, response);
      answer.headers.set(SQL_HEADER, String(sqlMs));
      return answer;
    },
  };
}

async function feed({ SHARD_0: history }: Env, { from, count, ...day }: Feed, { insertHistory, ...maker }: Parts): Promise<number> {
  let recorded = 0;
  for (let first = from; first < from + count; first += MESSAGES_AT_ONCE) {
    const numbers = Array.from({ length: Math.min(MESSAGES_AT_ONCE, from + count - first) }, (_, index) => first + index);
    const events = numbers.flatMap((number) => eventsOf(number, day, maker));
    await insertHistory(history, [], events);
    recorded += events.length;
  }
  return recorded;
}
