// Makes events, messages and chunks for the history's tests. A test names only the members that it
// is about.
import { dayOf } from "../../../../src/db/days.ts";
import { env as bindings } from "cloudflare:workers";
import { shardDatabase } from "../../../../src/db/client.ts";
import { shardOn } from "../../../../src/db/shards.ts";
import type { Team } from "../../../../src/endpoint.ts";
import type { Env } from "../../../../src/env.ts";
import { newEmailId, newId } from "../../../../src/lib/ids.ts";
import {
  eventId,
  type EventRecord,
  type MessageEvents,
  type MessageRecord,
  type OwnEvent,
} from "../../../../src/rpc/event-records.ts";
import { writeChunks } from "../../../../src/resources/events/write-chunk.ts";
import { ON_SHARD_0 } from "../../../support/shard-bindings.ts";
import { UNNOTED_FIRST_MAIL } from "../../../../src/regions.ts";

export const env = bindings as unknown as Env;

export const DAY = 86_400_000;

/** A fixed time. No time window that begins or ends with the current time contains it. */
export const NOON = Date.UTC(2026, 9, 20, 12);

export type SampleTeam = Pick<
  Team,
  "id" | "number" | "shards" | "eventRetentionDays" | "firstMail" | "startingCredits"
>;

/**
 * The number given to the last test team. It begins above the numbers of teams that tests create
 * through the API.
 */
let teams = 1_000_000;
/** The time at which each team's last chunk was begun. */
const appended = new Map<string, number>();

export function newTeam(eventRetentionDays = 30, shards = ON_SHARD_0): SampleTeam {
  teams += 1;
  const mail = { firstMail: UNNOTED_FIRST_MAIL, startingCredits: 0, changedAt: 0 };
  return { id: newId("team"), number: teams, shards, eventRetentionDays, ...mail };
}

export function anEvent(teamId: string, given: Partial<EventRecord> = {}): EventRecord {
  const occurredAt = given.occurredAt ?? NOON;
  const emailId = given.emailId ?? newEmailId(occurredAt);
  const type = given.type ?? "email.delivered";
  const recipient = given.recipient ?? "ada@example.org";
  const fromDomain = given.fromDomain ?? "mail.example.com";
  return {
    id: eventId(occurredAt, emailId, recipient, type, String(given.attempt ?? "")),
    teamId,
    emailId,
    type,
    occurredAt,
    recipient,
    from: `hello@${fromDomain}`,
    fromName: "The Shop",
    fromDomain,
    subject: "Your receipt",
    messageId: `<${emailId.slice("email_".length)}@${fromDomain}>`,
    tags: [],
    topic: null,
    campaign: null,
    templateId: null,
    ipPool: null,
    headers: {},
    attempt: null,
    smtpCode: null,
    bounce: null,
    complaint: null,
    suppression: null,
    tracking: null,
    exchange: null,
    ...given,
  };
}

export function aMessage(teamId: string, given: Partial<MessageRecord> = {}): MessageRecord {
  const emailId = given.emailId ?? newEmailId(NOON);
  return {
    teamId,
    emailId,
    from: "hello@mail.example.com",
    fromName: null,
    fromDomain: "mail.example.com",
    domainId: newId("domain"),
    subject: "Your receipt",
    messageId: `<${emailId.slice("email_".length)}@mail.example.com>`,
    recipients: ["ada@example.org", "Grace@example.org"],
    roles: "tc",
    tags: ["a", "b"],
    topic: "receipts",
    campaign: null,
    templateId: null,
    ipPool: null,
    headers: { x_order: "17" },
    ...given,
  };
}

/**
 * Makes an event of the message. It has the same facts about the message as an event read from a
 * chunk.
 */
export function ofMessage(message: MessageRecord, given: Partial<OwnEvent> = {}): EventRecord {
  const { domainId: _domainId, recipients, roles: _roles, ...facts } = message;
  return anEvent(message.teamId, { recipient: recipients[0]!, ...facts, ...given });
}

/** Groups events by message; each message has the facts of its first event. */
export function byMessage(
  events: readonly EventRecord[],
  known: readonly MessageRecord[] = [],
): MessageEvents[] {
  return Array.from(
    Map.groupBy(events, ({ emailId }) => emailId),
    ([emailId, own]) => {
      const { id: _id, type: _type, occurredAt: _at, recipient, attempt: _nth, ...rest } = own[0]!;
      const { smtpCode: _code, bounce: _bounce, complaint: _complaint, ...others } = rest;
      const {
        suppression: _suppression,
        tracking: _tracking,
        exchange: _exchange,
        ...facts
      } = others;
      const made: MessageRecord = {
        ...facts,
        domainId: "domain_00000000-0000-4000-8000-000000000000",
        recipients: [recipient],
        roles: "t",
      };
      return { message: known.find((message) => message.emailId === emailId) ?? made, events: own };
    },
  );
}

/**
 * Writes events into chunks of one day each, with at most `perPage` events, as a ledger does. Each
 * event is appended at the time when it happened.
 */
export async function write(
  team: Pick<Team, "id" | "number" | "shards">,
  events: readonly EventRecord[],
  { messages = [], perPage = 128 }: { messages?: readonly MessageRecord[]; perPage?: number } = {},
): Promise<void> {
  for (const [day, onDay] of Map.groupBy(events, ({ occurredAt }) => dayOf(occurredAt)))
    for (let first = 0; first < onDay.length; first += perPage) {
      const own = onDay.slice(first, first + perPage);
      const times = own.map(({ occurredAt }) => occurredAt);
      const at = Math.max((appended.get(team.id) ?? 0) + 1, ...times);
      appended.set(team.id, at);
      const page = {
        team,
        day,
        at,
        lastSeq: 1,
        messages: byMessage(own, messages),
        isStray: Math.min(...times) < at - 600_000,
      };
      await writeChunks(shardDatabase(env, shardOn(team.shards, day)), [page], []);
    }
}
