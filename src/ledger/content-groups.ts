// Content of small messages that were accepted in one request, in rows of their own
// (docs/storage.md): a message of some 2 KB has a page to itself, half of it empty, and every page
// goes to the disk twice. A pack is of messages with consecutive numbers, and is there until the
// last of them is gone.

export const CONTENT_GROUPS_SCHEMA = `
  CREATE TABLE IF NOT EXISTS packs (first INTEGER PRIMARY KEY, count INTEGER NOT NULL, lengths TEXT NOT NULL, content TEXT NOT NULL);
`;

/** A pack ends with the message that makes it as long as this, in UTF-16 units. */
const PACK_UNITS = 64 * 1_024;
/** Fewer are not worth a row of their own. */
const MESSAGES_MIN = 16;

/** The pack that covers a message's number. */
const COVERING = "first = (SELECT max(first) FROM packs WHERE first <= ?1) AND first + count > ?1";
const READ = `SELECT first, count, lengths, content FROM packs WHERE ${COVERING}`;
const FIRST = `SELECT first FROM packs WHERE ${COVERING}`;
const NEEDLESS =
  "NOT EXISTS (SELECT 1 FROM ledger WHERE seq >= packs.first AND seq < packs.first + packs.count)";
/** Those among them that cover one of the numbers in a JSON array. */
const DROP = `
  DELETE FROM packs WHERE first IN (SELECT (SELECT max(first) FROM packs WHERE first <= value) FROM json_each(?)) AND ${NEEDLESS}
  RETURNING first
`;

interface PackRow extends Record<string, SqlStorageValue> {
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
const SMALL_LOT = 0;
const SMALL_UNITS = 16 * 1_024;

/** What is left to a message's own row; and its lot (dispatch.ts). */
interface Stored {
  readonly content: string | null;
  readonly lot: number;
}

/** Looks up content by its message's number. */
export type ContentLookup = (seq: number) => string | null;

export class ContentGroups {
  readonly #sql: SqlStorage;
  #packs: number;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#packs = sql.exec<{ packs: number }>("SELECT count(*) AS packs FROM packs").one().packs;
  }

  /** Stores content of messages numbered from `first` on; null: it is elsewhere. */
  store(first: number, contents: readonly (string | null)[]): Stored[] {
    const stored = contents.map((content, index): Stored => ({
      content,
      lot: isSmall(content) ? SMALL_LOT : first + index,
    }));
    for (const { from, to } of runsOf(contents)) {
      const packed = contents.slice(from, to).map((content) => content ?? "");
      const lengths = JSON.stringify(packed.map(({ length }) => length));
      this.#sql.exec(
        "INSERT INTO packs VALUES (?, ?, ?, ?)",
        first + from,
        to - from,
        lengths,
        packed.join(""),
      );
      this.#packs += 1;
      for (let index = from; index < to; index += 1)
        stored[index] = { content: null, lot: first + from };
    }
    return stored;
  }

  /**
   * The lot of a message of which nothing is known but its number: those of one pack are one, and
   * every other is its own.
   */
  groupOf(seq: number): number {
    if (this.#packs === 0) return seq;
    const [pack] = this.#sql.exec<{ first: number }>(FIRST, seq).toArray();
    return pack?.first ?? seq;
  }

  /**
   * For messages in any order; those of one pack, one after the other, read it once. Null: no pack
   * has it.
   */
  lookup(): ContentLookup {
    let pack: { first: number; starts: readonly number[]; content: string } | undefined;
    return (seq) => {
      if (this.#packs === 0) return null;
      if (!pack || seq < pack.first || seq >= pack.first + pack.starts.length - 1) {
        const [row] = this.#sql.exec<PackRow>(READ, seq).toArray();
        if (!row) return null;
        pack = {
          first: row.first,
          starts: startsOf(JSON.parse(row.lengths) as number[]),
          content: row.content,
        };
      }
      const at = seq - pack.first;
      return pack.content.slice(pack.starts[at], pack.starts[at + 1]);
    };
  }

  /** Messages are gone, and with them the packs that nobody needs any more. */
  drop(seqs: readonly number[]): void {
    if (this.#packs === 0) return;
    this.#packs -= this.#sql.exec(DROP, JSON.stringify(seqs)).toArray().length;
  }
}

function isSmall(content: string | null): boolean {
  return content !== null && content.length <= SMALL_UNITS;
}

/** Which neighbours go into a pack together. */
function runsOf(contents: readonly (string | null)[]): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  let from = 0;
  let [units, messages] = [0, 0];
  for (const [index, content] of contents.entries()) {
    units += content?.length ?? 0;
    messages += content === null ? 0 : 1;
    if (units < PACK_UNITS && index < contents.length - 1) continue;
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
