// Content of small messages that were accepted in one request, in rows of their own
// (docs/storage.md): a message of some 2 KB has a page to itself, half of it empty, and every page
// goes to the disk twice. A group is of messages with consecutive numbers, and is there until the
// last of them is gone.

export const CONTENT_GROUPS_SCHEMA = `
  CREATE TABLE IF NOT EXISTS content_groups (first INTEGER PRIMARY KEY, count INTEGER NOT NULL, lengths TEXT NOT NULL, content TEXT NOT NULL);
`;

/** A group ends with the message that makes it as long as this, in UTF-16 units. */
const GROUP_UNITS = 64 * 1_024;
/** Fewer are not worth a row of their own. */
const MESSAGES_MIN = 16;

/** The group that covers a message's number. */
const COVERING =
  "first = (SELECT max(first) FROM content_groups WHERE first <= ?1) AND first + count > ?1";
const READ = `SELECT first, count, lengths, content FROM content_groups WHERE ${COVERING}`;
const FIRST = `SELECT first FROM content_groups WHERE ${COVERING}`;
const UNUSED =
  "NOT EXISTS (SELECT 1 FROM ledger WHERE seq >= content_groups.first AND seq < content_groups.first + content_groups.count)";
/** Those among them that cover one of the numbers in a JSON array. */
const DROP = `
  DELETE FROM content_groups WHERE first IN (SELECT (SELECT max(first) FROM content_groups WHERE first <= value) FROM json_each(?)) AND ${UNUSED}
  RETURNING first
`;

interface GroupRow extends Record<string, SqlStorageValue> {
  first: number;
  count: number;
  /** JSON array of UTF-16 units. */
  lengths: string;
  content: string;
}

/**
 * Of any messages whose content is small: five of them bring along less than one message may.
 * Numbers begin at 1.
 */
const SMALL_CONTENT = 0;
const SMALL_UNITS = 16 * 1_024;

/** What is left to a message's own row; and its contentGroup (dispatch.ts). */
interface Stored {
  readonly content: string | null;
  readonly contentGroup: number;
}

/** Looks up content by its message's number. */
export type ContentLookup = (seq: number) => string | null;

export class ContentGroups {
  readonly #sql: SqlStorage;
  #count: number;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#count = sql
      .exec<{ content_groups: number }>("SELECT count(*) AS content_groups FROM content_groups")
      .one().content_groups;
  }

  /** Stores content of messages numbered from `first` on; null: it is elsewhere. */
  store(first: number, contents: readonly (string | null)[]): Stored[] {
    const stored = contents.map((content, index): Stored => ({
      content,
      contentGroup: isSmall(content) ? SMALL_CONTENT : first + index,
    }));
    for (const { from, to } of runsOf(contents)) {
      const grouped = contents.slice(from, to).map((content) => content ?? "");
      const lengths = JSON.stringify(grouped.map(({ length }) => length));
      this.#sql.exec(
        "INSERT INTO content_groups VALUES (?, ?, ?, ?)",
        first + from,
        to - from,
        lengths,
        grouped.join(""),
      );
      this.#count += 1;
      for (let index = from; index < to; index += 1)
        stored[index] = { content: null, contentGroup: first + from };
    }
    return stored;
  }

  /**
   * The contentGroup of a message of which nothing is known but its number: those of one group are one, and
   * every other is its own.
   */
  groupOf(seq: number): number {
    if (this.#count === 0) return seq;
    const [group] = this.#sql.exec<{ first: number }>(FIRST, seq).toArray();
    return group?.first ?? seq;
  }

  /**
   * For messages in any order; those of one group, one after the other, read it once. Null: no group
   * has it.
   */
  lookup(): ContentLookup {
    let group: { first: number; starts: readonly number[]; content: string } | undefined;
    return (seq) => {
      if (this.#count === 0) return null;
      if (!group || seq < group.first || seq >= group.first + group.starts.length - 1) {
        const [row] = this.#sql.exec<GroupRow>(READ, seq).toArray();
        if (!row) return null;
        group = {
          first: row.first,
          starts: startsOf(JSON.parse(row.lengths) as number[]),
          content: row.content,
        };
      }
      const at = seq - group.first;
      return group.content.slice(group.starts[at], group.starts[at + 1]);
    };
  }

  /** Messages are gone, and with them the content_groups that nobody needs any more. */
  drop(seqs: readonly number[]): void {
    if (this.#count === 0) return;
    this.#count -= this.#sql.exec(DROP, JSON.stringify(seqs)).toArray().length;
  }
}

function isSmall(content: string | null): boolean {
  return content !== null && content.length <= SMALL_UNITS;
}

/** Which neighbours go into a group together. */
function runsOf(contents: readonly (string | null)[]): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  let from = 0;
  let [units, messages] = [0, 0];
  for (const [index, content] of contents.entries()) {
    units += content?.length ?? 0;
    messages += content === null ? 0 : 1;
    if (units < GROUP_UNITS && index < contents.length - 1) continue;
    if (messages >= MESSAGES_MIN) runs.push({ from, to: index + 1 });
    from = index + 1;
    [units, messages] = [0, 0];
  }
  return runs;
}

/** Where each begins, and the end of the last. */
function startsOf(lengths: readonly number[]): number[] {
  const starts = [0];
  for (const length of lengths) starts.push(starts.at(-1)! + length);
  return starts;
}
