// Makes an item for the call to the ledger from each entry of a batch (docs/architecture.md
// §Accept): looks up each sender's domain, then prepares each message. If one item fails here, the
// other items are still sent.
import { newEmailId } from "../../../lib/ids.ts";
import type { AdmitItem } from "../../../rpc/ledger-calls.ts";
import { BATCH_FACTS_CHARACTERS, SMALL_CONTENT_BYTES } from "../../../limits.ts";
import type { SendingDomain } from "../../../resources/domains/domain-lookups.ts";
import { encodeContent } from "../../stored-content.ts";
import { candidateOf, messageOf } from "../prepare-message.ts";
import { FieldProblems } from "../field-problems.ts";
import type { RenderedEmail } from "../render/render-emails.ts";
import type { SendContext } from "../send-context.ts";
import { requireSendingDomain } from "../sending-domain.ts";
import { itemOf, type SendItem } from "../submit/content-storage.ts";
import type { RenderedEntry } from "./render-entries.ts";

type FailedItem = Extract<AdmitItem, { kind: "failed" }>;

/**
 * The team's sending domain for each domain name, or the failed item for all entries that send from
 * that name.
 */
type DomainsByName = ReadonlyMap<string, SendingDomain | FailedItem>;

/**
 * Returns one item for each entry, in order. Returns undefined after it reported that the items are
 * too large for one call.
 */
export async function itemsOf(
  context: SendContext,
  entries: readonly RenderedEntry[],
  problems: FieldProblems,
): Promise<SendItem[] | undefined> {
  const domains = await findDomains(context, entries);
  const items: SendItem[] = [];
  let characters = 0;
  for (const entry of entries) {
    const item = entry.kind === "failed" ? entry : toItem(context, entry.email, domains);
    items.push(item);
    if (item.kind !== "failed") characters += item.candidate.meta.length;
    if (characters > BATCH_FACTS_CHARACTERS) {
      problems.invalid(
        "emails",
        `hold more than ${BATCH_FACTS_CHARACTERS} characters of addresses, headers, labels and metadata`,
      );
      return undefined;
    }
  }
  return items;
}

/** Looks up each domain of the entries' senders once. */
async function findDomains(
  { env, sender }: SendContext,
  entries: readonly RenderedEntry[],
): Promise<DomainsByName> {
  const names = new Set(
    entries.flatMap((entry) => (entry.kind === "valid" ? [entry.email.from.domain] : [])),
  );
  const found = Array.from(names, async (name): Promise<[string, SendingDomain | FailedItem]> => {
    const problems = new FieldProblems();
    const domain = await requireSendingDomain(env, sender, name, problems);
    return [name, domain ?? { kind: "failed", error: problems.itemError() }];
  });
  return new Map(await Promise.all(found));
}

/** Makes the item of an entry. Large content is encoded only when it is stored. */
function toItem(
  { sender, now }: SendContext,
  email: RenderedEmail,
  domains: DomainsByName,
): SendItem {
  const domain = domains.get(email.from.domain);
  if (!domain) throw new Error("the domain of an entry's sender was not looked up");
  if ("kind" in domain) return domain;
  const acceptance = { id: newEmailId(now), teamId: sender.team.id, acceptedAt: now, domain };
  const candidate = candidateOf(messageOf(email, acceptance), email.scheduledAt);
  const contentUnits = countContentUnits(email);
  return contentUnits <= SMALL_CONTENT_BYTES
    ? itemOf({ candidate, content: encodeContent(email) })
    : { kind: "large", candidate, contentUnits, makeContent: () => encodeContent(email) };
}

/**
 * Returns a lower bound of the length of the stored content: the UTF-16 units of the text and HTML,
 * plus the bytes of the attachments.
 */
function countContentUnits({ text, html, attachments }: RenderedEmail): number {
  return attachments.reduce(
    (units, { content }) => units + content.length,
    (text?.length ?? 0) + (html?.length ?? 0),
  );
}
