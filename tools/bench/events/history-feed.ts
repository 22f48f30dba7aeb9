// Adds an endpoint to the worker for a bench that needs history. The endpoint makes events and
// writes them into chunks as a team's ledger does, but sends no mail. A response header has the SQL
// time of these writes.
import { type AppendedEvents, eventsOf, type Maker } from "./made-events.ts";

/** A team in the worker's database. */
export interface FedTeam {
  readonly id: string;
  readonly number: number;
}

/**
 * Asks for `count` messages of one day, beginning with number `from`. `perDay` is the number of
 * messages of the whole day. `dayStart` is the beginning of the day in Unix milliseconds. Requests
 * for the messages of a day must come in order.
 */
export interface HistoryFeed {
  readonly teams: readonly FedTeam[];
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

interface Chunk {
  readonly team: FedTeam;
  readonly day: string;
  readonly at: number;
  readonly lastSeq: number;
  readonly messages: readonly Pick<AppendedEvents, "message" | "events">[];
  readonly isStray: boolean;
}

export interface Parts extends Maker {
  readonly writeChunks: (
    db: Database,
    chunks: readonly [Chunk],
    alongside: readonly object[],
  ) => Promise<unknown>;
  readonly countStatements: (
    db: Database,
    chunks: readonly [Chunk],
    firstKey: number,
    simulated: string,
  ) => Promise<readonly object[]>;
  readonly chunkKey: (team: FedTeam, day: string, at: number) => number;
  readonly dayOf: (ms: number) => string;
}

export const FEED_PATH = "/bench/history";
export const SQL_HEADER = "Bench-Sql-Ms";
/** The number of a team's events that form a chunk (src/ledger/log/chunk-plans.ts). */
const CHUNK_WORTH = 64;

/** Events of each team that are in no chunk yet. */
const waiting = new Map<number, AppendedEvents[]>();

export function withHistoryFeed(worker: Handler, parts: Parts): Handler {
  let sqlMs = 0;
  const timed = (source: Statements): Statements => ({
    prepare: (sql) => source.prepare(sql),
    async batch(statements) {
      const results = await source.batch(statements);
      for (const { meta } of results) sqlMs += meta.timings?.sql_duration_ms ?? Number.NaN;
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
      if (new URL(request.url).pathname === FEED_PATH) {
        const wanted = (await request.json()) as HistoryFeed;
        return Response.json({ events: await feed(env.SHARD_0, wanted, parts) });
      }
      sqlMs = 0;
      const response = await worker.fetch(request, (watched ??= withTime(env)), context);
      const answer = new Response(response.body, response);
      answer.headers.set(SQL_HEADER, String(sqlMs));
      return answer;
    },
  };
}

async function feed(
  shard: Database,
  { teams, from, count, ...day }: HistoryFeed,
  parts: Parts,
): Promise<number> {
  const all = Array.from({ length: count }, (_, index) =>
    eventsOf(from + index, { teams, ...day }, parts),
  ).flat();
  for (const one of all) waiting.set(one.team, [...(waiting.get(one.team) ?? []), one]);
  const isDayOver = from + count >= day.perDay;
  // The last events of this request may have later times than the first events of the next request.
  // They wait for the next request, so that chunks stay in order of time.
  const latest = isDayOver
    ? Number.POSITIVE_INFINITY
    : Math.min(...all.slice(-1).map(({ at }) => at)) - 2 * 60_000;
  for (const [index, team] of teams.entries())
    await writeDue(shard, team, index, latest, isDayOver, parts);
  return all.reduce((sum, { events }) => sum + events.length, 0);
}

/**
 * Writes a team's events up to `latest` into chunks. The remaining events become the last chunk at
 * the end of the day.
 */
async function writeDue(
  shard: Database,
  team: FedTeam,
  index: number,
  latest: number,
  isLast: boolean,
  parts: Parts,
): Promise<void> {
  const appended = (waiting.get(index) ?? []).toSorted((left, right) => left.at - right.at);
  let [taken, seen, events] = [0, 0, 0];
  for (const { at, events: some } of appended) {
    if (at > latest) break;
    seen += 1;
    events += some.length;
    if (events < CHUNK_WORTH && !(isLast && seen === appended.length)) continue;
    await writeRows(shard, team, appended.slice(taken, seen), parts);
    [taken, events] = [seen, 0];
  }
  waiting.set(index, appended.slice(taken));
}

async function writeRows(
  shard: Database,
  team: FedTeam,
  rows: readonly AppendedEvents[],
  parts: Parts,
): Promise<void> {
  const at = rows[0]!.at;
  const byMessage = Map.groupBy(rows, ({ message }) => message.emailId);
  const messages = Array.from(byMessage.values(), (some) => ({
    message: some[0]!.message,
    events: some.flatMap((one) => one.events),
  }));
  const chunk = { team, day: parts.dayOf(at), at, lastSeq: at, messages, isStray: false };
  const key = parts.chunkKey(team, chunk.day, at);
  const counts = await parts.countStatements(shard, [chunk], key, "simulator.test");
  await parts.writeChunks(shard, [chunk], counts);
}
