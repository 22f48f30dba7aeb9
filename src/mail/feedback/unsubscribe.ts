// Unsubscribes a recipient with one click (contract.md §Unsubscribe pages, RFC 8058). Suppresses
// the address for the link's topic before the response, and records `email.unsubscribed` once. A
// repeated request changes nothing, except after the team has lifted the suppression.
import { suppressionsOf } from "../../db/client.ts";
import type { Env } from "../../env.ts";
import { DAY_MS } from "../../limits.ts";
import type { MessageRecord } from "../../rpc/event-records.ts";
import { suppressForUnsubscribe } from "../../resources/suppressions/automatic-suppressions.ts";
import { addressKey, topicKey } from "../../resources/suppressions/normalise.ts";
import { listSuppressionsOf, removeSuppressions } from "../../resources/suppressions/store.ts";
import { teamByNumber } from "../../resources/team-settings/team-cache.ts";
import { recordReaction } from "../record/record.ts";
import { earliestRelease } from "../recipient-ref.ts";
import type { UnsubscribeRef } from "../unsubscribe-link.ts";
import { findNamedMessage } from "./named-message.ts";
import { WAY_BACK } from "./unsubscribe-page.ts";

/**
 * Time for which the recipient can undo the unsubscription. It is limited, so that a forwarded link
 * can't subscribe its recipient again much later.
 */
const WAY_BACK_MS = DAY_MS;
/**
 * Maximum size of the body. The pair `List-Unsubscribe=One-Click` has 26 bytes. A form's boundaries
 * and headers make the body longer.
 */
const ONE_CLICK_BYTES = 1_024;
const MULTIPART = /^multipart\/form-data\s*(?:;|$)/i;
/** Matches the content types of a body with a pair, and also a missing content type. */
const PAIRS = /^(?:(?:application\/x-www-form-urlencoded|text\/plain)\s*(?:;|$)|$)/i;

/**
 * Returns the action that a POST asks for. Its body has the pair of RFC 8058 §3.2, or the pair of
 * the page's undo button. Mail programs also send their pair as plain text, without a type, or with
 * a line end after it. Any other POST could come from a program that probes links.
 */
export async function readWish(request: Request): Promise<"unsubscribe" | "undo" | null> {
  const type = (request.headers.get("Content-Type") ?? "").trim();
  const isMultipart = MULTIPART.test(type);
  if (!isMultipart && !PAIRS.test(type)) return null;
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength > ONE_CLICK_BYTES) return null;
  const form = isMultipart ? await readForm(bytes, type) : readPairs(bytes);
  if (form?.getAll("List-Unsubscribe").includes("One-Click")) return "unsubscribe";
  return form?.get(WAY_BACK.name) === WAY_BACK.value ? "undo" : null;
}

/** Reads a form. Undefined means that the form is malformed. */
async function readForm(bytes: ArrayBuffer, type: string): Promise<FormData | undefined> {
  return new Response(bytes, { headers: { "Content-Type": type } })
    .formData()
    .catch(() => undefined);
}

function readPairs(bytes: ArrayBuffer): URLSearchParams {
  return new URLSearchParams(new TextDecoder().decode(bytes).trimEnd());
}

/** Returns the link's content with the name that the team gives to the topic. */
export async function withTopicName(
  env: Env,
  ref: UnsubscribeRef,
  now: number,
): Promise<UnsubscribeRef> {
  const team = await teamByNumber(env, ref.teamNumber, now);
  return { ...ref, topic: team?.topicNames?.[topicKey(ref.topic)] ?? ref.topic };
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
  // The event has the time of the suppression, so a repeated request makes the same event. A
  // suppression for another reason has a time that is not the time of the unsubscription, so `now`
  // is used.
  const occurredAt = suppression.reason === "unsubscribed" ? since : now;
  if (now - occurredAt > team.eventRetentionDays * DAY_MS) return;
  const message = (await findNamedMessage(env, team, ref, now)) ?? toMinimalRecord(team.id, ref);
  await recordReaction(env, team, message, {
    type: "email.unsubscribed",
    occurredAt,
    recipient,
    discriminator: topic,
    tracking: null,
    // If the team lifted the suppression, a new unsubscription has a new time and makes a new
    // event. If the process was killed between the suppression and the event, the next request
    // records the event.
    once: `unsubscribed/${emailId}/${recipient.toLowerCase()}/${topic}/${since}`,
  });
}

/**
 * Lifts the suppression that the unsubscription made. A suppression for another reason stays.
 * Returns false if no suppression was lifted.
 */
export async function subscribeAgain(env: Env, ref: UnsubscribeRef, now: number): Promise<boolean> {
  const team = await teamByNumber(env, ref.teamNumber, now);
  if (!team) return false;
  const email = addressKey(ref.recipient);
  const scope = suppressionsOf(env, team);
  const own = (await listSuppressionsOf(scope, [email], now)).find(
    ({ topic }) => topic === ref.topic,
  );
  if (own?.reason !== "unsubscribed" || own.suppressedAt < now - WAY_BACK_MS) return false;
  return removeSuppressions(scope, email, ref.topic, now);
}

/**
 * Makes a message's record from the token, because the stored record is deleted. Fields that the
 * token does not have are empty.
 */
function toMinimalRecord(
  teamId: string,
  { emailId, recipient, topic }: UnsubscribeRef,
): MessageRecord {
  return {
    from: "",
    fromName: null,
    fromDomain: "",
    subject: "",
    messageId: "",
    domainId: "",
    campaign: null,
    templateId: null,
    ipPool: null,
    teamId,
    emailId,
    topic,
    tags: [],
    headers: {},
    recipients: [recipient],
    roles: "t",
  };
}
