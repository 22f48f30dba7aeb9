// Makes an item for the call to the ledger from each entry of a batch (docs/architecture.md
// §Accept): renders the entries, looks up each sender's domain, then prepares each message. If the
// domain of one item may not send, the other items are still sent.
import { newEmailId } from "../../../lib/ids.ts";
import type { AdmitItem } from "../../../rpc/ledger-calls.ts";
import { BATCH_FACTS_CHARACTERS, SMALL_CONTENT_BYTES } from "../../../limits.ts";
import type { SendingDomain } from "../../../resources/domains/domain-lookups.ts";
import { encodeContent } from "../../stored-content.ts";
import { candidateOf, messageOf } from "../prepare-message.ts";
import { FieldProblems } from "../field-problems.ts";
import { type RenderedEmail, renderEmails } from "../render/render-emails.ts";
import type { SendContext } from "../send-context.ts";
import { requireSendingDomain } from "../sending-domain.ts";
import { itemOf, type SendItem } from "../submit/content-storage.ts";
import type { ValidEntry } from "./batch-entries.ts";

type FailedItem = Extract<AdmitItem, { kind: "failed" }>;
type RenderedEntry = FailedItem | { readonly kind: "valid"; readonly email: RenderedEmail };

/**
 * The team's sending domain for each domain name, or the failed item for all entries that send from
 * that name.
 */
type DomainsByName = ReadonlyMap<string, SendingDomain | FailedItem>;

/**
 * Returns one item for each entry, in order. Undefined means that an error was added to `problems`,
 * for example because the items are too large for one call.
 */
export async function itemsOf(
  context: SendContext,
  entries: readonly ValidEntry[],
  problems: FieldProblems,
): Promise<SendItem[] | undefined> {
  const rendered = await renderEntries(context, entries, problems);
  if (!rendered) return undefined;
  const domains = await findDomains(context, rendered);
  const items: SendItem[] = [];
  let characters = 0;
  for (const entry of rendered) {
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

/**
 * Renders the entries together, because all entries share one rendering limit. In a strict batch,
 * an error in one entry refuses all entries, so even an entry with an unknown IP pool is rendered.
 * An entry of a permissive batch fails alone.
 */
async function renderEntries(
  context: SendContext,
  entries: readonly ValidEntry[],
  problems: FieldProblems,
): Promise<RenderedEntry[] | undefined> {
  const sends = entries.filter((entry) => entry.kind !== "invalid");
  const emails = (await renderEmails(context, sends)).values();
  if (problems.count > 0) return undefined;
  return entries.map((entry): RenderedEntry => {
    const email = entry.kind === "invalid" ? undefined : emails.next().value;
    if (entry.kind === "failed") return { kind: "failed", error: entry.error };
    return email ? { kind: "valid", email } : { kind: "failed", error: entry.problems.itemError() };
  });
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
