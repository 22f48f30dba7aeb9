// Reads in one query everything that a team's ledger needs from the core database: the team's
// settings, its webhooks, and the keys and tracking of the given domains (decision 0031). Reads the
// primary, because the ledger must apply the team's current limits.
import { eq, getTableColumns, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { teams } from "../../db/core-schema.ts";
import type { Team } from "../../endpoint.ts";
import type { DeliveryDomain, SealedDkimKey } from "../../rpc/delivery-facts.ts";
import { toCallerTeam } from "../team-settings/store.ts";
import type { Subscription } from "../webhooks/store.ts";

export interface LedgerFacts {
  readonly team: Team;
  /** The team's webhooks that are not disabled. */
  readonly subscriptions: readonly Subscription[];
  /** The existing domains, by id. */
  readonly domains: ReadonlyMap<string, DeliveryDomain>;
}

interface DomainRow extends SealedDkimKey {
  readonly id: string;
  readonly host: string | null;
  readonly opens: number;
  readonly clicks: number;
}

/**
 * Number of verified domains that the query reads in addition to the given domains. Most teams have
 * at most this many.
 */
const DOMAINS_UNASKED = 5;

/**
 * Reads the facts, for the given domains and the newest verified domains. Returns undefined if the
 * team was deleted.
 */
export async function readLedgerFacts(
  db: D1Database,
  teamId: string,
  domainIds: readonly string[],
): Promise<LedgerFacts | undefined> {
  const webhooks = sql<string>`(SELECT json_group_array(json_object('id', id, 'status', status,
      'events', json(events), 'format', format, 'autoReplies', auto_replies))
    FROM webhooks WHERE team_id = ${teamId} AND status <> 'disabled')`;
  const domains = sql<string>`(SELECT json_group_array(json_object('id', d.id, 'domain', d.name,
      'selector', k.selector, 'privateKeyEncrypted', k.private_key_encrypted,
      'host', iif(d.tracking_status = 'verified', d.tracking_host, NULL),
      'opens', d.opens_enabled, 'clicks', d.clicks_enabled))
    FROM domains d JOIN dkim_keys k ON k.domain_id = d.id AND k.active = 1
    WHERE d.team_id = ${teamId}
      AND (d.id IN (SELECT value FROM json_each(${JSON.stringify(domainIds)}))
        OR d.id IN (SELECT id FROM domains WHERE team_id = ${teamId} AND status = 'verified'
          ORDER BY created_at DESC LIMIT ${DOMAINS_UNASKED})))`;
  const row = await drizzle(db)
    .select({ team: getTableColumns(teams), webhooks, domains })
    .from(teams)
    .where(eq(teams.id, teamId))
    .get();
  return (
    row && {
      team: toCallerTeam(row.team),
      subscriptions: (JSON.parse(row.webhooks) as WebhookRow[]).map(toSubscription),
      domains: new Map((JSON.parse(row.domains) as DomainRow[]).map(toDomainFacts)),
    }
  );
}

type WebhookRow = Omit<Subscription, "autoReplies"> & { readonly autoReplies: number };

function toSubscription(row: WebhookRow): Subscription {
  return { ...row, autoReplies: row.autoReplies === 1 };
}

function toDomainFacts({ id, host, opens, clicks, ...key }: DomainRow): [string, DeliveryDomain] {
  const tracking = host === null ? null : { host, opens: opens === 1, clicks: clicks === 1 };
  return [id, { key, tracking }];
}
