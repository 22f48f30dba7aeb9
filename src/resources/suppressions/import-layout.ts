// Detects the layout of an import's file (contract.md §Imports): its separator, the row with the
// columns' names, and the column of addresses. Spreadsheets use a semicolon in countries with a
// decimal comma, and each service has other names for the columns. So this code reads the first
// rows with each separator, and chooses the reading with the most addresses.
import { Buffer } from "node:buffer";
import { type CsvRecord, parseCsv, unmarkFormula } from "../../lib/csv.ts";
import { refuse, refuseMember } from "../../refusal.ts";
import type { Column, ColumnLayout, ImportPosition } from "../../rpc/import-calls.ts";
import { parseSuppressedAddress } from "./normalise.ts";

interface Reading {
  readonly layout: ColumnLayout;
  /** The index in the text at which the data rows begin. */
  readonly dataAt: number;
  /** The number of the first data row. */
  readonly row: number;
  /**
   * The number of sampled rows with an address, plus 0.5 for a column named `email`, plus 0.25 if
   * each row has as many cells as the row of names.
   */
  readonly score: number;
  /** The reason to refuse the file, if this reading is chosen. Null: the file can be imported. */
  readonly problem: string | null;
}

interface SampledRow {
  readonly record: CsvRecord;
  readonly startsAt: number;
  readonly cells: readonly string[];
}

const SEPARATORS = [",", ";", "\t", "|"];
/** A first line that names the separator. Excel writes and reads it. */
const SEPARATOR_LINE = /^"?sep=([^\w"\r\n])"?(?:\r\n|\r|\n|$)/i;
const SAMPLED_ROWS = 1_000;
const SAMPLED_CHARACTERS = 256 * 1024;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const NAMES: readonly Column[] = ["email", "topic", "note"];
/** Matches further names of the column of addresses, without spaces, hyphens and underscores. */
const EMAIL_NAME = /^e?mail(?:address(?:es)?)?$/;

const UNNAMED =
  "has several columns, so its first row must name the columns: `email`, `topic`, `note`";
const AMBIGUOUS =
  "has addresses in several columns, so its first row must name one of them `email`";
const NO_ADDRESS =
  `has no email address in its first ${SAMPLED_ROWS} rows; its columns must be separated by a ` +
  "comma, a semicolon, a tab or `|`";

/**
 * Reads a file's first rows, and returns where the data rows begin. Refuses bytes that are not
 * UTF-8 as `malformed`. Refuses a file as `invalid` if it has no rows, if its first rows have no
 * address, or if its column of addresses is ambiguous. The refused field is always `body`.
 */
export function openFile(bytes: Uint8Array): {
  readonly layout: ColumnLayout;
  readonly place: ImportPosition;
} {
  const text = decode(bytes);
  const [line = "", named] = SEPARATOR_LINE.exec(text) ?? [];
  const readings = (named === undefined ? SEPARATORS : [named])
    .map((separator) => readStart(text.slice(line.length), line === "" ? 1 : 2, separator))
    .filter((reading) => reading !== undefined);
  const [first] = readings;
  if (!first) throw refusal("has no row");
  const best = readings.reduce((one, other) => (other.score > one.score ? other : one), first);
  if (best.problem !== null) throw refusal(best.problem);
  const mark = BYTE_ORDER_MARK.every((octet, index) => bytes[index] === octet);
  const before = Buffer.byteLength(text.slice(0, line.length + best.dataAt));
  const byte = (mark ? BYTE_ORDER_MARK.length : 0) + before;
  return { layout: best.layout, place: { byte, row: best.row } };
}

/**
 * Returns the cells of a record. If a spreadsheet opens a file with another separator than it
 * expects, it saves each row as one quoted cell: `"ann@example.org,""gone"""`.
 */
export function cellsOf({ fields }: CsvRecord, separator: string): readonly string[] {
  const [only = ""] = fields;
  if (fields.length !== 1 || !only.includes(separator) || isAddress(only)) return fields;
  const [row, ...others] = parseCsv(only, 1, separator);
  return row?.problem === null && others.length === 0 ? row.fields : fields;
}

export function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === "");
}

function decode(bytes: Uint8Array): string {
  try {
    // The decoder also removes the byte order mark.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw refuse("malformed", { errors: { body: ["is not valid UTF-8"] } });
  }
}

