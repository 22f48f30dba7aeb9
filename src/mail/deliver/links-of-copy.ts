// Decides which of the service's own links a copy has: an unsubscribe link if the message asks for
// it (contract.md §Generated unsubscribe links), and tracked links by the settings of the domain,
// unless the message overrides them (contract.md §Tracking overrides).
import type { Settings } from "../../settings.ts";
import type { TrackingSettings } from "../../rpc/delivery-facts.ts";
import type { RawLinks } from "../compose/raw-links.ts";
import type { CopyTracking } from "../compose/track.ts";
import type { Message } from "../message.ts";
import type { RecipientRef } from "../recipient-ref.ts";
import { unsubscribeUrl } from "../unsubscribe-link.ts";

/**
 * Returns the links. `ref` is the recipient of the copy. `readDomain` returns the domain's
 * tracking. A null in the result means that the copy has no such link, or no tracking.
 */
export async function linksOf(
  settings: Settings,
  message: Message,
  ref: RecipientRef,
  readDomain: () => Promise<TrackingSettings | null>,
): Promise<RawLinks> {
  return {
    unsubscribeUrl: await unsubscribeUrlOf(settings, message, ref),
    tracking: await trackingOf(settings, message, ref, readDomain),
  };
}

async function unsubscribeUrlOf(
  settings: Settings,
  message: Message,
  ref: RecipientRef,
): Promise<string | null> {
  const { unsubscribe, topic, from, fromDomain, recipients } = message;
  const recipient = recipients[ref.recipientIndex];
  if (!unsubscribe || topic === null || recipient === undefined) return null;
  const sender = unsubscribe.displayName ?? from.name ?? fromDomain;
  return unsubscribeUrl(settings.publicUrl, settings.signingKey, {
    ...ref,
    recipient,
    topic,
    sender,
  });
}

async function trackingOf(
  settings: Settings,
  message: Message,
  ref: RecipientRef,
  readDomain: () => Promise<TrackingSettings | null>,
): Promise<CopyTracking | null> {
  const { opens: opensWanted, clicks } = message.tracking ?? {};
  // A sensitive message has no click tracking: events show a link's target, which may have a token.
  const clicksWanted = message.sensitive ? false : clicks;
  if (opensWanted === false && clicksWanted === false) return null;
  const domain = await readDomain();
  if (!domain) return null;
  const opens = opensWanted ?? domain.opens;
  const areClicksTracked = clicksWanted ?? domain.clicks;
  if (!opens && !areClicksTracked) return null;
  return {
    opens,
    clicks: areClicksTracked,
    host: domain.host,
    copy: ref,
    signingKey: settings.signingKey,
    publicUrl: settings.publicUrl,
  };
}
