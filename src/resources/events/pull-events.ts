// Handles GET /events (contract.md §Pulled history): decides the window and reads one page. Refuses
// the request if the team never sent from the given domain.
import { coreFor } from "../../db/client.ts";
import type { ListPage, Team } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import { asciiDomain } from "../../lib/idna.ts";
import { DAY_MS } from "../../limits.ts";
import { refuse } from "../../refusal.ts";
import { hasDomain } from "../domains/store.ts";
import { findTemplateId } from "../templates/store.ts";
import { listEvents } from "./history.ts";
import type { EventRecord } from "../../rpc/event-records.ts";
import { formatPosition, positionOf } from "./event-window.ts";
import type { Position } from "../../rpc/history-query.ts";
import { simulatorDomain } from "../providers/provider-of.ts";
import { settingsOf } from "../../settings.ts";
import type { EventQuery, PulledEvent } from "./wire.ts";

export interface PulledPage {
  readonly events: readonly PulledEvent[];
  /** The position that the next request passes as `after`. Null: this is the last page. */
  readonly next: string | null;
}

/** Returns a page of the team's history. Refuses an unknown `domain` (400) or `after` (422). */
export async function pullEvents(
  env: Env,
  team: Team,
  query: EventQuery,
  page: ListPage,
  now: number,
): Promise<PulledPage> {
  const { start, end, provider, ...given } = query;
  const domain =
    given.domain === undefined ? undefined : (asciiDomain(given.domain) ?? given.domain);
  const simulated = simulatorDomain(settingsOf(env).serviceDomain);
  const filters = {
    ...given,
    domain,
    template_id:
      given.template_id && (await findTemplateId(coreFor(env, team.id), given.template_id)),
    provider: provider && { name: provider, simulated },
  };
  const position = positionOf({ start, end }, page.after, team.eventRetentionDays, now);
  const [{ events, next }, known] = await Promise.all([
    listEvents(env, team, filters, position, page.limit),
    domain === undefined || hasDomain(coreFor(env, team.id), domain),
  ]);
  if (
    domain !== undefined &&
    !known &&
    events.length === 0 &&
    !(await hasSentFrom(env, team, domain, now))
  ) {
    throw refuse("malformed", { errors: { domain: ["is not a sending domain of this team"] } });
  }
  return { events: events.map(toPulledEvent), next: next && formatPosition(next) };
}

/**
 * Returns whether the team's history has events of the domain. A deleted domain counts as long as
 * its events are kept.
 */
async function hasSentFrom(env: Env, team: Team, domain: string, now: number): Promise<boolean> {
  const retention = team.eventRetentionDays;
  let position: Position | null = positionOf(
    { start: now - retention * DAY_MS },
    null,
    retention,
    now,
  );
  while (position) {
    const { events, next } = await listEvents(env, team, { domain }, position, 1);
    if (events.length > 0) return true;
    position = next;
  }
  return false;
}

function toPulledEvent(event: EventRecord): PulledEvent {
  return {
    id: event.id,
    type: event.type,
    occurred_at: new Date(event.occurredAt).toISOString(),
    email_id: event.emailId,
    message_id: event.messageId,
    from: event.from,
    from_domain: event.fromDomain,
    recipient: event.recipient,
    subject: event.subject,
    campaign: event.campaign,
    template_id: event.templateId,
    topic: event.topic,
    tags: [...event.tags],
    ip_pool: event.ipPool,
    smtp_code: event.smtpCode,
    bounce_type: event.bounce?.type ?? null,
    bounce_classification: event.bounce?.classification ?? null,
    attempt: event.attempt,
    // The JSON of an open by a person has no tracking members (contract.md §Opens and clicks).
    tracking:
      event.type === "email.opened" && event.tracking?.bot === undefined ? null : event.tracking,
  };
}
