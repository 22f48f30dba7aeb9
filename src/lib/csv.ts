// Reads and writes comma-separated values (RFC 4180). Reads in linear time, one record at a time. A
// bare LF or CR also ends a record, and a quote inside an unquoted field is literal. The reader
// also takes other separators, such as the semicolons of some spreadsheets. The writer marks texts
// that a spreadsheet would take for a formula, because strangers may have written them (contract.md
// §Imports). The console uses this file too. Pure.

export interface CsvRecord {
  /**
   * The row's number as a spreadsheet counts: from the first row of the text, including blank
   * lines.
   */
  readonly row: number;
  /** Index of the first character after the record and its line end. */
  readonly end: number;
  readonly fields: readonly string[];
  /**
   * Why the record is malformed, as a phrase that continues "the row". `fields` then has the fields
   * before the error. Null: the record is well-formed.
   */
  readonly problem: string | null;
}

interface Field {
  readonly text: string;
  /** Index after the field: the index of a separator, of a line end, or of the end of the text. */
  readonly end: number;
  readonly problem: string | null;
}

const QUOTE = '"';
const NEEDS_QUOTES = /[",\r\n]/;
/**
 * Matches the beginning of a formula, or white space that hides a formula. Apostrophes may stand
 * before either.
 */
const FORMULA = /^'*(?:[\t\r\n]|\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/;
const MARK = "'";

export type CsvForm = "marked" | "plain";

/**
 * Parses the records of a text without a byte order mark. Row numbers begin with `firstRow`. An
 * empty text has no records; a blank line is a record of one empty field. `separator`: the
 * character between two fields.
 */
export function* parseCsv(text: string, firstRow = 1, separator = ","): Generator<CsvRecord> {
  let at = 0;
  for (let row = firstRow; at < text.length; row += 1) {
    const fields: string[] = [];
    let field = readField(text, at, separator);
    for (
      ;
      field.problem === null && text[field.end] === separator;
      field = readField(text, field.end + 1, separator)
    )
      fields.push(field.text);
    if (field.problem === null) fields.push(field.text);
    at = Math.min(text.length, field.end + (text.startsWith("\r\n", field.end) ? 2 : 1));
    yield { row, end: at, fields, problem: field.problem };
  }
}

/**
 * Formats one record with its line end. Null becomes an empty field. The form `plain` leaves texts
 * that look like formulas unmarked.
 */
export function formatCsv(
  fields: readonly (string | number | null)[],
  form: CsvForm = "marked",
): string {
  return `${fields.map((field) => formatField(field, form)).join(",")}\r\n`;
}

/**
 * Removes the apostrophe that formatCsv() puts before a text that looks like a formula. Any other
 * apostrophe at the beginning of a field stays.
 */
export function unmarkFormula(field: string): string {
  return field.startsWith(MARK) && FORMULA.test(field) ? field.slice(MARK.length) : field;
}

function markFormula(text: string): string {
  return FORMULA.test(text) ? MARK + text : text;
}

function readField(text: string, start: number, separator: string): Field {
  if (text[start] === QUOTE) return readQuoted(text, start, separator);
  const end = endOfField(text, start, separator);
  return { text: text.slice(start, end), end, problem: null };
}

function readQuoted(text: string, start: number, separator: string): Field {
  let close = text.indexOf(QUOTE, start + 1);
  while (close >= 0 && text[close + 1] === QUOTE) close = text.indexOf(QUOTE, close + 2);
  if (close < 0) return { text: "", end: text.length, problem: "has a quote that is never closed" };
  const end = close + 1;
  if (end < text.length && endOfField(text, end, separator) !== end)
    return { text: "", end: endOfField(text, end), problem: "has text after a closing quote" };
  return { text: text.slice(start + 1, close).replaceAll('""', QUOTE), end, problem: null };
}

/**
 * Returns the index of the first line end or `separator` from `start`. Only a line end counts if no
 * separator is given.
 */
function endOfField(text: string, start: number, separator = "\n"): number {
  let index = start;
  for (; index < text.length; index += 1) {
    const character = text[index];
    if (character === separator || character === "\n" || character === "\r") break;
  }
  return index;
}

function formatField(field: string | number | null, form: CsvForm): string {
  if (typeof field !== "string") return field === null ? "" : String(field);
  const text = form === "marked" ? markFormula(field) : field;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll(QUOTE, '""')}"` : text;
}
