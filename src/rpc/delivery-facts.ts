// The facts of the core database that a delivery needs. The ledger returns them with a claim, so
// that a consumer does not query the core database (decision 0031).
import type { ContentDays } from "../content-days.ts";
import type { SETTINGS } from "../operator/setting-table.ts";
import type { ShardSpan } from "./shard-types.ts";

/** The settings of a team that a delivery needs. */
export interface DeliveryTeam {
  readonly id: string;
  readonly number: number;
  readonly shards: readonly ShardSpan[];
  /** Null: the team uses the deployment's courier. */
  readonly courier: (typeof SETTINGS.OUTBOUND.form.choices)[number] | null;
  /** Null: the team uses the deployment's setting. */
  readonly contentDays: ContentDays | null;
  readonly eventRetentionDays: number;
}

/**
 * An encrypted DKIM key, as the core database stores it. Only the isolate that delivers decrypts
 * it.
 */
export interface SealedDkimKey {
  readonly domain: string;
  readonly selector: string;
  readonly privateKeyEncrypted: string;
}

/** The tracking host of a domain, and whether opens and clicks are tracked. */
export interface TrackingSettings {
  readonly host: string;
  readonly opens: boolean;
  readonly clicks: boolean;
}

export interface DeliveryDomain {
  readonly key: SealedDkimKey;
  /** Null: the domain has no verified tracking host. */
  readonly tracking: TrackingSettings | null;
}

/**
 * Facts of sending domains, by the domain's id. Null: the domain was deleted. A domain is missing
 * if the core database did not answer after the claim.
 */
export type DomainsById = Readonly<Record<string, DeliveryDomain | null>>;

export interface DeliveryFacts {
  readonly team: DeliveryTeam;
  /** The domains of the claimed messages. */
  readonly domains: DomainsById;
}
