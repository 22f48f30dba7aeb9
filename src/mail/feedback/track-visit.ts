// Answers a visit to a tracked link with its target, and records the event unless a machine made
// the visit (contract.md §Opens and clicks). The answer never waits for the event. No address of a
// visitor is kept.
import type { Team } from "../../endpoint.ts";
import { type Env, settingsOf } from "../../env.ts";
import type { Tracking } from "../../resources/events/wire.ts";
import { teamByNumber } from "../../resources/teams/team-cache.ts";
import { recordReaction } from "../record/record.ts";
import { readTrackingToken, type TrackedKind, type TrackedRef } from "../tracking-link.ts";
import { agentOf, type Visitor, visitorOf } from "./bots.ts";
import { findNamed } from "./named-message.ts";

export interface VisitRequest {
  readonly kind: TrackedKind;
  readonly token: string;
  /** Lower case, without a port. */
  readonly host: string;
  readonly method: string;
  readonly headers: Headers;
  /** Unix milliseconds. */
  readonly now: number;
}

/**
 * What a genuine link stands for; undefined when it is not ours, or not on this host. What is to be
 * recorded is given to `defer`.
 */
export async function visit(
  env: Env,
  request: VisitRequest,
  defer: (work: Promise<void>) => void,
): Promise<TrackedRef | undefined> {
  const { kind, token, host, method, headers, now } = request;
  const ref = await readTrackingToken(settingsOf(env).signingKey, host, kind, token);
  const team = ref && (await teamByNumber(env, ref.teamNumber, now));
  if (!team) return undefined; // a deleted team's links lead nowhere
  const visitor = method === "GET" ? visitorOf(kind === "c" ? "click" : "open", headers) : null;
  if (visitor && visitor.kind !== "machine") defer(note(env, team, ref, request, visitor));
  return ref;
}

async function note(
  env: Env,
  team: Team,
  ref: TrackedRef,
  { kind, headers, now }: VisitRequest,
  visitor: Visitor,
): Promise<void> {
  const url = kind === "c" ? ref.url : null;
  const agent = agentOf(headers) ?? "";
  const visits = env.VISITS.getByName(`${ref.emailId}/${ref.recipientIndex}`);
  if (!(await visits.counts({ url, agent }))) return;
  const message = await findNamed(env, team, ref, now);
  const recipient = message?.recipients[ref.recipientIndex];
  if (!message || recipient === undefined) return; // older than what is kept
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
    ...(url === null ? {} : { url }),
    ...(agent === "" ? {} : { user_agent: agent }),
    ...(visitor.kind === "proxy"
      ? { bot: { source: visitor.source, kind: "proxy" as const } }
      : {}),
  };
}
