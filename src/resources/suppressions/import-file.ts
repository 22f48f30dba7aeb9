// A CSV file of suppressions, as its import reads it (contract.md §Imports, RFC 4180). The first
// row names the columns `email` and, where the file has them, `topic` and `note`; the import passes
// other columns over, so that it takes an export. Without such a row each row is an address. An
// import reads a slice at a time: as many rows as one statement stores, from a window of the file,
// so that a file's size costs no memory.
import type { Column, ImportPosition, Layout, RowError } from "../../contracts/import-contract.ts";
import { Buffer } from "node:buffer";
import { type CsvRecord, parseCsv } from "../../lib/csv.ts";
import { refuse } from "../../refusal.ts";
import {
  EVERY_TOPIC,
  noteProblem,
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

/** Some of a file's rows. */
export interface Slice {
  /** To store. */
  readonly rows: readonly ImportedRow[];
  /** Of the rows that are wrong, at most ERRORS_SHOWN. */
  readonly errors: readonly RowError[];
  readonly failed: number;
  readonly next: ImportPosition;
}

/** Of one import. */
export const ERRORS_SHOWN = 1_000;
/**
 * They take one statement, which others wait for; with every character escaped they stay below D1's
 * 2 MB.
 */
export const ROWS_PER_SLICE = 250;
const WINDOW_BYTES = 64 * 1024;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const NAMES: readonly Column[] = ["email", "topic", "note"];
const ADDRESSES: Layout = { width: 1, column: { email: 0, topic: -1, note: -1 } };

/**
 * Reads a file's first row, and says where the rows to store begin. Throws `malformed` for bytes
 * that are no UTF-8 text, and `invalid` for a file without any row and for a first row that is
 * neither a header nor an address; all under `body`.
 */
export function openFile(bytes: Uint8Array): {
  readonly layout: Layout;
  readonly place: ImportPosition;
} {
  const text = decode(bytes);
  const startsAt = BYTE_ORDER_MARK.every((octet, index) => bytes[index] === octet)
    ? BYTE_ORDER_MARK.length
    : 0;
  let end = 0;
  for (const record of parseCsv(text)) {
    if (!isBlank(record)) {
      const header = readHeader(record);
      const byte = startsAt + Buffer.byteLength(text.slice(0, header ? record.end : end));
      return {
        layout: header ?? ADDRESSES,
        place: { byte, row: header ? record.row + 1 : record.row },
      };
    }
    end = record.end;
  }
  throw refuse("invalid", { errors: { body: ["has no row"] } });
}

/** Where an import's file rests in R2. */
export function fileKey(teamId: string, importId: string): string {
  return `imports/${teamId}/${importId}`;
}

/**
 * The slice of a file of `size` bytes that begins at `place`; null: the file is gone. A record that
 * is longer than a window widens it.
 */
export async function readSlice(
  bucket: R2Bucket,
  key: string,
  size: number,
  layout: Layout,
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
 * Undefined: the window ends before its first record does. What follows a record shows that it is
 * whole: `\n` may follow `\r`, and a quote a quote.
 */
function readWindow(
  window: Uint8Array,
  isLast: boolean,
  layout: Layout,
  place: ImportPosition,
): Slice | undefined {
  // With `stream`, a character that the window's end cuts is left out.
  const text = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(window, {
    stream: true,
  });
  const [rows, errors]: [ImportedRow[], RowError[]] = [[], []];
  let [failed, end, row] = [0, 0, place.row];
  for (const record of parseCsv(text, place.row)) {
    if (!isLast && record.end >= text.length) break;
    [end, row] = [record.end, record.row + 1];
    if (isBlank(record)) continue;
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

function decode(bytes: Uint8Array): string {
  try {
    // Takes the byte order mark away.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw refuse("malformed", { errors: { body: ["is not valid UTF-8"] } });
  }
}

function isBlank({ fields, problem }: CsvRecord): boolean {
  return problem === null && fields.every((field) => field.trim() === "");
}

/** Undefined: the record is no header, and the file a list of addresses. */
function readHeader({ fields, problem }: CsvRecord): Layout | undefined {
  const names = fields.map((field) => field.trim().toLowerCase());
  const repeated = NAMES.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (repeated)
    throw refuse("invalid", {
      errors: { body: [`names the column \`${repeated}\` twice in its first row`] },
    });
  const [email, topic, note] = [
    names.indexOf("email"),
    names.indexOf("topic"),
    names.indexOf("note"),
  ];
  if (email >= 0 && problem === null)
    return { width: fields.length, column: { email, topic, note } };
  if (fields.length > 1)
    throw refuse("invalid", {
      errors: {
        body: ["has several columns, so its first row must name them: `email`, `topic`, `note`"],
      },
    });
  return undefined;
}

function readRow(
  { row, fields, problem }: CsvRecord,
  { width, column }: Layout,
): ImportedRow | RowError[] {
  if (problem !== null) return [{ row, field: "row", message: problem }];
  if (fields.length > width)
    return [
      {
        row,
        field: "row",
        message: `has ${fields.length} columns where the first row has ${width}`,
      },
    ];
  const cell = (name: Column) => fields[column[name]] ?? "";
  const address = parseSuppressedAddress(cell("email"));
  const topic = parseTopic(cell("topic").trim() || EVERY_TOPIC);
  const note = cell("note") || null;
  const wrongNote = note === null ? null : noteProblem(note);
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
