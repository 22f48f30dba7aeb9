// Reads the rows of an import's CSV file (contract.md §Imports, RFC 4180) in the layout that
// import-layout.ts found. Ignores all columns except the address, `topic` and `note`, so that an
// export can be imported. Reads the file in slices, each with the rows of one statement. Only a
// window of the file is in memory, whatever the file's size.
import type {
  ImportRowError,
  ImportPosition,
  Column,
  ColumnLayout,
} from "../../rpc/import-calls.ts";
import { Buffer } from "node:buffer";
import { type CsvRecord, parseCsv, unmarkFormula } from "../../lib/csv.ts";
import { cellsOf, isBlank } from "./import-layout.ts";
import {
  EVERY_TOPIC,
  checkNote,
  parseSuppressedAddress,
  parseTopic,
  TOPIC_PROBLEM,
} from "./normalise.ts";

interface ImportedRow {
  readonly row: number;
  readonly email: string;
  readonly topic: string;
  readonly note: string | null;
}

export interface Slice {
  readonly rows: readonly ImportedRow[];
  /** Errors of invalid rows, at most ERRORS_SHOWN. */
  readonly errors: readonly ImportRowError[];
  readonly failed: number;
  readonly next: ImportPosition;
}

/** Maximum number of errors that an import stores. */
export const ERRORS_SHOWN = 1_000;
/**
 * Maximum number of rows in one statement. It is small, because the database's other statements
 * wait for this one. Even if every character is escaped, the statement is below D1's limit of 2 MB.
 */
const ROWS_PER_SLICE = 250;
const WINDOW_BYTES = 64 * 1024;
/** Returns the R2 key of an import's file. */
export function fileKey(teamId: string, importId: string): string {
  return `imports/${teamId}/${importId}`;
}

/**
 * Reads the slice that begins at `place` in a file of `size` bytes. Returns null if the file no
 * longer exists. If a record is longer than the window, reads a larger window.
 */
export async function readSlice(
  bucket: R2Bucket,
  key: string,
  size: number,
  layout: ColumnLayout,
  place: ImportPosition,
): Promise<Slice | null> {
  for (let length = WINDOW_BYTES; ; length *= 2) {
    const isLast = place.byte + length >= size;
    const part = await bucket.get(key, {
      range: { offset: place.byte, length: isLast ? size - place.byte : length },
    });
    if (!part) return null;
    const slice = readWindow(await part.bytes(), isLast, layout, place);
    if (slice) return slice;
  }
}

/**
 * Reads the records in a window. Returns undefined if the window does not contain a complete
 * record. A record that ends with the window may be incomplete, because `\n` or a second quote may
 * follow in the file.
 */
function readWindow(
  window: Uint8Array,
  isLast: boolean,
  layout: ColumnLayout,
  place: ImportPosition,
): Slice | undefined {
  // The option `stream` leaves out a character that the end of the window cuts.
  const text = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(window, {
    stream: true,
  });
  const [rows, errors]: [ImportedRow[], ImportRowError[]] = [[], []];
  let [failed, end, row] = [0, 0, place.row];
  for (const record of parseCsv(text, place.row, layout.separator)) {
    if (!isLast && record.end >= text.length) break;
    [end, row] = [record.end, record.row + 1];
    if (record.problem === null && isBlank(record.fields)) continue;
    const outcome = readRow(record, layout);
    if (Array.isArray(outcome)) {
      failed += 1;
      errors.push(...outcome.slice(0, ERRORS_SHOWN - errors.length));
    } else if (rows.push(outcome) === ROWS_PER_SLICE) break;
  }
  if (end === 0) return undefined;
  return {
    rows,
    errors,
    failed,
    next: { byte: place.byte + Buffer.byteLength(text.slice(0, end)), row },
  };
}

function readRow(
  record: CsvRecord,
  { width, column, separator = "," }: ColumnLayout,
): ImportedRow | ImportRowError[] {
  const { row, problem } = record;
  if (problem !== null) return [{ row, field: "row", message: problem }];
  const fields = cellsOf(record, separator);
  if (!isBlank(fields.slice(width)))
    return [
      {
        row,
        field: "row",
        message: `has ${fields.length} columns where the first row has ${width}`,
      },
    ];
  const cell = (name: Column) => unmarkFormula(fields[column[name]] ?? "");
  const address = parseSuppressedAddress(cell("email"));
  const topic = parseTopic(cell("topic").trim() || EVERY_TOPIC);
  const note = cell("note") || null;
  const wrongNote = note === null ? null : checkNote(note);
  if (address.kind === "address" && topic !== undefined && wrongNote === null)
    return { row, email: address.email, topic, note };
  return [
    ...(address.kind === "refused"
      ? [{ row, field: "email" as const, message: address.problem }]
      : []),
    ...(topic === undefined ? [{ row, field: "topic" as const, message: TOPIC_PROBLEM }] : []),
    ...(wrongNote === null ? [] : [{ row, field: "note" as const, message: wrongNote }]),
  ];
}
