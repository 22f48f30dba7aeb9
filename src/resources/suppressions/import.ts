// A CSV file of suppressions, read and stored (spec.md "Suppression": "added via API, dashboard or CSV import"). The first row names the columns `email`
// and, where it has them, `topic` and `note`; other columns are passed over, so that an export can be imported. Without such a row each row is an address.
// Good rows are stored though others are not; doing it again skips what is there.
import type { Scope } from "../../db/client.ts";
import { type CsvRecord, parseCsv } from "../../lib/csv.ts";
import { refuse } from "../../refusal.ts";
import { EVERY_TOPIC, noteProblem, parseSuppressedAddress, parseTopic, TOPIC_PROBLEM } from "./normalise.ts";
import { insertSuppressions, type SuppressionRow } from "./store.ts";
import { type ImportResult, toManualRow } from "./wire.ts";

type Column = "email" | "topic" | "note";
type RowError = ImportResult["errors"][number];

/** Where the columns stand in a record; -1: the file has no such column. */
interface Layout {
  readonly width: number;
  readonly column: Readonly<Record<Column, number>>;
}

const ERRORS_SHOWN = 1_000;
const ROWS_PER_STATEMENT = 1_000;
/** So that a statement's rows, with every character escaped, stay below D1's 2 MB. */
const NOTE_CHARACTERS_PER_STATEMENT = 100_000;
const NAMES: readonly Column[] = ["email", "topic", "note"];

/** Throws `malformed` for what is no UTF-8 text, and `invalid` for a first row that is neither a header nor an address; both under `body`. */
export async function importSuppressions(scope: Scope, bytes: Uint8Array, now: number): Promise<ImportResult> {
  const errors: RowError[] = [];
  const summary = { total: 0, imported: 0, skipped: 0, failed: 0 };
  let chunk: SuppressionRow[] = [];
  let noteCharacters = 0;
  const store = async () => {
    const imported = chunk.length === 0 ? 0 : await insertSuppressions(scope, chunk, now);
    summary.imported += imported;
    summary.skipped += chunk.length - imported;
    chunk = [];
    noteCharacters = 0;
  };
  for (const outcome of readRows(decode(bytes), now)) {
    summary.total += 1;
    if (Array.isArray(outcome)) {
      summary.failed += 1;
      errors.push(...outcome.slice(0, ERRORS_SHOWN - errors.length));
    } else {
      chunk.push(outcome);
      noteCharacters += outcome.note?.length ?? 0;
      if (chunk.length >= ROWS_PER_STATEMENT || noteCharacters >= NOTE_CHARACTERS_PER_STATEMENT) await store();
    }
  }
  await store();
  return { summary, errors };
}

function decode(bytes: Uint8Array): string {
  try {
    // Takes the byte order mark away.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw refuse("malformed", { errors: { body: ["is not valid UTF-8"] } });
  }
}

/** Of each row that is not blank: what to store, or what is wrong with it. */
function* readRows(text: string, now: number): Generator<SuppressionRow | RowError[]> {
  let layout: Layout | undefined;
  for (const record of parseCsv(text)) {
    if (record.problem === null && record.fields.every((field) => field.trim() === "")) continue;
    if (!layout) {
      const header = readHeader(record);
      layout = header ?? { width: 1, column: { email: 0, topic: -1, note: -1 } };
      if (header) continue;
    }
    yield readRow(record, layout, now);
  }
}

/** Undefined: the record is no header, and the file a list of addresses. */
function readHeader({ fields, problem }: CsvRecord): Layout | undefined {
  const names = fields.map((field) => field.trim().toLowerCase());
  const repeated = NAMES.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (repeated) throw refuse("invalid", { errors: { body: [`names the column \`${repeated}\` twice in its first row`] } });
  const [email, topic, note] = [names.indexOf("email"), names.indexOf("topic"), names.indexOf("note")];
  if (email >= 0 && problem === null) return { width: fields.length, column: { email, topic, note } };
  if (fields.length > 1)
    throw refuse("invalid", { errors: { body: ["has several columns, so its first row must name them: `email`, `topic`, `note`"] } });
  return undefined;
}

function readRow({ row, fields, problem }: CsvRecord, { width, column }: Layout, now: number): SuppressionRow | RowError[] {
  if (problem !== null) return [{ row, field: "row", message: problem }];
  if (fields.length > width) return [{ row, field: "row", message: `has ${fields.length} columns where the first row has ${width}` }];
  const cell = (name: Column) => fields[column[name]] ?? "";
  const address = parseSuppressedAddress(cell("email"));
  const topic = parseTopic(cell("topic").trim() || EVERY_TOPIC);
  const note = cell("note") || null;
  const wrongNote = note === null ? null : noteProblem(note);
  if (address.kind === "address" && topic !== undefined && wrongNote === null)
    return toManualRow({ email: address.email, topic, note }, now);
  return [
    ...(address.kind === "refused" ? [{ row, field: "email" as const, message: address.problem }] : []),
    ...(topic === undefined ? [{ row, field: "topic" as const, message: TOPIC_PROBLEM }] : []),
    ...(wrongNote === null ? [] : [{ row, field: "note" as const, message: wrongNote }]),
  ];
}
