// Shortens the API's answers to a length that a model can read (docs/mcp.md §What a tool answers).
// Pure.
import { isRecord } from "./json-rpc.ts";

/**
 * Maximum number of characters of a text in the result: TEXT_CHARACTERS outside lists, and
 * LISTED_CHARACTERS inside lists.
 */
const TEXT_CHARACTERS = 4_000;
const LISTED_CHARACTERS = 500;
/** Maximum number of entries in all lists together. */
const ENTRIES = 500;

export interface BoundedResult {
  readonly value: unknown;
  /** One sentence for each part that was cut or left out. */
  readonly warnings: readonly string[];
}

/** Cuts long texts and lists, and leaves out statistics rows that have only zeros. */
export function boundResult(answer: unknown): BoundedResult {
  const warnings: string[] = [];
  let left = ENTRIES;

  function bound(value: unknown, path: string, most: number): unknown {
    if (typeof value === "string") return cutText(value, path, most, warnings);
    if (Array.isArray(value)) {
      const rows = value.filter((row) => !isEmptyRow(row));
      if (rows.length < value.length)
        warnings.push(
          `${path}: ${value.length - rows.length} entries with no events are left out.`,
        );
      const shown: unknown[] = [];
      for (const row of rows) {
        if (left === 0) break;
        left -= 1;
        shown.push(bound(row, `${path}.${shown.length}`, LISTED_CHARACTERS));
      }
      if (shown.length < rows.length)
        warnings.push(`${path}: the first ${shown.length} of ${rows.length} entries are shown.`);
      return shown;
    }
    if (!isRecord(value)) return value;
    const members = Object.entries(value);
    return Object.fromEntries(
      members.map(([name, member]) => [name, bound(member, pathTo(path, name), most)]),
    );
  }

  return { value: bound(answer, "", TEXT_CHARACTERS), warnings };
}

export function cutText(text: string, path: string, most: number, warnings: string[]): string {
  if (text.length <= most) return text;
  warnings.push(`${path}: the first ${most} of ${text.length} characters are shown.`);
  return text.slice(0, most).toWellFormed();
}

/**
 * Tells whether a row of statistics has only zeros. Statistics have a row for each hour or day,
 * even if nothing happened then.
 */
function isEmptyRow(row: unknown): boolean {
  if (!isRecord(row) || !isRecord(row["counts"])) return false;
  return Object.values(row["counts"]).every((count) => count === 0);
}

function pathTo(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}
