// Decides when a page of the log is due and which rows it takes (docs/storage.md §The log), and
// knows which rows are in pages. Pure.
import type { Day } from "../../rpc/shard-types.ts";
import { dayOf } from "../../db/days.ts";
import type { NewRow } from "./log-rows.ts";

/** Number of events in no page that makes a page due, and the most that one page takes. */
const PAGE_WORTH = 64;
const PAGE_EVENTS = 128;
const PAGE_CHARACTERS = 1_024 * 1_024;

/** A row of the log as memory has it. */
export interface LogRow extends Omit<NewRow, "text"> {
  readonly seq: number;
  readonly at: number;
  readonly characters: number;
}

/** The rows of the next page: all of one day, in order. */
export interface PagePlan {
  readonly day: Day;
  readonly rows: readonly LogRow[];
}

export class PagePlans {
  /** Number of events in no page, by day. */
  readonly #unpaged = new Map<Day, number>();
  /** Rows up to this number are in pages, by day. */
  readonly #paged: Record<Day, number>;

  constructor(paged: Readonly<Record<Day, number>>) {
    this.#paged = { ...paged };
  }

  /** Number of events in no page. */
  get unpaged(): number {
    return [...this.#unpaged.values()].reduce((sum, count) => sum + count, 0);
  }

  isPaged({ day, seq }: LogRow): boolean {
    return seq <= (this.#paged[day] ?? 0);
  }

  /** Counts the events of a row that was appended or read. */
  count(row: LogRow): void {
    if (!this.isPaged(row))
      this.#unpaged.set(row.day, (this.#unpaged.get(row.day) ?? 0) + row.count);
  }

  isDue(now: number): boolean {
    return this.#dayOfNext(now) !== undefined;
  }

  /** Plans the next page; undefined: no page is due. */
  next(rows: Iterable<LogRow>, now: number): PagePlan | undefined {
    const day = this.#dayOfNext(now);
    if (day === undefined) return undefined;
    const taken: LogRow[] = [];
    let [events, characters] = [0, 0];
    for (const row of rows) {
      if (row.day !== day || this.isPaged(row)) continue;
      events += row.count;
      characters += row.characters;
      if (taken.length > 0 && (events > PAGE_EVENTS || characters > PAGE_CHARACTERS)) break;
      taken.push(row);
    }
    return { day, rows: taken };
  }

  /** Notes that the day's rows up to `lastSeq` are in pages. */
  note(rows: Iterable<LogRow>, day: Day, lastSeq: number): void {
    let events = this.#unpaged.get(day) ?? 0;
    for (const row of rows)
      if (row.day === day && !this.isPaged(row) && row.seq <= lastSeq) events -= row.count;
    if (events > 0) this.#unpaged.set(day, events);
    else this.#unpaged.delete(day);
    this.#paged[day] = Math.max(this.#paged[day] ?? 0, lastSeq);
  }

  /** The last number in pages, for each day that still has rows. */
  pagedDays(rows: Iterable<LogRow>): Record<Day, number> {
    const days = new Set(Array.from(rows, ({ day }) => day));
    return Object.fromEntries(Object.entries(this.#paged).filter(([day]) => days.has(day)));
  }

  /** Finds the day whose page is due. A past day is due with any event. */
  #dayOfNext(now: number): Day | undefined {
    if (this.#unpaged.size === 0) return undefined;
    const today = dayOf(now);
    for (const [day, events] of this.#unpaged) if (day < today || events >= PAGE_WORTH) return day;
    return undefined;
  }
}
