// Downloads a CSV file of the events that match the log's filters, or of the messages that have
// such events.
import { api } from "../../api/api-client.ts";
import { PAGE_ROWS } from "../../api/pages.ts";
import type { ExportPart, ExportPlan } from "../../parts/export/export-run.ts";
import { csvName } from "../../parts/export/file-names.ts";
import { readPages } from "../../parts/export/patient-pages.ts";
import { readZone } from "../../parts/time/time-zone.ts";
import { eventsCsv, messagesCsv } from "./events-csv.ts";
import { groupByMessage } from "./message-groups.ts";
import { type LogQuery, windowStart } from "./messages-search.ts";
import type { LogEvent } from "./newest-events.ts";

/**
 * Returns the plan of the export. `query` has the filters. Events after `now` (Unix milliseconds)
 * are left out.
 */
export function logFile(query: LogQuery, view: "events" | "messages", now: number): ExportPlan {
  const { start = windowStart(1, now), end = new Date(now).toISOString() } = query;
  const window = { ...query, start, end };
  return {
    name: csvName(view, Date.parse(end), Date.parse(start)),
    total: null,
    read: (signal) =>
      (view === "events" ? readEvents : readMessages)(eventPages(window, signal), readZone()),
  };
}

type EventPages = AsyncIterable<readonly LogEvent[]>;

function eventPages(query: LogQuery, signal: AbortSignal): EventPages {
  const limit = PAGE_ROWS;
  return readPages(
    (after) =>
      api.events.list({ ...query, limit, ...(after !== null && { after }) }, { signal }).page(),
    signal,
  );
}

async function* readEvents(pages: EventPages, zone: string): AsyncGenerator<ExportPart, undefined> {
  let rows = 0;
  for await (const page of pages) {
    const text = eventsCsv(page, zone);
    yield { text: rows === 0 ? text : withoutNames(text), rows: rows + page.length };
    rows += page.length;
  }
}

/**
 * The events of one message can be many pages apart, so the rows are written after the last page.
 */
async function* readMessages(
  pages: EventPages,
  zone: string,
): AsyncGenerator<ExportPart, undefined> {
  const events: LogEvent[] = [];
  for await (const page of pages) {
    events.push(...page);
    yield { text: "", rows: events.length };
  }
  const groups = groupByMessage(events);
  const rows = groups.reduce((sum, { recipients }) => sum + recipients.length, 0);
  yield { text: messagesCsv(groups, zone), rows };
}

/** Removes the row of column names. */
function withoutNames(text: string): string {
  return text.slice(text.indexOf("\n") + 1);
}
