// Composes the copies of deliveries one at a time. Each copy is composed only when the courier
// takes it, because a batch may need more than an isolate's memory (docs/architecture.md §Compose).
import type { ClaimedMessage } from "../../rpc/ledger-calls.ts";
import { yieldAfter } from "../../lib/step-scheduler.ts";
import { logError } from "../../lib/log.ts";
import { signingKeyFor } from "../../resources/domains/dkim-keys.ts";
import { findTracking } from "../../resources/domains/domain-lookups.ts";
import { compose } from "../compose/compose.ts";
import { composeRaw, type PreparedRaw, prepareRaw } from "../compose/raw.ts";
import type { Mailbox, Message, MessageContent } from "../message.ts";
import { startOf } from "../message-start.ts";
import { decodeContent, type StoredContent } from "../stored-content.ts";
import { type RecipientRef, releaseDayAt } from "../recipient-ref.ts";
import { replyAddressOf } from "../reply-address.ts";
import { mintReplyToken } from "../reply-token.ts";
import type { Settings } from "../../settings.ts";
import { feedbackIdOf } from "../feedback-id.ts";
import { mintToken } from "../token.ts";
import type { ObservedHold } from "../../rpc/holds.ts";
import type { OutboundCopy, RoomAhead } from "./courier.ts";
import type { HeldNames } from "./couriers/held-names.ts";
import type { DeliveryRun } from "./claim.ts";
import type { ClaimedDelivery } from "./claimed-delivery.ts";
import { linksOf } from "./links-of-copy.ts";
import { objectOf } from "../../object-of.ts";

type Content = MessageContent | PreparedRaw;

/** A delivery that has no outcome yet. */
export interface OpenDelivery {
  readonly delivery: ClaimedDelivery;
  /**
   * The time at which the courier got the delivery's copy, in Unix milliseconds. 0 means that the
   * courier does not have the copy.
   */
  handedAt: number;
  /** Present if the gateway gave the copy back and keeps its queue position. */
  room?: RoomAhead | undefined;
  /** Present if the provider takes no copies of the domain or the account now. */
  hold?: ObservedHold | undefined;
}

/**
 * Yields the copies in order, and calls `allHanded` after the courier took the last copy. A copy
 * that cannot be composed now is logged and left out, so its job is released again after a wait.
 * Also leaves out copies of domains that are in `held`, because the provider has just refused them.
 */
export async function* composeCopies(
  run: DeliveryRun,
  open: Iterable<OpenDelivery>,
  held: HeldNames | undefined,
  allHanded: () => void,
): AsyncGenerator<OutboundCopy> {
  // The deliveries of one message usually follow each other, so the content of the message is
  // loaded once for all of them.
  let loaded: { emailId: string; content: Content } | undefined;
  for (const entry of open) {
    const { grant, message } = entry.delivery;
    const emailId = message.id;
    entry.hold = grant.isProbe ? undefined : held?.of(message.fromDomain, Date.now());
    if (entry.hold) continue;
    try {
      if (loaded?.emailId !== emailId)
        loaded = { emailId, content: await loadContent(run, entry.delivery) };
      const copy = await composeCopy(run, entry.delivery, loaded.content);
      entry.delivery.stored = null;
      await yieldAfter(copy.bytes.length);
      entry.handedAt = Date.now();
      yield copy;
    } catch (error) {
      logError("compose_failed", error, { email_id: emailId });
    }
  }
  loaded = undefined;
  allHanded();
}

async function loadContent(
  run: DeliveryRun,
  { message, stored }: ClaimedDelivery,
): Promise<Content> {
  const content = stored && (stored.content ?? (await readContent(run, stored)));
  if (content === null) throw new Error(`the content of ${message.id} is missing`);
  // A submitted message is stored as bytes.
  return message.source === "raw"
    ? prepareRaw(content as Uint8Array<ArrayBuffer>)
    : decodeContent(content);
}

/** Reads content that the claim did not return. Null means that the content is deleted. */
export async function readContent(
  { env, team }: Pick<DeliveryRun, "env" | "team">,
  { emailId, contentKey }: ClaimedMessage,
): Promise<StoredContent | null> {
  if (contentKey === null) return objectOf(env, "TEAM_LEDGER", team.id).readContent(emailId);
  const object = await env.CONTENT.get(contentKey);
  return object && new Uint8Array(await object.arrayBuffer());
}

async function composeCopy(
  { env, settings, team, domains }: DeliveryRun,
  { grant, key, message, recipient }: ClaimedDelivery,
  content: Content,
): Promise<OutboundCopy> {
  // Undefined means that the ledger returned no facts about the domain.
  const domain = domains[message.domainId];
  const dkim = await signingKeyFor(env, settings, message.domainId, domain && domain.key);
  if (!dkim) throw new Error(`the sending domain ${message.domainId} was deleted`);
  const { recipientIndex } = grant;
  const ref = {
    teamNumber: team.number,
    emailId: message.id,
    recipientIndex,
    releaseDay: releaseDayAt(startOf(message)),
  };
  const token = await mintToken(settings.signingKey, "return-path", ref);
  const links = await linksOf(settings, message, ref, async () =>
    domain === undefined ? findTracking(env, message.domainId) : (domain?.tracking ?? null),
  );
  const returnPath = `b+${token}@bounces.${message.fromDomain}`;
  const replyTo = await replyAddressFor(settings, message, ref, recipient);
  const feedback = { returnPath, feedbackId: await feedbackIdOf(message, settings) };
  return {
    key,
    mailFrom: returnPath,
    rcptTo: recipient,
    sender: message.from.email,
    pool: message.ipPool,
    team: team.id,
    priority: message.priority,
    waitsSince: grant.waitsSince,
    bytes:
      "ascii" in content
        ? await composeRaw({
            message,
            prepared: content,
            recipientIndex,
            dkim,
            feedback,
            links,
            ...(replyTo && { replyAddress: replyTo }),
          })
        : await compose({
            content,
            recipientIndex,
            dkim,
            feedback,
            ...links,
            message: replyTo ? { ...message, replyTo: [replyTo] } : message,
          }),
  };
}

/**
 * Returns the reply address. Its display name is the name of the first reply address or, without
 * one, of the sender.
 */
async function replyAddressFor(
  settings: Settings,
  { replyTracking, replyTo, from, fromDomain }: Message,
  ref: RecipientRef,
  recipient: string,
): Promise<Mailbox | undefined> {
  if (!replyTracking) return undefined;
  const token = await mintReplyToken(settings.signingKey, ref, recipient);
  return {
    email: replyAddressOf(settings, fromDomain, token),
    name: replyTo[0]?.name ?? from.name,
  };
}
