// Decides whether a team may use more distinct tags, topics and campaigns in a rolling window
// (contract.md §Rate and quota refusals). A label leaves a window if no message uses it for the
// window's length. A team may use a label that is in the window any number of times. Pure, except
// that it changes the counts in place: copying a thousand labels for each message would cost more
// than the rest of an admission.
import type { Policy } from "../../rpc/ledger-calls.ts";
import type { LabelCap } from "../../rpc/usage-calls.ts";
import { BoundedMap } from "../../lib/bounded-cache.ts";
import type { Quota } from "../../refusal.ts";
import {
  LabelAdmission,
  LABEL_LIFETIME_MS,
  type LabelKind,
  type Labels,
  type Recency,
  RULES,
  valuesOf,
  type WindowRule,
} from "./label-windows.ts";

/**
 * Minimum time between two writes of a label's last use. A label may therefore leave its window too
 * early after a restart, by at most this time.
 */
export const LABEL_REFRESH_MS = 60_000;

/**
 * Maximum number of labels of one window in memory. A label takes some 150 bytes. A window with
 * more labels forgets the least recently used label, so a team never reaches a cap above this
 * number.
 */
export const LABELS_IN_MEMORY = 20_000;

/** A label's last use, as it is stored. */
export interface LabelRow {
  readonly kind: LabelKind;
  readonly value: string;
  readonly seenAt: number;
}

/** A label that at least one window did not contain when a message used the label. */
export interface FreshLabel {
  readonly kind: LabelKind;
  readonly value: string;
  /**
   * The time of the label's previous use, in Unix milliseconds. Null means that no window contained
   * the label.
   */
  readonly before: number | null;
}

const KINDS: readonly LabelKind[] = ["tags", "topic", "campaign"];

export class LabelCounts {
  readonly #windows: readonly Recency[] = RULES.map(() => new BoundedMap(LABELS_IN_MEMORY));
  /** The stored time of each label's last use. nameOf() makes the keys. */
  readonly #stored = new BoundedMap<string, number>(KINDS.length * LABELS_IN_MEMORY);

  /** `rows` must be sorted by the last use of their labels, the oldest use first. */
  constructor(rows: Iterable<LabelRow>) {
    for (const row of rows) {
      this.#stored.set(nameOf(row.kind, row.value), row.seenAt);
      for (const [index, rule] of RULES.entries())
        if (rule.kind === row.kind) this.#windows[index]?.set(row.value, row.seenAt);
    }
  }

  /**
   * Judges items in order. The labels of a refused item do not count for the items after it.
   * Changes no counts.
   */
  judge(items: readonly Labels[], policy: Policy, now: number): (Quota | null)[] {
    const admissions = RULES.map(
      (rule, index) => new LabelAdmission(this.#current(index, rule, now)),
    );
    return items.map((item) => {
      let widest: Quota | null = null;
      for (const [index, rule] of RULES.entries()) {
        const values = valuesOf(item, rule.kind);
        const refusal = admissions[index]?.refusal(values, policy[rule.cap], rule, now) ?? null;
        if (refusal && refusal.retryAfterSeconds > (widest?.retryAfterSeconds ?? 0))
          widest = refusal;
      }
      if (widest === null && items.length > 1)
        for (const [index, rule] of RULES.entries())
          admissions[index]?.use(valuesOf(item, rule.kind));
      return widest;
    });
  }

  /**
   * Counts the labels of accepted items. Returns the rows to write: rows for new labels, and for
   * labels whose row is older than LABEL_REFRESH_MS.
   */
  use(items: readonly Labels[], now: number): LabelRow[] {
    const rows: LabelRow[] = [];
    for (const item of items) {
      for (const [index, rule] of RULES.entries())
        for (const value of valuesOf(item, rule.kind)) touch(this.#windows[index], value, now);
      for (const kind of KINDS) {
        for (const value of valuesOf(item, kind)) {
          const storedAt = this.#stored.get(nameOf(kind, value));
          if (storedAt !== undefined && now - storedAt < LABEL_REFRESH_MS) continue;
          this.#stored.set(nameOf(kind, value), now);
          rows.push({ kind, value, seenAt: now });
        }
      }
    }
    return rows;
  }

  /**
   * Returns, for each item, the labels whose use giveBack() must undo if the item is canceled:
   * labels that at least one window does not contain yet, and that no other item has. Must be
   * called before use().
   */
  freshIn(items: readonly Labels[], now: number): FreshLabel[][] {
    const users = Map.groupBy(items.flatMap(namesOf), (name) => name);
    return items.map((item) =>
      KINDS.flatMap((kind) =>
        valuesOf(item, kind).flatMap((value): FreshLabel[] => {
          const seen = RULES.flatMap((rule, index) =>
            rule.kind === kind ? [this.#current(index, rule, now).get(value)] : [],
          );
          const isShared = (users.get(nameOf(kind, value))?.length ?? 0) > 1;
          if (isShared || !seen.includes(undefined)) return [];
          return [{ kind, value, before: seen.find((at) => at !== undefined) ?? null }];
        }),
      ),
    );
  }

  /**
   * Takes back the use of a label at `usedAt`, unless a later message also used the label. Returns
   * whether the caller must set the label's row to the previous use.
   */
  giveBack({ kind, value, before }: FreshLabel, usedAt: number): boolean {
    let isGivenBack = false;
    for (const [index, rule] of RULES.entries()) {
      const window = this.#windows[index];
      if (rule.kind !== kind || window?.get(value) !== usedAt) continue;
      if (before !== null && before + rule.lengthMs > usedAt) continue;
      window.delete(value);
      isGivenBack = true;
    }
    if (!isGivenBack) return false;
    if (before === null) this.#stored.delete(nameOf(kind, value));
    else this.#stored.set(nameOf(kind, value), before);
    return true;
  }

  /** Counts the distinct labels in the window of each rule. */
  countUsed(now: number): Record<LabelCap, number> {
    return Object.fromEntries(
      RULES.map((rule, index) => [rule.cap, this.#current(index, rule, now).size]),
    ) as Record<LabelCap, number>;
  }

  #current(index: number, rule: WindowRule, now: number): Recency {
    const window = this.#windows[index]!;
    for (const [value, seenAt] of window) {
      if (seenAt + rule.lengthMs > now) break;
      window.delete(value);
      if (rule.lengthMs === LABEL_LIFETIME_MS[rule.kind])
        this.#stored.delete(nameOf(rule.kind, value));
    }
    return window;
  }
}

function nameOf(kind: LabelKind, value: string): string {
  return `${kind}\0${value}`;
}

function namesOf(item: Labels): string[] {
  return KINDS.flatMap((kind) => valuesOf(item, kind).map((value) => nameOf(kind, value)));
}

function touch(window: Recency | undefined, value: string, now: number): void {
  const seenAt = Math.max(now, window?.get(value) ?? 0);
  window?.setLast(value, seenAt);
}
