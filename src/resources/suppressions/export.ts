// Exports a team's suppressions as CSV, newest first. Streams one page at a time, so that only one
// page is in memory.
import type { Scope } from "../../db/client.ts";
import { type CsvForm, formatCsv } from "../../lib/csv.ts";
import {
  listSuppressions,
  positionOf,
  type SuppressionFilters,
  type SuppressionPosition,
} from "./store.ts";
import { toUnexplained } from "./wire.ts";

const ROWS_PER_PAGE = 1_000;

const COLUMNS = [
  "email",
  "topic",
  "reason",
  "origin",
  "classification",
  "smtp_code",
  "note",
  "suppressed_at",
  "expires_at",
  "created_at",
] as const;

/** Spreadsheets assume that a file without this mark is not in UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";

/**
 * Returns UTF-8 bytes: the column names, then the rows in force at `now`. A file for spreadsheets
 * begins with a byte order mark. A file for programs (`plain`) does not.
 */
export function exportSuppressions(
  scope: Scope,
  filters: SuppressionFilters,
  form: CsvForm,
  now: number,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let after: SuppressionPosition | null = null;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const mark = form === "plain" ? "" : BYTE_ORDER_MARK;
      controller.enqueue(encoder.encode(mark + formatCsv(COLUMNS)));
    },
    async pull(controller) {
      const slice = { sort: "newest", after, limit: ROWS_PER_PAGE } as const;
      const rows = await listSuppressions(scope, filters, slice, now);
      const lines = rows
        .map((row) => toUnexplained(row))
        .map((suppression) =>
          formatCsv(
            COLUMNS.map((column) => suppression[column]),
            form,
          ),
        );
      if (lines.length > 0) controller.enqueue(encoder.encode(lines.join("")));
      const last = rows.at(-1);
      if (last) after = positionOf(last, "newest");
      if (rows.length < ROWS_PER_PAGE) controller.close();
    },
  });
}