/** Reads the first rows with one separator. Returns undefined if all rows are blank. */
function readStart(text: string, firstRow: number, separator: string): Reading | undefined {
  const [first, ...others] = sampleOf(text, firstRow, separator);
  if (!first) return undefined;
  const { record, cells, startsAt } = first;
  const names = cells.map((cell) => cell.trim().toLowerCase());
  const isHeading = record.problem === null && !cells.some((cell) => cell.includes("@"));
  const rows = isHeading ? others : [first, ...others];
  const counts = addressCounts(rows);
  const named = isHeading ? emailColumn(names) : -1;
  const email = named >= 0 ? named : counts.indexOf(Math.max(...counts));
  const column = (name: Column) => (isHeading ? names.indexOf(name) : -1);
  return {
    layout: {
      width: isHeading ? cells.length : Math.max(1, email + 1),
      column: { email: Math.max(0, email), topic: column("topic"), note: column("note") },
      separator,
    },
    dataAt: isHeading ? record.end : startsAt,
    row: isHeading ? record.row + 1 : record.row,
    score: (counts[email] ?? 0) + (named >= 0 ? 0.5 : 0) + (isTable(cells, rows) ? 0.25 : 0),
    problem:
      (isHeading ? repeatedName(names) : unnamedColumns(cells)) ??
      addressProblem(counts, email, named < 0 ? null : (names[named] ?? null), rows.length),
  };
}

function* sampleOf(text: string, firstRow: number, separator: string): Generator<SampledRow> {
  let [count, startsAt] = [0, 0];
  for (const record of parseCsv(text, firstRow, separator)) {
    const cells = cellsOf(record, separator);
    if (record.problem !== null || !isBlank(cells)) {
      yield { record, startsAt, cells };
      count += 1;
    }
    startsAt = record.end;
    if (count === SAMPLED_ROWS || startsAt > SAMPLED_CHARACTERS) return;
  }
}

/**
 * Returns whether all rows have as many cells as the row of names, and more than one. A single line
 * such as `gone|ann@example.org` does not show whether it has two columns, because an address may
 * contain `|`.
 */
function isTable(names: readonly string[], rows: readonly SampledRow[]): boolean {
  return names.length > 1 && rows.every(({ cells }) => cells.length === names.length);
}

/** Returns the number of addresses in each column. */
function addressCounts(rows: readonly SampledRow[]): number[] {
  const counts = new Map<number, number>();
  for (const { record, cells } of rows) {
    if (record.problem !== null) continue;
    for (const [index, cell] of cells.entries())
      if (isAddress(cell)) counts.set(index, (counts.get(index) ?? 0) + 1);
  }
  const columns = [...counts.keys()].reduce((most, index) => Math.max(most, index + 1), 0);
  return Array.from({ length: columns }, (_, index) => counts.get(index) ?? 0);
}

function isAddress(cell: string): boolean {
  return cell.includes("@") && parseSuppressedAddress(unmarkFormula(cell)).kind === "address";
}

/**
 * Returns the column whose name says that it contains addresses. Returns -1 if no name or more than
 * one name says so.
 */
function emailColumn(names: readonly string[]): number {
  const exact = names.indexOf("email");
  if (exact >= 0) return exact;
  const isOther = (name: string) => EMAIL_NAME.test(name.replace(/[\s_-]/g, ""));
  return names.filter(isOther).length === 1 ? names.findIndex(isOther) : -1;
}

function repeatedName(names: readonly string[]): string | null {
  const repeated = NAMES.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  return repeated ? `names the column \`${repeated}\` twice in its first row` : null;
}

function unnamedColumns(cells: readonly string[]): string | null {
  return cells.filter((cell) => cell.trim() !== "").length > 1 ? UNNAMED : null;
}

/**
 * Returns the reason to refuse the column of addresses, or null. `name` is the column's name.
 * `name` null: the cells showed the column. A column named `email` is never refused, because each
 * wrong address in it is an error of its row.
 */
function addressProblem(
  counts: readonly number[],
  email: number,
  name: string | null,
  rows: number,
): string | null {
  if (name === "email" || (name !== null && rows === 0)) return null;
  if ((counts[email] ?? 0) === 0) return NO_ADDRESS;
  return name === null && counts.filter((count) => count > 0).length > 1 ? AMBIGUOUS : null;
}

function refusal(problem: string): Error {
  return refuseMember("body", problem);
}
