// Decides what GET /events answers beyond finding rows (contract.md §Pulled history): the window, and that a domain without any mail is the caller's
// mistake and no empty page.
import { coreFor, type HistoryScope, historyFor, shownHistoryFor } from "../../db/client.ts";
import type { Page, Team } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import { asciiDomain } from "../../lib/idna.ts";
import { DAY_MS } from "../../limits.ts";
import { refuse } from "../../refusal.ts";
import { hasDomain } from "../domains/store.ts";
import { listEvents } from "./store.ts";
import { formatPosition, positionOf } from "./window.ts";
import type { EventQuery, PulledEvent } from "./wire.ts";

export interface PulledPage {
  readonly events: readonly PulledEvent[];
  /** The position that the next request takes as its `after`; null on the last page. */
  readonly next: string | null;
}

/** One page of the team's history. Refuses an unknown `domain` (400), and an `after` that is no position (422). */
export async function pullEvents(env: Env, team: Team, query: EventQuery, page: Page, now: number): Promise<PulledPage> {
  const { start, end, ...given } = query;
  const domain = given.domain === undefined ? undefined : (asciiDomain(given.domain) ?? given.domain);
  const filters = { ...given, domain };
  const position = positionOf({ start, end }, page.after, team.eventRetentionDays, now);
  const [{ events, next }, known] = await Promise.all([
    listEvents(shownHistoryFor(env, team, position.seen), filters, position, page.limit),
    domain === undefined || hasDomain(coreFor(env, team.id), domain),
  ]);
  if (domain !== undefined && !known && events.length === 0 && !(await hasSentFrom(historyFor(env, team), domain, now))) {
    throw refuse("malformed", { errors: { domain: ["is not a sending domain of this team"] } });
  }
  return { events, next: next && formatPosition(next) };
}

/** A domain that was removed is known for as long as there are events of it. */
async function hasSentFrom(history: HistoryScope, domain: string, now: number): Promise<boolean> {
  const everything = positionOf({ start: now - history.retentionDays * DAY_MS }, null, history.retentionDays, now);
  return (await listEvents(history, { domain }, everything, 1)).events.length > 0;
}
