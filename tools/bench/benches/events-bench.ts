// `bench events`: reads pages of GET /v1/events from five million events of twenty teams in thirty
// days, with every filter, in recent and in old periods of time. It reports, for each page, the SQL
// time that D1 states and the time that the caller waits.
import type { BenchOptions } from "../bench-options.ts";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Pool } from "undici";
import { callApi } from "../harness/http-api.ts";
import { type Bundle, bundleEntry } from "../../harness/worker-bundle.ts";
import { ROOT } from "../../harness/compatibility.ts";
import type { Cleanup } from "../../harness/cleanup.ts";
import { type HistoryFeed, FEED_PATH, type FedTeam, SQL_HEADER } from "../events/history-feed.ts";
import {
  campaignOf,
  DAY_MS,
  domainOf,
  recipientOf,
  tagsOf,
  templateOf,
  topicOf,
  wordOf,
} from "../events/made-events.ts";
import {
  atMost,
  percentile,
  milliseconds,
  spread,
  type BenchResult,
  type BenchRow,
} from "../harness/bench-result.ts";
import { ADMIN_TOKEN, createTenant, VARS } from "../../harness/tenant.ts";
import { startWorker, type Worker } from "../../harness/workerd.ts";

const DAYS = 30;
const TEAMS = 20;
const EVENTS = { full: 5_000_000, quick: 100_000, smoke: 5_000 };
const EVENTS_A_MESSAGE = 2.35;
const MESSAGES_A_CALL = 5_000;
const PAGE = 100;
/** Number of measured pages for each filter and window, after one uncounted page. */
const PAGES = { full: 20, quick: 20, smoke: 1 };
const P50_GOAL_MS = 2;
const P99_GOAL_MS = 20;
const WHOLE_P99_GOAL_MS = 40;
/** The goal: the most bytes of one message's events, with the index and the counts. */
const BYTES_GOAL = 220;

/** Times for the pages of one filter and one window, in milliseconds. */
interface Sample {
  readonly sql: number;
  readonly whole: number;
}

type Query = Readonly<Record<string, string>>;
type Ids = Readonly<Record<"email_id" | "message_id", string>>;

interface Cell {
  readonly filter: string;
  readonly window: string;
  readonly samples: readonly Sample[];
}

export async function events({ size }: BenchOptions, cleanup: Cleanup): Promise<BenchResult> {
  const worker = await startWorker(cleanup, await bundleFed(cleanup), { vars: VARS });
  const { teamId, apiKey } = await createTenant(worker);
  const operator = { origin: worker.origin, apiKey: ADMIN_TOKEN };
  await callApi(operator, "PATCH", `/admin/teams/${teamId}`, { event_retention_days: DAYS });
  console.error("recording");
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const [{ number } = {}] = await worker.stores.run(
    "DB",
    "SELECT number FROM teams WHERE id = ?1",
    teamId,
  );
  const others = Array.from({ length: TEAMS - 1 }, (_, index) => ({
    id: `team_${randomUUID()}`,
    number: Number(number) + 1 + index,
  }));
  const perDay = Math.round(EVENTS[size] / DAYS / EVENTS_A_MESSAGE);
  const bytesBefore = await worker.stores.bytesOf("SHARD_0");
  const teams = [{ id: teamId, number: Number(number) }, ...others];
  const recorded = await record(worker, teams, perDay, today);
  const bytes = ((await worker.stores.bytesOf("SHARD_0")) - bytesBefore) / (perDay * DAYS);
  console.error("asking");
  const cells = await ask(worker, apiKey, today, PAGES[size]);
  return {
    notes: [
      `${recorded.toLocaleString("en-US")} events of ${TEAMS} teams in the ${DAYS} days ` +
        `before today, written by the worker's own code; a response has up to ${PAGE} events; ` +
        `${PAGES[size]} responses for each filter and window`,
      "sql: the time that D1 reports for the statements of a response; whole: the time of the " +
        "request, with key and rate checks, for one caller on a kept connection",
      'windows end with yesterday; the window "far" is one day, twenty days ago',
    ],
    rows: [
      ...cells.map(({ filter, window, samples }) => figuresRow(`${filter}; ${window}`, samples)),
      ...totalRows(cells.flatMap(({ samples }) => samples)),
      {
        work: "stored for a month, for each message",
        measured: `${Math.round(bytes)} bytes`,
        against: `${EVENTS_A_MESSAGE} events, with the index and the counts`,
        ...atMost(BYTES_GOAL, bytes, " bytes"),
      },
    ],
  };
}

/** The functions of the worker that the feed calls, and their files. */
const FED_PARTS = {
  uuidv7: "lib/ids.ts",
  eventId: "rpc/event-records.ts",
  chunkKey: "resources/events/store.ts",
  writeChunks: "resources/events/write-chunk.ts",
  countStatements: "resources/stats/store.ts",
  dayOf: "db/days.ts",
};

