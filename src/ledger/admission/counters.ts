// Stores the team's counters and labels (docs/architecture.md §Admit): all counters in one row,
// written once per commit, and one row per label.
import type { Bucket } from "../token-bucket.ts";
import { type FreshLabel, LabelCounts, type LabelRow } from "./label-counts.ts";
import { LABEL_LIFETIME_MS } from "./label-windows.ts";
import { EMPTY_QUOTA_STATE, type QuotaState, refund } from "./quota.ts";
import type { Candidate } from "../../rpc/ledger-calls.ts";
import { HOUR_MS } from "../../limits.ts";

const LABELS_PER_SWEEP = 1_000;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS counters (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    day INTEGER NOT NULL, daily_used INTEGER NOT NULL,
    month INTEGER NOT NULL, monthly_used INTEGER NOT NULL, overage_credits INTEGER NOT NULL,
    pace_level INTEGER, pace_at INTEGER, pace_per_minute INTEGER NOT NULL
  );
  CREATE TABLE IF NOT EXISTS labels (kind TEXT NOT NULL, value TEXT NOT NULL, seen_at INTEGER NOT NULL, PRIMARY KEY (kind, value)) WITHOUT ROWID;
`;

/** The amounts that a message took from the quotas. Canceling the message returns them. */
export interface QuotaUse {
  /** Unix milliseconds. */
  readonly acceptedAt: number;
  readonly recipients: number;
  /** Number of the message's recipients that overage credits paid for. */
  readonly overage: number;
  /**
   * The message's labels that at least one window did not contain when the message was accepted.
   */
  readonly labels: readonly FreshLabel[];
}

type CountersRow = { readonly [Name in keyof QuotaState]: number } & {
  readonly level: number | null;
  readonly at: number | null;
  readonly perMinute: number;
};

const READ = `
  SELECT day, daily_used AS dailyUsed, month, monthly_used AS monthlyUsed,
    overage_credits AS overageCredits, pace_level AS level, pace_at AS at, pace_per_minute AS perMinute
  FROM counters`;

export class LedgerCounters {
  readonly labels: LabelCounts;
  readonly #sql: SqlStorage;
  #quota: QuotaState = EMPTY_QUOTA_STATE;
  #pace: Bucket | undefined;
  #perMinute = 0;
  #dirty = false;
  /** False until the ledger has counted something, or the operator has set its credits. */
  #hasCounted: boolean;
  #labelSweepAt: number;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(SCHEMA);
    const [row] = sql.exec<CountersRow>(READ).toArray();
    this.#hasCounted = row !== undefined;
    if (row) {
      const { level, at, perMinute, ...quota } = row;
      this.#quota = quota;
      this.#pace = level === null || at === null ? undefined : { level, at };
      this.#perMinute = perMinute;
    }
    this.labels = new LabelCounts(
      sql.exec(
        "SELECT kind, value, seen_at AS seenAt FROM labels ORDER BY seen_at",
      ) as unknown as Iterable<LabelRow>,
    );
    this.#labelSweepAt = this.#nextLabelSweep();
  }

  get quota(): QuotaState {
    return this.#quota;
  }

  set quota(quota: QuotaState) {
    const isChange = quota !== this.#quota;
    this.#dirty ||= isChange;
    this.#hasCounted ||= isChange;
    this.#quota = quota;
  }

  /**
   * Returns the quota's state. While the ledger has counted nothing, its row does not exist, and
   * the team's starting credits come from the team's settings.
   */
  quotaFrom(startingCredits = 0): QuotaState {
    return this.#hasCounted ? this.#quota : { ...this.#quota, overageCredits: startingCredits };
  }

  setOverageCredits(overageCredits: number): void {
    this.quota = { ...this.#quota, overageCredits };
  }

  /**
   * The token bucket that paces releases, and the delivery rate at the last acceptance of a
   * message.
   */
  get pacing(): { readonly bucket: Bucket | undefined; readonly perMinute: number } {
    return { bucket: this.#pace, perMinute: this.#perMinute };
  }

  setPacing(bucket: Bucket, perMinute: number): void {
    this.#pace = bucket;
    this.#perMinute = perMinute;
    this.#dirty = true;
  }

  /** Writes the counters if they changed. */
  save(): void {
    if (!this.#dirty) return;
    this.#dirty = false;
    const { day, dailyUsed, month, monthlyUsed, overageCredits } = this.#quota;
    const values = [
      day,
      dailyUsed,
      month,
      monthlyUsed,
      overageCredits,
      this.#pace?.level ?? null,
      this.#pace?.at ?? null,
      this.#perMinute,
    ];
    this.#sql.exec("INSERT OR REPLACE INTO counters VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)", ...values);
  }

  saveLabels(rows: readonly LabelRow[]): void {
    for (const row of rows) {
      this.#sql.exec(
        "INSERT OR REPLACE INTO labels VALUES (?, ?, ?)",
        row.kind,
        row.value,
        row.seenAt,
      );
      this.#labelSweepAt = Math.min(
        this.#labelSweepAt,
        row.seenAt + LABEL_LIFETIME_MS[row.kind] + HOUR_MS,
      );
    }
  }

  /**
   * Returns, by message id, the amounts that each scheduled message of a send takes from the
   * quotas. `candidates` are the messages to accept. `overage` is the number of their recipients
   * that overage credits pay for. Must run before the candidates' labels are counted.
   */
  usesOf(
    candidates: readonly Candidate[],
    overage: number,
    now: number,
  ): ReadonlyMap<string, QuotaUse> {
    const uses = new Map<string, QuotaUse>();
    if (candidates.every(({ scheduledAt }) => scheduledAt === undefined)) return uses;
    const fresh = this.labels.freshIn(candidates, now);
    let unpaid = overage;
    for (const [index, { id, scheduledAt, recipientCount: recipients }] of candidates.entries()) {
      if (scheduledAt === undefined) continue;
      const own = Math.min(unpaid, recipients);
      unpaid -= own;
      uses.set(id, { acceptedAt: now, recipients, overage: own, labels: fresh[index]! });
    }
    return uses;
  }

  /** Gives the quotas back the amounts that a canceled message took. */
  giveBack({ labels, ...use }: QuotaUse, now: number): void {
    this.quota = refund(this.quota, use, now);
    for (const label of labels) {
      if (!this.labels.giveBack(label, use.acceptedAt)) continue;
      const { kind, value, before } = label;
      if (before === null)
        this.#sql.exec("DELETE FROM labels WHERE kind = ? AND value = ?", kind, value);
      else this.saveLabels([{ kind, value, seenAt: before }]);
    }
  }

  /**
   * The time at which the next sweep of old label rows is due, in Unix milliseconds. Infinity means
   * that no label has a row.
   */
  get labelSweepAt(): number {
    return this.#labelSweepAt;
  }

  /** Deletes label rows that no window needs any more, at most LABELS_PER_SWEEP. */
  sweepLabels(now: number): void {
    if (this.#labelSweepAt > now) return;
    const { rowsWritten } = this.#sql.exec(
      `DELETE FROM labels WHERE (kind, value) IN
         (SELECT kind, value FROM labels WHERE seen_at <= CASE kind WHEN 'campaign' THEN ? ELSE ? END LIMIT ${LABELS_PER_SWEEP})`,
      now - LABEL_LIFETIME_MS.campaign,
      now - LABEL_LIFETIME_MS.tags,
    );
    this.#labelSweepAt = rowsWritten >= LABELS_PER_SWEEP ? now : this.#nextLabelSweep();
  }

  /**
   * Plans the next sweep for an hour after the oldest row expires, so that one sweep deletes many
   * rows.
   */
  #nextLabelSweep(): number {
    const { at } = this.#sql
      .exec<{ at: number | null }>(
        "SELECT min(seen_at + CASE kind WHEN 'campaign' THEN ? ELSE ? END) AS at FROM labels",
        LABEL_LIFETIME_MS.campaign,
        LABEL_LIFETIME_MS.tags,
      )
      .one();
    return at === null ? Number.POSITIVE_INFINITY : at + HOUR_MS;
  }
}
