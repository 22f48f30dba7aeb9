// `bench events`: reads pages of GET /v1/events from five million events of twenty teams in thirty
// days, with every filter, in recent and in old periods of time. It reports, for each page, the SQL
// time that D1 states and the time that the caller waits.
import type { BenchOptions } from "../bench-options.ts";
import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Pool } from "undici";
import { callApi } from "../harness/http-api.ts";
import { type Bundle, bundleEntry } from "../../harness/worker-bundle.ts";
import { CONFIG, ROOT } from "../../harness/compatibility.ts";
import { type Cleanup, temporaryFolder } from "../../harness/cleanup.ts";
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
  milliseconds,
  percentile,
  type BenchResult,
  type BenchRow,
} from "../harness/bench-result.ts";
import { ADMIN_TOKEN, createTenant, newDkimKey, VARS } from "../../harness/tenant.ts";
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

interface Cell {
  readonly filter: string;
  readonly window: string;
  readonly samples: readonly Sample[];
}

export async function events({ size }: BenchOptions, cleanup: Cleanup): Promise<BenchResult> {
  const root = await temporaryFolder(cleanup);
  await mkdir(join(root, "worker"));
  const worker = await startWorker(cleanup, await bundleFed(cleanup, join(root, "worker")), {
    state: join(root, "state"),
    vars: VARS,
  });
  const { teamId, apiKey } = await createTenant(worker, 1, newDkimKey());
  await callApi({ origin: worker.origin, apiKey: ADMIN_TOKEN }, "PATCH", `/admin/teams/${teamId}`, {
    event_retention_days: DAYS,
  });
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
  const recorded = await record(
    worker,
    [{ id: teamId, number: Number(number) }, ...others],
    perDay,
    today,
  );
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
    rows: [...cells.map(cellRow), ...totalRows(cells), bytesRow(bytes)],
  };
}

function bundleFed(cleanup: Cleanup, folder: string): Promise<Bundle> {
  const source = (...path: string[]): string => JSON.stringify(join(ROOT, "src", ...path));
  const feed = JSON.stringify(fileURLToPath(import.meta.resolve("../events/history-feed.ts")));
  const entry = [
    `import worker from ${source("worker.ts")};`,
    `import { uuidv7 } from ${source("lib", "ids.ts")};`,
    `import { eventId } from ${source("rpc", "event-records.ts")};`,
    `import { chunkKey } from ${source("resources", "events", "store.ts")};`,
    `import { writeChunks } from ${source("resources", "events", "write-chunk.ts")};`,
    `import { countStatements } from ${source("resources", "stats", "store.ts")};`,
    `import { dayOf } from ${source("db", "days.ts")};`,
    `import { withHistoryFeed } from ${feed};`,
    `export * from ${source("worker.ts")};`,
    "export default withHistoryFeed(worker, { chunkKey, writeChunks, countStatements, dayOf, " +
      "eventId, uuidv7 });",
  ];
  return bundleEntry(cleanup, folder, entry.join("\n"), CONFIG);
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

async function ask(
  { origin }: Worker,
  apiKey: string,
  today: number,
  pages: number,
): Promise<Cell[]> {
  const pool = new Pool(origin, { connections: 1, pipelining: 1 });
  try {
    const page = async (
      query: Query,
    ): Promise<
      Sample & {
        readonly events: readonly { readonly email_id: string; readonly message_id: string }[];
      }
    > => {
      const begun = performance.now();
      const path = `/v1/events?${new URLSearchParams({ limit: String(PAGE), ...query }).toString()}`;
      const { statusCode, headers, body } = await pool.request({
        method: "GET",
        path,
        headers: { Authorization: `Bearer ${apiKey}` },
      });
      const text = await body.text();
      if (statusCode !== 200) throw new Error(`GET ${path}: ${statusCode} ${text}`);
      const { data } = JSON.parse(text) as { data: { email_id: string; message_id: string }[] };
      return {
        sql: Number(headers[SQL_HEADER.toLowerCase()]),
        whole: performance.now() - begun,
        events: data,
      };
    };
    const at = (days: number): string => new Date(today - days * DAY_MS).toISOString();
    const windows = {
      "a day": { start: at(1), end: at(0) },
      "7 days": { start: at(7), end: at(0) },
      "30 days": { start: at(DAYS), end: at(0) },
      far: { start: at(21), end: at(20) },
    };
    const cells: Cell[] = [];
    for (const [window, times] of Object.entries(windows)) {
      const { events: some } = await page(times);
      for (const [filter, query] of Object.entries(filtersFor(some[0]))) {
        await page({ ...times, ...query });
        const samples: Sample[] = [];
        while (samples.length < pages) samples.push(await page({ ...times, ...query }));
        cells.push({ filter, window, samples });
      }
    }
    return cells;
  } finally {
    await pool.destroy();
  }
}

/**
 * Returns the queries by name: without a filter, with one filter, with several, and with a filter
 * that matches nothing. Message number 1 belongs to the team whose events are read.
 */
function filtersFor(
  known: { readonly email_id: string; readonly message_id: string } | undefined,
): Record<string, Query> {
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

function cellRow({ filter, window, samples }: Cell): BenchRow {
  return {
    work: `${filter}; ${window}`,
    measured: figures(samples),
    against: "",
    ratio: null,
    goal: null,
    met: null,
  };
}

function totalRows(cells: readonly Cell[]): BenchRow[] {
  const all = cells.flatMap(({ samples }) => samples);
  const row = (figure: keyof Sample, name: string, fraction: number, goal: number): BenchRow => {
    const value = percentile(
      all.map((sample) => sample[figure]),
      fraction,
    );
    return {
      work: `all queries, ${figure}, ${name}`,
      measured: milliseconds(value),
      against: "",
      ratio: null,
      goal: `≤ ${goal} ms`,
      met: value <= goal,
    };
  };
  return [
    row("sql", "p50", 0.5, P50_GOAL_MS),
    row("sql", "p99", 0.99, P99_GOAL_MS),
    row("whole", "p99", 0.99, WHOLE_P99_GOAL_MS),
    {
      work: "all of them",
      measured: figures(all),
      against: "",
      ratio: null,
      goal: null,
      met: null,
    },
  ];
}

function bytesRow(bytes: number): BenchRow {
  return {
    work: "stored for a month, for each message",
    measured: `${Math.round(bytes)} bytes`,
    against: `${EVENTS_A_MESSAGE} events, with the index and the counts`,
    ratio: null,
    goal: `≤ ${BYTES_GOAL} bytes`,
    met: bytes <= BYTES_GOAL,
  };
}

/**
 * D1's clock counts whole milliseconds for each statement, so the mean of short times is more
 * precise than a median.
 */
function figures(samples: readonly Sample[]): string {
  const of = (figure: keyof Sample): string => {
    const values = samples.map((sample) => sample[figure]);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const [p50, p99] = [0.5, 0.99].map((part) => milliseconds(percentile(values, part)));
    return `mean ${milliseconds(mean)}, p50 ${p50}, p99 ${p99}`;
  };
  return `sql ${of("sql")}; whole ${of("whole")}`;
}
