// Makes the service's own links of one recipient's copy: the unsubscribe link that the message asks for (contract.md §Generated unsubscribe links),
// and the tracked ones, by the domain's settings unless the message says otherwise (contract.md §Tracking overrides).
import type { Env, Settings } from "../../env.ts";
import { findTracking } from "../../resources/domains/store.ts";
import type { CopyTracking } from "../compose/track.ts";
import type { Message } from "../message.ts";
import { unsubscribeUrl } from "../unsubscribe-link.ts";

export interface CopyLinks {
  readonly unsubscribeUrl: string | null;
  readonly tracking: CopyTracking | null;
}

export async function linksOf(env: Env, settings: Settings, message: Message, recipientIndex: number): Promise<CopyLinks> {
  return {
    unsubscribeUrl: await unsubscribeUrlOf(settings, message, recipientIndex),
    tracking: await trackingOf(env, settings, message, recipientIndex),
  };
}

async function unsubscribeUrlOf(settings: Settings, message: Message, recipientIndex: number): Promise<string | null> {
  const { id, teamId, unsubscribe, topic, from, fromDomain, recipients } = message;
  const recipient = recipients[recipientIndex];
  if (!unsubscribe || topic === null || recipient === undefined) return null;
  const sender = unsubscribe.displayName ?? from.name ?? fromDomain;
  return unsubscribeUrl(settings.publicUrl, settings.signingKey, { teamId, emailId: id, recipient, topic, sender });
}

async function trackingOf(env: Env, settings: Settings, message: Message, recipientIndex: number): Promise<CopyTracking | null> {
  const { opens: opensWanted, clicks: clicksWanted } = message.tracking ?? {};
  if (opensWanted === false && clicksWanted === false) return null;
  const domain = await findTracking(env.DB, message.domainId);
  if (!domain) return null;
  const opens = opensWanted ?? domain.opens;
  const clicks = clicksWanted ?? domain.clicks;
  if (!opens && !clicks) return null;
  const copy = { teamId: message.teamId, emailId: message.id, recipientIndex };
  return { opens, clicks, host: domain.host, copy, signingKey: settings.signingKey, publicUrl: settings.publicUrl };
}
