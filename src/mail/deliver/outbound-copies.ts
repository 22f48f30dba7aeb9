// Composes the copies of deliveries one at a time. Each copy is composed only when the courier
// takes it, because a batch may hold more than an isolate's memory (docs/architecture.md §Compose).
import type { ClaimedMessage } from "../../rpc/ledger-calls.ts";
import { yieldAfter } from "../../lib/step-scheduler.ts";
import { logError } from "../../lib/log.ts";
import { signingKeyFor } from "../../resources/domains/dkim-keys.ts";
import { compose } from "../compose/compose.ts";
import { composeRaw, type PreparedRaw, prepareRaw } from "../compose/raw.ts";
import type { MessageContent } from "../message.ts";
import { startOf } from "../message-start.ts";
import { decodeContent, type StoredContent } from "../stored-content.ts";
import { releaseDayAt } from "../recipient-ref.ts";
import { mintToken } from "../token.ts";
import type { OutboundCopy } from "./courier.ts";
import type { DeliveryRun } from "./claim.ts";
import type { ClaimedDelivery } from "./claimed-delivery.ts";
import { linksOf } from "./links.ts";

type Content = MessageContent | PreparedRaw;

/** A delivery that has no outcome yet. */
export interface OpenDelivery {
  readonly delivery: ClaimedDelivery;
  /** When the delivery's copy was handed to the courier, Unix milliseconds; 0: not yet. */
  handedAt: number;
}

/**
 * Yields the copies in order, and calls `allHanded` after the last one was taken. A copy that
 * cannot be composed now is logged and left out, so its job is released again later.
 */
export async function* composeCopies(
  run: DeliveryRun,
  open: Iterable<OpenDelivery>,
  allHanded: () => void,
): AsyncGenerator<OutboundCopy> {
  // The deliveries of one message usually come one after the other, so the content of the message
  // is loaded once for all of them.
  let loaded: { emailId: string; content: Content } | undefined;
  for (const entry of open) {
    const emailId = entry.delivery.message.id;
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

/** Reads content that the claim did not return; null: the content is gone. */
async function readContent(
  { env, team }: DeliveryRun,
  { emailId, contentKey }: ClaimedMessage,
): Promise<StoredContent | null> {
  if (contentKey === null) return env.TEAM_LEDGER.getByName(team.id).readContent(emailId);
  const object = await env.CONTENT.get(contentKey);
  return object && new Uint8Array(await object.arrayBuffer());
}

async function composeCopy(
  { env, settings, team }: DeliveryRun,
  { grant, key, message, recipient }: ClaimedDelivery,
  content: Content,
): Promise<OutboundCopy> {
  const dkim = await signingKeyFor(env, settings, message.domainId);
  if (!dkim) throw new Error(`the sending domain ${message.domainId} was deleted`);
  const { recipientIndex } = grant;
  const ref = {
    teamNumber: team.number,
    emailId: message.id,
    recipientIndex,
    releaseDay: releaseDayAt(startOf(message)),
  };
  const token = await mintToken(settings.signingKey, "return-path", ref);
  const links = await linksOf(env, settings, message, ref);
  const returnPath = `b+${token}@bounces.${message.fromDomain}`;
  const feedback = { returnPath, serviceName: settings.serviceName };
  return {
    key,
    mailFrom: returnPath,
    rcptTo: recipient,
    sender: message.from.email,
    pool: message.ipPool,
    team: team.id,
    priority: message.priority,
    bytes:
      "ascii" in content
        ? await composeRaw({ message, prepared: content, recipientIndex, dkim, feedback, links })
        : await compose({ message, content, recipientIndex, dkim, feedback, ...links }),
  };
}
