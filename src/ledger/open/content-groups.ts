// Stores the content of small messages of one request in shared rows (docs/storage.md). A message
// of some 2 KB in a separate row would leave half of a database page empty, and every page is
// written to disk twice. A content group contains messages with consecutive numbers, and exists
// until the last of them is deleted.
import type { Candidate } from "../../rpc/ledger-calls.ts";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS content_groups (first INTEGER PRIMARY KEY, count INTEGER NOT NULL, lengths TEXT NOT NULL, content TEXT NOT NULL);
`;

/**
 * Length in UTF-16 units at which a content group is full. The message that reaches this length is
 * the last of its group.
 */
const GROUP_UNITS = 64 * 1_024;
/** Minimum number of messages that share a row. */
const MESSAGES_MIN = 16;

/** SQL condition that selects the group of the message with a given number. */
const COVERING =
  "first = (SELECT max(first) FROM content_groups WHERE first <= ?1) AND first + count > ?1";
const READ = `SELECT first, count, lengths, content FROM content_groups WHERE ${COVERING}`;
const FIRST = `SELECT first FROM content_groups WHERE ${COVERING}`;
const UNUSED =
  "NOT EXISTS (SELECT 1 FROM ledger WHERE seq >= content_groups.first AND seq < " +
  "content_groups.first + content_groups.count)";
/**
 * Statement that deletes content groups without messages. The statement examines only the groups of
 * the messages whose numbers are in a JSON array.
 */
const DROP = `
  DELETE FROM content_groups WHERE first IN (SELECT (SELECT max(first) FROM content_groups WHERE first <= value) FROM json_each(?)) AND ${UNUSED}
  RETURNING first
`;

interface GroupRow extends Record<string, SqlStorageValue> {
  first: number;
  count: number;
  /** Length of each message's content in UTF-16 units, as a JSON array. */
  lengths: string;
  content: string;
}

/**
 * The content group of all messages with small content. Message numbers begin at 1, so no shared
 * row has the number 0. Five jobs of such messages may share a queue message. Together they have
 * less content than one message may have.
 */
const SMALL_CONTENT = 0;
const SMALL_UNITS = 16 * 1_024;

/**
 * The content in the message's own row, and the content group by which job-sender.ts groups the
 * message's jobs.
 */
interface Stored {
  readonly content: Content;
  readonly contentGroup: number;
}

/** Text or bytes. Null means that the content is in R2. Bytes never share a row. */
type Content = Candidate["content"];

/** Neighbouring messages that share a row. `from` is the index of the first message. */
interface Run {
  readonly from: number;
  readonly contents: readonly (string | null)[];
}

/** Returns the content of the message with a given number. */
export type ContentLookup = (seq: number) => string | null;

export class ContentGroups {
  readonly #sql: SqlStorage;
  #count: number;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(SCHEMA);
    this.#count = sql
      .exec<{ content_groups: number }>("SELECT count(*) AS content_groups FROM content_groups")
      .one().content_groups;
  }

  /** Stores the content of messages whose numbers are consecutive and begin with `first`. */
  store(first: number, contents: readonly Content[]): Stored[] {
    const stored = contents.map((content, index): Stored => ({
      content,
      contentGroup: isSmall(content) ? SMALL_CONTENT : first + index,
    }));
    for (const { from, contents: some } of runsOf(contents)) {
      const grouped = some.map((content) => content ?? "");
      const lengths = JSON.stringify(grouped.map(({ length }) => length));
      this.#sql.exec(
        "INSERT INTO content_groups VALUES (?, ?, ?, ?)",
        first + from,
        grouped.length,
        lengths,
        grouped.join(""),
      );
      this.#count += 1;
      for (let index = from; index < from + grouped.length; index += 1)
        stored[index] = { content: null, contentGroup: first + from };
    }
    return stored;
  }

  /**
   * Returns the content group of the message with the number `seq`. The group of a shared row is
   * the number of its first message. A message without a shared row is its own group.
   */
  groupOf(seq: number): number {
    if (this.#count === 0) return seq;
    const [group] = this.#sql.exec<{ first: number }>(FIRST, seq).toArray();
    return group?.first ?? seq;
  }

  /**
   * Returns a function that looks up the content of messages in any order. The function returns
   * null if no group has the message. It reads a group only once for messages that follow each
   * other.
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

  /**
   * Deletes the content groups that have no message any more, after these messages were deleted.
   */
  drop(seqs: readonly number[]): void {
    if (this.#count === 0) return;
    this.#count -= this.#sql.exec(DROP, JSON.stringify(seqs)).toArray().length;
  }
}

function isSmall(content: Content): boolean {
  return content !== null && content.length <= SMALL_UNITS;
}

/**
 * Decides which neighbouring messages share a content group. A message whose content is bytes ends
 * a group.
 */
function runsOf(contents: readonly Content[]): Run[] {
  const runs: Run[] = [];
  let run: (string | null)[] = [];
  let units = 0;
  const close = (to: number): void => {
    if (run.filter((content) => content !== null).length >= MESSAGES_MIN)
      runs.push({ from: to - run.length, contents: run });
    [run, units] = [[], 0];
  };
  for (const [index, content] of contents.entries()) {
    if (content instanceof Uint8Array) {
      close(index);
      continue;
    }
    run.push(content);
    units += content?.length ?? 0;
    if (units >= GROUP_UNITS) close(index + 1);
  }
  close(contents.length);
  return runs;
}

/** Returns the offsets at which the contents begin, and the end of the last content. */
function startsOf(lengths: readonly number[]): number[] {
  const starts = [0];
  for (const length of lengths) starts.push(starts.at(-1)! + length);
  return starts;
}