function bundleFed(cleanup: Cleanup): Promise<Bundle> {
  const source = (path: string): string => JSON.stringify(join(ROOT, "src", path));
  const feed = JSON.stringify(fileURLToPath(import.meta.resolve("../events/history-feed.ts")));
  const entry = [
    `import worker from ${source("worker.ts")};`,
    ...Object.entries(FED_PARTS).map(([name, path]) => `import { ${name} } from ${source(path)};`),
    `import { withHistoryFeed } from ${feed};`,
    `export * from ${source("worker.ts")};`,
    `export default withHistoryFeed(worker, { ${Object.keys(FED_PARTS).join(", ")} });`,
  ];
  return bundleEntry(cleanup, entry.join("\n"));
}

/** Records the events. Returns their number. */
async function record(
  { origin }: Worker,
  teams: readonly FedTeam[],
  perDay: number,
  today: number,
): Promise<number> {
  let recorded = 0;
  for (let age = DAYS; age > 0; age -= 1) {
    for (let from = 0; from < perDay; from += MESSAGES_A_CALL) {
      const count = Math.min(MESSAGES_A_CALL, perDay - from);
      const feed: HistoryFeed = { teams, dayStart: today - age * DAY_MS, perDay, from, count };
      recorded += (
        await callApi<{ events: number }>({ origin, apiKey: "" }, "POST", FEED_PATH, feed)
      ).events;
    }
  }
  return recorded;
}

/** Reads pages with each filter in each window. */
async function ask(
  { origin }: Worker,
  apiKey: string,
  today: number,
  pages: number,
): Promise<Cell[]> {
  const pool = new Pool(origin, { connections: 1, pipelining: 1 });
  const page = async (query: Query): Promise<Sample & { readonly data: readonly Ids[] }> => {
    const begun = performance.now();
    const path = `/v1/events?${new URLSearchParams({ limit: String(PAGE), ...query }).toString()}`;
    const request = {
      method: "GET",
      path,
      headers: { Authorization: `Bearer ${apiKey}` },
    } as const;
    const { statusCode, headers, body } = await pool.request(request);
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`GET ${path}: ${statusCode} ${text}`);
    const { data } = JSON.parse(text) as { readonly data: readonly Ids[] };
    const sql = Number(headers[SQL_HEADER.toLowerCase()]);
    return { sql, whole: performance.now() - begun, data };
  };
  const at = (days: number): string => new Date(today - days * DAY_MS).toISOString();
  const windows = {
    "a day": { start: at(1), end: at(0) },
    "7 days": { start: at(7), end: at(0) },
    "30 days": { start: at(DAYS), end: at(0) },
    far: { start: at(21), end: at(20) },
  };
  const cells: Cell[] = [];
  try {
    for (const [window, times] of Object.entries(windows)) {
      const { data: some } = await page(times);
      for (const [filter, query] of Object.entries(filtersFor(some[0]))) {
        await page({ ...times, ...query });
        const samples: Sample[] = [];
        while (samples.length < pages) samples.push(await page({ ...times, ...query }));
        cells.push({ filter, window, samples });
      }
    }
  } finally {
    await pool.destroy();
  }
  return cells;
}

/**
 * Returns the queries by name: without a filter, with one filter, with several, and with a filter
 * that matches nothing. Message number 1 belongs to the team whose events are read.
 */
function filtersFor(known: Ids | undefined): Record<string, Query> {
  if (!known) throw new Error("a window has no events");
  const number = 1;
  return {
    none: {},
    "event_type, frequent": { event_type: "email.sent" },
    "event_type, rare": { event_type: "email.bounced" },
    recipient: { recipient: recipientOf(number) },
    email_id: { email_id: known.email_id },
    message_id: { message_id: known.message_id },
    domain: { domain: domainOf(number) },
    recipient_domain: { recipient_domain: recipientOf(number).replace(/^.*@/, "") },
    "event_type and provider": { event_type: "email.bounced", provider: "other" },
    topic: { topic: topicOf(number) },
    campaign: { campaign: campaignOf(number) ?? "" },
    template_id: { template_id: templateOf(number) },
    tags: { tags: tagsOf(number).join(",") },
    "event_type and campaign": { event_type: "email.opened", campaign: campaignOf(number) ?? "" },
    "two tags, a topic and a type": {
      event_type: "email.bounced",
      topic: topicOf(7),
      tags: tagsOf(7).join(","),
    },
    "subject's words": { subject: `order ${wordOf(number)}` },
    nothing: { campaign: "never-used" },
  };
}

function totalRows(all: readonly Sample[]): BenchRow[] {
  const row = (figure: keyof Sample, fraction: number, goal: number): BenchRow => {
    const times = all.map((sample) => sample[figure]);
    return {
      work: `all queries, ${figure}`,
      measured: spread(times, fraction),
      ...atMost(goal, percentile(times, fraction), " ms"),
    };
  };
  return [
    row("sql", 0.5, P50_GOAL_MS),
    row("sql", 0.99, P99_GOAL_MS),
    row("whole", 0.99, WHOLE_P99_GOAL_MS),
    figuresRow("all queries", all),
  ];
}

/**
 * D1's clock counts whole milliseconds for each statement, so the mean of short times is more
 * precise than a median.
 */
function figuresRow(work: string, samples: readonly Sample[]): BenchRow {
  const of = (figure: keyof Sample): string => {
    const values = samples.map((sample) => sample[figure]);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return `${figure} mean ${milliseconds(mean)}, ${spread(values, 0.5, 0.99)}`;
  };
  return { work, measured: `${of("sql")}; ${of("whole")}` };
}
