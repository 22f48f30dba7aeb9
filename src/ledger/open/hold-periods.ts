// Keeps the holds of a team's sending domains and of the courier's account, in force and past
// (docs/architecture.md §Hold). Time under a hold does not count in a message's 72 hours, so the
// past holds are kept as long as a message may be open. A message has no row of its own here.
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

/** The name of the account's hold. A domain cannot have it. */
export const ACCOUNT = "*";
/** Time between two probes of a held domain. Mail flows on within a minute of the remedy. */
export const PROBE_MS = 45 * SECOND_MS;
/** The longest time for which a message is open. A hold that ended before concerns no message. */
const KEPT_MS = EXPIRY_AFTER_MS + HOLD_LIMIT_MS + DAY_MS;
/** Maximum number of past holds in memory. Older ones are forgotten: their time then counts. */
const PAST_MOST = 1_000;

interface InForce {
  readonly hold: ActiveHold;
  /** When the provider last refused a copy because of the hold, Unix milliseconds. */
  readonly refusedAt: number;
  /** When a copy may be released to see whether the hold is over, Unix milliseconds. */
  probeAt: number;
  /** The copy that was released last for that purpose. */
  probe: string | null;
}

/** The holds of a message, as known now. `heldMs`: for how long it was held until now. */
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
  /** When a copy of this team showed that the account is free; null: the deployment knows it. */
  freedAt: number | null = null;
  #mayProbeAccount = false;
  /** Domains that were deleted while the account was held. A restart forgets them. */
  readonly #dropped = new Set<string>();
  /** The holds that have ended, the last ended last. */
  #past: readonly Period[];

  /** `probeMs`: time between two probes. `holdMs`: time after which held mail expires. */
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

  /** True: a message may have been held, now or before. */
  get hasAny(): boolean {
    return this.#inForce.size + this.#past.length > 0;
  }

  /** The holds in force, by domain; ACCOUNT: of the whole account. */
  all(): [name: string, hold: ActiveHold][] {
    return Array.from(this.#inForce, ([name, { hold }]) => [name, hold]);
  }

  named(): NamedHold[] {
    return this.all().map(([name, hold]) => ({ ...hold, domain: name === ACCOUNT ? null : name }));
  }

  /** Returns the hold that stops the mail of a domain. Undefined: its mail flows. */
  of(domain: string): ActiveHold | undefined {
    if (this.#dropped.has(domain)) return undefined;
    return (this.#inForce.get(domain) ?? this.#inForce.get(ACCOUNT))?.hold;
  }

  /** Tells whether a domain is held by itself, not only with the account. */
  isHeldAlone(domain: string): boolean {
    return this.#inForce.has(domain);
  }

  /**
   * Notes that the provider refused a copy of a domain because of a hold. Returns false if the hold
   * has ended since. `name`: the hold's.
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
    // The copies that were sent before the hold was known change nothing about its probe.
    const isOfProbe = !before || before.probe === copy;
    // The account's probe is another ledger's, mostly. So the ledger asks for it sooner.
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

  /** Ends a hold. Returns whether it was in force. */
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
   * Lets all mail of a deleted domain flow, because the consumers end it. A further refusal for this
   * name ends that: the team has added the domain again.
   */
  drop(domain: string, now: number): void {
    if (!this.of(domain)) return;
    this.end(domain, now);
    if (!this.isEmpty) this.#dropped.add(domain);
  }

  /**
   * Returns the names of holds for which a probe is due. While the account is held, only its own
   * probe is of use, and the deployment allows that (account-probe.ts).
   */
  due(now: number): string[] {
    if (this.#inForce.has(ACCOUNT)) return this.#mayProbeAccount ? [ACCOUNT] : [];
    return [...this.#inForce].filter(([, { probeAt }]) => probeAt <= now).map(([name]) => name);
  }

  /**
   * When a probe is due, or the question whether the account may be probed, Unix milliseconds;
   * Infinity: never.
   */
  get probeAt(): number {
    if (this.freedAt !== null) return 0;
    const account = this.#inForce.get(ACCOUNT);
    const holds = account ? [account] : [...this.#inForce.values()];
    return holds.reduce((at, hold) => Math.min(at, hold.probeAt), Number.POSITIVE_INFINITY);
  }

  /** Returns the question whether the account may be probed. Undefined: it is not due. */
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

  /** Plans the next question after one that got no answer. */
  postponeRequest(now: number): void {
    this.#planProbe(ACCOUNT, now + this.#probeMs);
  }

  /**
   * Ends the holds of a domain and of the account, because the courier carried a copy at
   * `carriedAt`, Unix milliseconds.
   */
  free(domain: string, carriedAt: number, now: number): void {
    const isOver = (name: string): boolean =>
      carriedAt > (this.#inForce.get(name)?.refusedAt ?? carriedAt);
    if (isOver(domain)) this.end(domain, now);
    if (isOver(ACCOUNT) && this.end(ACCOUNT, now)) this.freedAt = now;
  }

  /**
   * Plans the next probe after one that is released now. `copy`: the copy's name; null: no mail is
   * held, so the next probe waits for some.
   */
  noteProbe(name: string, copy: string | null, now: number): void {
    if (name === ACCOUNT) this.#mayProbeAccount = false;
    const probeAt = copy === null ? Number.POSITIVE_INFINITY : now + this.#probeMs;
    this.#planProbe(name, probeAt, copy);
  }

  /** Notes that mail of a domain waits. A hold without any mail plans no probe. */
  noteMail(domain: string, now: number): void {
    for (const name of [domain, ACCOUNT])
      if (this.#inForce.get(name)?.probeAt === Number.POSITIVE_INFINITY) this.#planProbe(name, now);
  }

  /** Tells whether the copy was released as a probe of a hold in force. */
  isProbe(copy: string): boolean {
    return [...this.#inForce.values()].some(({ probe }) => probe === copy);
  }

  /** Notes that a probe's copy ended, although the provider was not asked. Another one follows. */
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

  /** Returns for how long the mail of a domain was held between `from` and `now`, in milliseconds. */
  heldFor(domain: string, from: number, now: number): number {
    let [held, at] = [0, now];
    for (const { since, until } of this.#backwards(domain, now)) {
      const start = Math.max(since, from);
      held += Math.max(0, Math.min(until, at) - start);
      at = Math.min(at, Math.max(start, from));
    }
    return held;
  }

  /** Tells when held mail expires that was held for `heldMs` until now. */
  expiryAfter(heldMs: number, now: number): number {
    return now + Math.max(1, this.#limitMs - heldMs);
  }

  /** Tells whether mail that was held for so long has expired. */
  isExpired(heldMs: number): boolean {
    return heldMs >= this.#limitMs;
  }

  /**
   * Returns the latest start of a message of this domain that was held for too long, Unix
   * milliseconds; -Infinity: none was.
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

  /** The periods in which a domain's mail was held, the last ended first. They may overlap. */
  #backwards(domain: string, now: number): Period[] {
    const current = this.all().map(([name, { since }]) => ({ name, since, until: now }));
    return [...current, ...this.#past]
      .filter(({ name }) => name === domain || name === ACCOUNT)
      .toSorted((one, other) => other.until - one.until);
  }
}

/** Names a copy, whatever the number of its attempt. */
export function copyName({ emailId, recipientIndex }: JobRef): string {
  return `${emailId}/${recipientIndex}`;
}

function scopeOf(name: string): Hold["scope"] {
  return name === ACCOUNT ? "account" : "domain";
}
