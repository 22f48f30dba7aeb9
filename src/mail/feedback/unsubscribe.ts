// One-click unsubscribing (contract.md §Unsubscribe pages, RFC 8058): the address is suppressed for
// the link's topic before the answer, and `email.unsubscribed` happens once. Doing it again changes
// nothing, unless the team has lifted the suppression meanwhile.
import { suppressionsOf } from "../../db/client.ts";
import { type Env, settingsOf } from "../../env.ts";
import { timeOfUuidv7 } from "../../lib/ids.ts";
import { DAY_MS } from "../../limits.ts";
import type { MessageRecord } from "../../resources/events/records.ts";
import { suppressForUnsubscribe } from "../../resources/suppressions/store.ts";
import { teamByNumber } from "../../resources/teams/team-cache.ts";
import { recordReaction } from "../record/record.ts";
import { readUnsubscribeToken, type UnsubscribeRef } from "../unsubscribe-link.ts";
import { findNamed } from "./named-message.ts";

const EMAIL_PREFIX = "email_";
const FORM = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\s*(?:;|$)/i;

/** What a genuine token stands for; undefined for any other text. */
export async function readUnsubscribe(
  env: Env,
  token: string,
): Promise<UnsubscribeRef | undefined> {
  return readUnsubscribeToken(settingsOf(env).signingKey, token);
}

/**
 * Whether a POST asks for it: RFC 8058 §3.2 names the pair, and both forms that may carry it.
 * Anything else could be a program that tries out links.
 */
export async function isOneClick(request: Request): Promise<boolean> {
  if (!FORM.test(request.headers.get("Content-Type") ?? "")) return false;
  // A body that is no such form rejects.
  const form = await request.formData().catch(() => undefined);
  return form?.getAll("List-Unsubscribe").includes("One-Click") ?? false;
}

/**
 * Unsubscribes the token's recipient, and returns what it stands for; undefined for a token that is
 * not ours.
 */
export async function unsubscribe(
  env: Env,
  token: string,
  now: number,
): Promise<UnsubscribeRef | undefined> {
  const ref = await readUnsubscribe(env, token);
  const team = ref && (await teamByNumber(env, ref.teamNumber, now));
  if (!team) return ref; // a deleted team mails nobody
  const { emailId, recipient, topic } = ref;
  const suppression = await suppressForUnsubscribe(
    suppressionsOf(env, team),
    recipient,
    topic,
    now,
  );
  const since = Math.max(
    suppression.suppressedAt,
    timeOfUuidv7(emailId.slice(EMAIL_PREFIX.length)),
  );
  // The row's own time makes a repeat the same event; a row that says something else has no time of
  // an unsubscribing.
  const occurredAt = suppression.reason === "unsubscribed" ? since : now;
  if (now - occurredAt > team.eventRetentionDays * DAY_MS) return ref;
  const message = (await findNamed(env, team, ref, now)) ?? forgotten(team.id, ref);
  await recordReaction(env, team, message, {
    type: "email.unsubscribed",
    occurredAt,
    recipient,
    discriminator: topic,
    tracking: null,
    // A row that was lifted and made anew has another time, so that leaving again is an event
    // again. Where a process was killed between the suppression and the event, the next request
    // makes the event.
    once: `unsubscribed/${emailId}/${recipient.toLowerCase()}/${topic}/${since}`,
  });
  return ref;
}

/**
 * All that is known of a message whose facts are gone: the event says nothing where the token
 * can't.
 */
function forgotten(teamId: string, { emailId, recipient, topic }: UnsubscribeRef): MessageRecord {
  const unknown = {
    from: "",
    fromDomain: "",
    subject: "",
    messageId: "",
    domainId: "",
    campaign: null,
    templateId: null,
    ipPool: null,
  };
  return {
    ...unknown,
    teamId,
    emailId,
    topic,
    tags: [],
    headers: {},
    recipients: [recipient],
    roles: "t",
  };
}
