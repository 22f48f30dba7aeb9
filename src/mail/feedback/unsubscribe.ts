// Unsubscribes a recipient with one click (contract.md §Unsubscribe pages, RFC 8058). The address
// is suppressed for the link's topic before the response, and `email.unsubscribed` is recorded
// once. A repeated request changes nothing, unless the team lifted the suppression meanwhile.
import { settingsOf } from "../../settings.ts";
import { suppressionsOf } from "../../db/client.ts";
import type { Env } from "../../env.ts";
import { DAY_MS } from "../../limits.ts";
import type { MessageRecord } from "../../rpc/event-records.ts";
import { suppressForUnsubscribe } from "../../resources/suppressions/automatic-suppressions.ts";
import { teamByNumber } from "../../resources/team-settings/team-cache.ts";
import { recordReaction } from "../record/record.ts";
import { earliestRelease } from "../recipient-ref.ts";
import { readUnsubscribeToken, type UnsubscribeRef } from "../unsubscribe-link.ts";
import { findNamedMessage } from "./named-message.ts";

const FORM = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\s*(?:;|$)/i;

/** Returns the content of a genuine token; undefined: the text is not a genuine token. */
export async function readUnsubscribe(
  env: Env,
  token: string,
): Promise<UnsubscribeRef | undefined> {
  return readUnsubscribeToken(settingsOf(env).signingKey, token);
}

/**
 * Tells whether a POST asks to unsubscribe. RFC 8058 §3.2 names the form field and the two media
 * types that may carry it. Any other POST could come from a program that probes links.
 */
export async function isOneClick(request: Request): Promise<boolean> {
  if (!FORM.test(request.headers.get("Content-Type") ?? "")) return false;
  // If the form body is malformed, the promise is rejected.
  const form = await request.formData().catch(() => undefined);
  return form?.getAll("List-Unsubscribe").includes("One-Click") ?? false;
}

/** Unsubscribes the recipient that a genuine token names. */
export async function unsubscribe(env: Env, ref: UnsubscribeRef, now: number): Promise<void> {
  const team = await teamByNumber(env, ref.teamNumber, now);
  if (!team) return; // a deleted team sends no mail
  const { emailId, recipient, topic } = ref;
  const suppression = await suppressForUnsubscribe(
    suppressionsOf(env, team),
    recipient,
    topic,
    now,
    emailId,
  );
  const since = Math.max(suppression.suppressedAt, earliestRelease(ref));
  // The event has the time of the suppression, so a repeated request makes the same event. If the
  // suppression has another reason, its time is not the time of the unsubscription, so `now` is
  // used.
  const occurredAt = suppression.reason === "unsubscribed" ? since : now;
  if (now - occurredAt > team.eventRetentionDays * DAY_MS) return;
  const message = (await findNamedMessage(env, team, ref, now)) ?? toMinimalRecord(team.id, ref);
  await recordReaction(env, team, message, {
    type: "email.unsubscribed",
    occurredAt,
    recipient,
    discriminator: topic,
    tracking: null,
    // If the suppression was lifted and added again, it has a new time, so unsubscribing again
    // makes a new event. If the process was killed between the suppression and the event, the next
    // request records the event.
    once: `unsubscribed/${emailId}/${recipient.toLowerCase()}/${topic}/${since}`,
  });
}

/**
 * Makes a message's record from the token, because the stored record is deleted. Fields that the
 * token does not have are empty.
 */
function toMinimalRecord(
  teamId: string,
  { emailId, recipient, topic }: UnsubscribeRef,
): MessageRecord {
  const unknown = {
    from: "",
    fromName: null,
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
