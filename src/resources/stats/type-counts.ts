// Counts recipients by type of event, and bounces by classification (contract.md §Statistics).
// Pure.
import type { OwnEvent } from "../../rpc/event-records.ts";
import { type EventType, NO_CLASSIFICATION } from "../../rpc/event-types.ts";

/**
 * The counted types, in the order of the response. Stored counts have each type's number at the
 * type's index in this list. So new types are appended, and the list is never reordered.
 */
export const COUNTED = [
  "sent",
  "delivered",
  "delayed",
  "bounced",
  "complained",
  "opened",
  "clicked",
  "unsubscribed",
  "suppressed",
] as const satisfies readonly (EventType extends `email.${infer Name}` ? Name : never)[];

export type CountedType = (typeof COUNTED)[number];

/**
 * The JSON of Counts: one number for each counted type, without the zeros at the end. The counts of
 * bounces by classification follow, if there are bounces.
 */
export type StoredCounts = readonly (number | Readonly<Record<string, number>>)[];

/** Counts recipients by type of event, and bounces by classification. */
export class Counts {
  readonly types = new Map<CountedType, number>();
  readonly classes = new Map<string, number>();

  get total(): number {
    let total = 0;
    for (const count of this.types.values()) total += count;
    return total;
  }

  /** Returns the number of recipients with an event of this type. */
  of(type: CountedType): number {
    return this.types.get(type) ?? 0;
  }

  count({ type, bounce }: Pick<OwnEvent, "type" | "bounce">): void {
    raise(this.types, type.slice("email.".length) as CountedType, 1);
    if (type === "email.bounced")
      raise(this.classes, bounce?.classification ?? NO_CLASSIFICATION, 1);
  }

  add(other: Counts, times: 1 | -1 = 1): void {
    for (const [type, count] of other.types) raise(this.types, type, times * count);
    for (const [name, count] of other.classes) raise(this.classes, name, times * count);
  }

  load(stored: StoredCounts): void {
    for (const [place, one] of stored.entries())
      if (typeof one === "number") raise(this.types, COUNTED[place]!, one);
      else for (const [name, count] of Object.entries(one)) raise(this.classes, name, count);
  }

  toJSON(): StoredCounts {
    const last = COUNTED.findLastIndex((type) => this.types.has(type));
    const numbers = COUNTED.slice(0, last + 1).map((type) => this.of(type));
    return this.classes.size === 0 ? numbers : [...numbers, Object.fromEntries(this.classes)];
  }
}

/** Adds a number to a count. Removes the count if it becomes zero. */
export function raise<Name>(counts: Map<Name, number>, name: Name, by: number): void {
  const count = (counts.get(name) ?? 0) + by;
  if (count === 0) counts.delete(name);
  else counts.set(name, count);
}
