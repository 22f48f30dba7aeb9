// Stores the current and past holds of a team's sending domains and of the courier's account
// (docs/architecture.md §Hold). The time of a hold does not count in a message's 72 hours. So a
// past hold is stored for the longest time that a message may be open.
import type {
  ProbePermit,
  ProbeRequest,
  ActiveHold,
  Hold,
  NamedHold,
  ObservedHold,
} from "../../rpc/holds.ts";
import type { JobRef } from "../../rpc/ledger-calls.ts";
import { DAY_MS, EXPIRY_AFTER_MS, HOLD_LIMIT_MS, SECOND_MS } from "../../limits.ts";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS holds (
    name TEXT NOT NULL, since INTEGER NOT NULL, until INTEGER, code TEXT NOT NULL, message TEXT NOT NULL,
    PRIMARY KEY (name, since)
  ) WITHOUT ROWID;
`;

/** The name of the account's hold. No domain can have this name. */
export const ACCOUNT = "*";
/**
 * Time between two probes of a sending domain on hold. It is short, so that mail leaves within a
 * minute after the cause of the hold is removed.
 */
export const PROBE_MS = 45 * SECOND_MS;
/** The longest time for which a message is open. A hold that ended earlier concerns no message. */
const KEPT_MS = EXPIRY_AFTER_MS + HOLD_LIMIT_MS + DAY_MS;
/** Maximum number of past holds in memory. The time of forgotten holds counts in the 72 hours. */
const PAST_MOST = 1_000;

interface InForce {
  readonly hold: ActiveHold;
  /** The time of the provider's last refusal because of the hold, in Unix milliseconds. */
  readonly refusedAt: number;
  /** The time at which the ledger may release a copy as a probe, in Unix milliseconds. */
  probeAt: number;
  /** The name of the copy that was last released as a probe. */
  probe: string | null;
}

/** The current hold of a message. `heldMs` is the time on hold until now. */
export interface HeldState {
  readonly domain: string;
  readonly hold?: ActiveHold | undefined;
  readonly heldMs: number;
}

interface Period {
  readonly name: string;
  readonly since: number;
  readonly until: number;
}

interface Row extends Record<string, SqlStorageValue> {
  name: string;
  since: number;
  until: number | null;
  code: string;
  message: string;
}

export class Holds {
  readonly #sql: SqlStorage;
  readonly #probeMs: number;
  readonly #limitMs: number;
  readonly #inForce = new Map<string, InForce>();
  /**
   * The time at which a copy of this team showed that the account's hold is over. Null means that
   * the ledger has nothing to report to the deployment.
   */
  freedAt: number | null = null;
  #mayProbeAccount = false;
  /** Domains that were deleted during a hold of the account. A restart forgets them. */
  readonly #dropped = new Set<string>();
  /** The holds that have ended, the most recent end last. */
  #past: readonly Period[];

  /** `probeMs` is the time between two probes. Mail on hold expires after `holdMs`. */
  constructor(sql: SqlStorage, { probeMs, holdMs }: { probeMs: number; holdMs: number }) {
    this.#sql = sql;
    this.#probeMs = probeMs;
    this.#limitMs = holdMs;
    sql.exec(SCHEMA);
    const rows = sql.exec<Row>("SELECT * FROM holds ORDER BY until").toArray();
    this.#past = rows.flatMap(({ name, since, until }) =>
      until === null ? [] : [{ name, since, until }],
    );
    for (const { name, since, until, code, message } of rows) {
      const hold = { scope: scopeOf(name), since, code: code as Hold["code"], message };
      if (until === null)
        this.#inForce.set(name, { hold, refusedAt: since, probeAt: 0, probe: null });
    }
  }

  get isEmpty(): boolean {
    return this.#inForce.size === 0;
  }

  /** Number of holds in force. */
  get size(): number {
    return this.#inForce.size;
  }

  /** True if a message may be, or may have been, on hold. */
  get hasAny(): boolean {
    return this.#inForce.size + this.#past.length > 0;
  }

  /** The holds in force, by domain. ACCOUNT is the name of the whole account's hold. */
  all(): [name: string, hold: ActiveHold][] {
    return Array.from(this.#inForce, ([name, { hold }]) => [name, hold]);
  }

  named(): NamedHold[] {
    return this.all().map(([name, hold]) => ({ ...hold, domain: name === ACCOUNT ? null : name }));
  }

  /** Returns the hold that stops the mail of a domain. Undefined means that no hold stops it. */
  of(domain: string): ActiveHold | undefined {
    if (this.#dropped.has(domain)) return undefined;
    return (this.#inForce.get(domain) ?? this.#inForce.get(ACCOUNT))?.hold;
  }

  /** Returns whether the domain itself is on hold, not only the account. */
  isHeldAlone(domain: string): boolean {
    return this.#inForce.has(domain);
  }

  /**
   * Records that the provider refused a copy of a domain because of the hold `name`. Returns false
   * if that hold has ended since the refusal.
   */
  begin(
    { code, message, refusedAt }: ObservedHold,
    {
      name,
      domain,
      copy,
    }: { readonly name: string; readonly domain: string; readonly copy: string },
    now: number,
  ): boolean {
    if (this.#past.some((past) => past.name === name && past.until > refusedAt)) return false;
    this.#dropped.delete(domain);
    const before = this.#inForce.get(name);
    const known = before?.hold;
    const since = known?.since ?? refusedAt;
    const hold = { scope: scopeOf(name), since, code, message };
    // A refusal changes the plan of probes only if the hold is new or the copy was the hold's
    // probe. Other copies were sent before the hold was known.
    const isOfProbe = !before || before.probe === copy;
    // Usually another ledger probes the account. This ledger asks for the result of that probe
    // after half of the usual time, so that it soon learns that the hold is over.
    const waitMs = name === ACCOUNT ? this.#probeMs / 2 : this.#probeMs;
    const { probeAt, probe } = isOfProbe ? { probeAt: now + waitMs, probe: null } : before;
    this.#inForce.set(name, { hold, refusedAt, probeAt, probe });
    if (known?.code !== code || known.message !== message)
      this.#sql.exec(
        "INSERT OR REPLACE INTO holds VALUES (?, ?, NULL, ?, ?)",
        name,
        since,
        code,
        message,
      );
    return true;
  }

  /** Ends a hold. Returns whether the hold was in force. */
  end(name: string, now: number): boolean {
    const hold = this.#inForce.get(name);
    if (!hold) return false;
    this.#inForce.delete(name);
    if (this.isEmpty) this.#dropped.clear();
    const { since } = hold.hold;
    this.#past = [...this.#past, { name, since, until: now }].slice(-PAST_MOST);
    this.#sql.exec("UPDATE holds SET until = ? WHERE name = ? AND since = ?", now, name, since);
    return true;
  }

  /**
   * Ends every hold on a deleted domain's mail, so that consumers get that mail and bounce it. If
   * the team adds the domain again, the next refusal begins a hold again.
   */
  drop(domain: string, now: number): void {
    if (!this.of(domain)) return;
    this.end(domain, now);
    if (!this.isEmpty) this.#dropped.add(domain);
  }

  /**
   * Returns the names of holds for which a probe is due. While the account is on hold, only a probe
   * of the account helps, and the deployment must permit that probe (account-probe.ts).
   */
  due(now: number): string[] {
    if (this.#inForce.has(ACCOUNT)) return this.#mayProbeAccount ? [ACCOUNT] : [];
    return [...this.#inForce].filter(([, { probeAt }]) => probeAt <= now).map(([name]) => name);
  }

  /** The time of the next probe or request to probe, in Unix milliseconds. Infinity means never. */
  get probeAt(): number {
    if (this.freedAt !== null) return 0;
    const account = this.#inForce.get(ACCOUNT);
    const holds = account ? [account] : [...this.#inForce.values()];
    return holds.reduce((at, hold) => Math.min(at, hold.probeAt), Number.POSITIVE_INFINITY);
  }

  /** Returns the request to probe the account. Undefined means that no request is due. */
  probeRequest(now: number): ProbeRequest | undefined {
    const account = this.#inForce.get(ACCOUNT);
    if (!account || account.probeAt > now || this.#mayProbeAccount) return undefined;
    return { hold: account.hold, refusedAt: account.refusedAt };
  }

  takePermit(answer: ProbePermit, now: number): void {
    if (answer.kind === "free") this.end(ACCOUNT, now);
    else if (answer.kind === "wait") this.#planProbe(ACCOUNT, now + answer.waitMs);
    else this.#mayProbeAccount = this.#inForce.has(ACCOUNT);
  }

  /** Plans the next request to probe the account, after a request that failed. */
  postponeRequest(now: number): void {
    this.#planProbe(ACCOUNT, now + this.#probeMs);
  }

  /**
   * Ends the hold of a domain and the hold of the account, each only if its last refusal was before
   * `carriedAt`: the time, in Unix milliseconds, at which the courier took a copy.
   */
  free(domain: string, carriedAt: number, now: number): void {
    const isOver = (name: string): boolean =>
      carriedAt > (this.#inForce.get(name)?.refusedAt ?? carriedAt);
    if (isOver(domain)) this.end(domain, now);
    if (isOver(ACCOUNT) && this.end(ACCOUNT, now)) this.freedAt = now;
  }

  /**
   * Records that the copy named `copy` is released now as a probe, and plans the next probe. If
   * `copy` is null, no mail is on hold, and the next probe waits for mail.
   */
  noteProbe(name: string, copy: string | null, now: number): void {
    if (name === ACCOUNT) this.#mayProbeAccount = false;
    const probeAt = copy === null ? Number.POSITIVE_INFINITY : now + this.#probeMs;
    this.#planProbe(name, probeAt, copy);
  }

  /** Records that mail of a domain waits, and plans a probe for a hold that had no mail. */
  noteMail(domain: string, now: number): void {
    for (const name of [domain, ACCOUNT])
      if (this.#inForce.get(name)?.probeAt === Number.POSITIVE_INFINITY) this.#planProbe(name, now);
  }

  /** Returns whether the copy was released as a probe of a hold in force. */
  isProbe(copy: string): boolean {
    return [...this.#inForce.values()].some(({ probe }) => probe === copy);
  }

  /** Records that a probe's copy never reached the provider. Another probe is due at once. */
  endProbe(copy: string, now: number): void {
    for (const [name, held] of this.#inForce) {
      if (held.probe !== copy) continue;
      Object.assign(held, { probe: null, probeAt: now });
      this.#mayProbeAccount ||= name === ACCOUNT;
    }
  }

  /** Returns the hold of a message, given its domain and its start in Unix milliseconds. */
  stateOf(
    { domain, startsAt }: { readonly domain: string; readonly startsAt: number },
    now: number,
  ): HeldState {
    const heldMs = this.heldFor(domain, startsAt, now);
    return { domain, hold: this.of(domain), heldMs };
  }

  /** Returns the time that a domain's mail was on hold from `from` to `now`, in milliseconds. */
  heldFor(domain: string, from: number, now: number): number {
    let [held, at] = [0, now];
    for (const { since, until } of this.#backwards(domain, now)) {
      const start = Math.max(since, from);
      held += Math.max(0, Math.min(until, at) - start);
      at = Math.min(at, Math.max(start, from));
    }
    return held;
  }

  /** Returns the time at which mail expires that has been on hold for `heldMs` until now. */
  expiryAfter(heldMs: number, now: number): number {
    return now + Math.max(1, this.#limitMs - heldMs);
  }

  /** Returns whether mail expires after `heldMs` on hold. */
  isExpired(heldMs: number): boolean {
    return heldMs >= this.#limitMs;
  }

  /**
   * Returns the latest start, in Unix milliseconds, of messages of this domain that were on hold
   * for too long. Earlier messages were on hold for too long too. -Infinity means that none was.
   */
  expiredStart(domain: string, now: number): number {
    let [left, at] = [this.#limitMs, now];
    for (const { since, until } of this.#backwards(domain, now)) {
      const end = Math.min(until, at);
      if (end <= since) continue;
      if (end - since >= left) return end - left;
      left -= end - since;
      at = since;
    }
    return Number.NEGATIVE_INFINITY;
  }

  sweep(now: number): void {
    const [first] = this.#past;
    if (!first || first.until > now - KEPT_MS) return;
    this.#past = this.#past.filter(({ until }) => until > now - KEPT_MS);
    this.#sql.exec("DELETE FROM holds WHERE until <= ?", now - KEPT_MS);
  }

  #planProbe(name: string, probeAt: number, probe: string | null = null): void {
    const held = this.#inForce.get(name);
    if (held) Object.assign(held, { probeAt, probe: probe ?? held.probe });
  }

  /** The periods of a domain's holds, the most recent end first. The periods may overlap. */
  #backwards(domain: string, now: number): Period[] {
    const current = this.all().map(([name, { since }]) => ({ name, since, until: now }));
    return [...current, ...this.#past]
      .filter(({ name }) => name === domain || name === ACCOUNT)
      .toSorted((one, other) => other.until - one.until);
  }
}

/** Returns the name of a copy, which is the same for all attempts. */
export function copyName({ emailId, recipientIndex }: JobRef): string {
  return `${emailId}/${recipientIndex}`;
}

function scopeOf(name: string): Hold["scope"] {
  return name === ACCOUNT ? "account" : "domain";
}
