// Finds how the file of an import is written (contract.md §Imports): its separator, the row that
// names its columns, and the column of addresses. Spreadsheets write a semicolon where the comma is
// the decimal sign, and every service names the columns in its own words. So the first rows are
// read with each separator, and the reading with the most addresses counts.
import { Buffer } from "node:buffer";
import { type CsvRecord, parseCsv, unmarkFormula } from "../../lib/csv.ts";
import { refuse } from "../../refusal.ts";
import type { Column, ColumnLayout, ImportPosition } from "../../rpc/import-calls.ts";
import { parseSuppressedAddress } from "./normalise.ts";

interface Reading {
  readonly layout: ColumnLayout;
  /** Index in the text where the data rows begin. */
  readonly dataAt: number;
  /** The number of the first data row. */
  readonly row: number;
  /**
   * The number of sampled rows with an address, half a point for a column named `email`, and a
   * quarter if the separator divides each row as it divides the names.
   */
  readonly score: number;
  /** Why the file is refused, if this reading counts. Null: it can be imported. */
  readonly problem: string | null;
}

interface SampledRow {
  readonly record: CsvRecord;
  readonly startsAt: number;
  readonly cells: readonly string[];
}

const SEPARATORS = [",", ";", "\t", "|"];
/** Excel writes and reads this line, which names the separator. */
const SEPARATOR_LINE = /^"?sep=([^\w"\r\n])"?(?:\r\n|\r|\n|$)/i;
const SAMPLED_ROWS = 1_000;
const SAMPLED_CHARACTERS = 256 * 1024;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const NAMES: readonly Column[] = ["email", "topic", "note"];
/** Matches other common names of the column of addresses, without the signs in them. */
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
 * UTF-8 as `malformed`. Refuses a file without rows, without an address in its first rows, or whose
 * column of addresses is unclear, as `invalid`. The refused field is always `body`.
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
 * Returns the cells of a record. A spreadsheet that expected another separator quotes whole rows
 * when it saves the file: `"ann@example.org,""gone"""`.
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

/** Reads the first rows with one separator. Undefined: all rows are blank. */
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

/** An address may contain `|`, so `gone|ann@example.org` alone is one column or two. */
function isTable(names: readonly string[], rows: readonly SampledRow[]): boolean {
  return names.length > 1 && rows.every(({ cells }) => cells.length === names.length);
}

/** The number of addresses in each column. */
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

/** Returns the column whose name says that it has the addresses; -1: no name does. */
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
 * `name`: the name of the column of addresses; null: the column was found by its cells. In a column
 * named `email`, each wrong address is an error of its row.
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
  return refuse("invalid", { errors: { body: [problem] } });
}
