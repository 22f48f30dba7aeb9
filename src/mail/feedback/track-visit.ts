// Responds to a visit to a tracked link with the link's target. Records the event, unless a machine
// made the visit (contract.md §Opens and clicks). The response never waits for the event. The
// visitor's IP address is not stored.
import { settingsOf } from "../../settings.ts";
import type { Tracking } from "../../rpc/event-types.ts";
import type { Team } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import { teamByNumber } from "../../resources/team-settings/team-cache.ts";
import { recordReaction } from "../record/record.ts";
import { readTrackingToken, type TrackedKind, type TrackedRef } from "../tracking-link.ts";
import { agentOf, type Visitor, visitorOf } from "./bots.ts";
import { findNamedMessage } from "./named-message.ts";
import { objectOf } from "../../object-of.ts";

export interface VisitRequest {
  readonly kind: TrackedKind;
  readonly token: string;
  /** The host of the request, in lower case and without a port. */
  readonly host: string;
  readonly method: string;
  readonly headers: Headers;
  /** Unix milliseconds. */
  readonly now: number;
}

/**
 * Returns the recipient and target in a genuine link. Undefined means that the link is not from
 * this service, or not valid on this host. Passes the work that records the event to `defer`.
 */
export async function resolveVisit(
  env: Env,
  request: VisitRequest,
  defer: (work: Promise<void>) => void,
): Promise<TrackedRef | undefined> {
  const { kind, token, host, method, headers, now } = request;
  const ref = await readTrackingToken(settingsOf(env).signingKey, host, kind, token);
  const team = ref && (await teamByNumber(env, ref.teamNumber, now));
  if (!team) return undefined; // links of a deleted team lead nowhere
  const visitor = method === "GET" ? visitorOf(kind === "c" ? "click" : "open", headers) : null;
  if (visitor && visitor.kind !== "machine") defer(recordVisit(env, team, ref, request, visitor));
  return ref;
}

async function recordVisit(
  env: Env,
  team: Team,
  ref: TrackedRef,
  { kind, headers, now }: VisitRequest,
  visitor: Visitor,
): Promise<void> {
  const url = kind === "c" ? ref.url : null;
  const agent = agentOf(headers) ?? "";
  const filter = objectOf(env, "VISITS", `${ref.emailId}/${ref.recipientIndex}`);
  if (!(await filter.shouldCount({ url, agent }))) return;
  const message = await findNamedMessage(env, team, ref, now);
  const recipient = message?.recipients[ref.recipientIndex];
  if (!message || recipient === undefined) return; // the message is older than the history
  const type = kind === "c" ? "email.clicked" : "email.opened";
  await recordReaction(env, team, message, {
    type,
    occurredAt: now,
    recipient,
    discriminator: `${url ?? ""} ${agent}`,
    tracking: trackingOf(url, agent, visitor),
    once: null,
  });
}

function trackingOf(url: string | null, agent: string, visitor: Visitor): Tracking {
  return {
    ...(url !== null && { url }),
    ...(agent !== "" && { user_agent: agent }),
    ...(visitor.kind === "proxy" && { bot: { source: visitor.source, kind: "proxy" } }),
  };
}
