// Remembers, for at most a minute, the facts of the core database that the ledger and its team's
// deliveries need. When a fact changes, a call from the API makes the ledger forget the facts at
// once (decision 0031). The facts stay in memory, because the history of the ledger's disk must not
// contain a domain's sealed key after the domain's deletion.
import { coreWith } from "../db/core-shards.ts";
import type { Env } from "../env.ts";
import type { Team } from "../endpoint.ts";
import { BoundedMap } from "../lib/bounded-cache.ts";
import { CREDENTIAL_CACHE_MS } from "../limits.ts";
import type { DeliveryDomain, DomainsById } from "../rpc/delivery-facts.ts";
import { type LedgerFacts, readLedgerFacts } from "../resources/ledger-facts/store.ts";
import type { Subscription } from "../resources/webhooks/store.ts";

/** Maximum number of domains in memory. A domain takes some 3 KB. */
const DOMAINS_MOST = 100;
/**
 * A domain that a delivery asked for within this time is part of each read of the core database.
 */
const RECENT_MS = 2 * CREDENTIAL_CACHE_MS;

interface KnownFacts {
  readonly team: Team | undefined;
  readonly subscriptions: readonly Subscription[];
  /** The domains by id. Null means that the domain was deleted. */
  readonly domains: ReadonlyMap<string, DeliveryDomain | null>;
  readonly until: number;
}

export class CoreFacts {
  readonly teamId: string;
  readonly env: () => Env;
  readonly #noteTeam: (team: Team) => void;
  #known: KnownFacts | undefined;
  #reading: Promise<KnownFacts> | undefined;
  /**
   * The domains that deliveries asked for, each with the time of its last claim. The domain with
   * the latest claim is last.
   */
  readonly #asked = new BoundedMap<string, number>(DOMAINS_MOST);
  /**
   * Number of calls of forget(). If the number changes during a read, the facts of that read are
   * not remembered.
   */
  #version = 0;

  /** Calls `noteTeam` with the team after each read that finds the team. */
  constructor(teamId: string, env: () => Env, noteTeam: (team: Team) => void = () => undefined) {
    this.teamId = teamId;
    this.env = env;
    this.#noteTeam = noteTeam;
  }

  /** Returns the team, or undefined if the team was deleted. */
  async team(now: number): Promise<Team | undefined> {
    return (await this.#fresh([], now)).team;
  }

  /** Returns the team's webhooks that are not disabled. */
  async subscriptions(now: number): Promise<readonly Subscription[]> {
    return (await this.#fresh([], now)).subscriptions;
  }

  async domains(ids: readonly string[], now: number): Promise<DomainsById> {
    for (const id of ids) this.#asked.setLast(id, now);
    const { domains } = await this.#fresh(ids, now);
    return Object.fromEntries(ids.map((id) => [id, domains.get(id) ?? null]));
  }

  /** Forgets all facts, because some facts changed. */
  forget(): void {
    this.#version += 1;
    this.#known = undefined;
  }

  async #fresh(ids: readonly string[], now: number): Promise<KnownFacts> {
    for (;;) {
      const known = this.#known;
      if (known && now < known.until && ids.every((id) => known.domains.has(id))) return known;
      if (!this.#reading) return this.#read(ids, now);
      await this.#reading;
    }
  }

  /** Reads all facts, with the given domains and those that deliveries asked for recently. */
  #read(ids: readonly string[], now: number): Promise<KnownFacts> {
    const version = this.#version;
    const recent = [...this.#asked].filter(([, at]) => at > now - RECENT_MS);
    const all = [...new Set([...ids, ...recent.map(([id]) => id)])];
    const reading = readLedgerFacts(coreWith(this.env(), this.teamId), this.teamId, all)
      .then((found) => {
        if (found) this.#noteTeam(found.team);
        const known = toKnown(found, all, now);
        if (found && version === this.#version)
          this.#known = { ...known, domains: new Map([...known.domains].slice(-DOMAINS_MOST)) };
        return known;
      })
      .finally(() => (this.#reading = undefined));
    this.#reading = reading;
    return reading;
  }
}

function toKnown(found: LedgerFacts | undefined, ids: readonly string[], now: number): KnownFacts {
  // The domains that were asked for come last, because only the last DOMAINS_MOST domains are
  // remembered.
  const domains = new Map<string, DeliveryDomain | null>(found?.domains);
  for (const id of ids) {
    const domain = domains.get(id) ?? null;
    domains.delete(id);
    domains.set(id, domain);
  }
  return {
    team: found?.team,
    subscriptions: found?.subscriptions ?? [],
    domains,
    until: now + CREDENTIAL_CACHE_MS,
  };
}
