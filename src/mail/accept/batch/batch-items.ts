// Turns the entries of a batch into the items of its call to the ledger (docs/architecture.md
// §Accept): the sender's domain of each, and its message, drafted. An item that fails here fails
// alone. Content that does not ride in the ledger's row is made when it is stored: 100 entries may
// share one of megabytes.
import type { ApiRequest } from "../../../endpoint.ts";
import type { AdmitItem } from "../../../ledger/ledger-contract.ts";
import { newEmailId } from "../../../lib/ids.ts";
import { BATCH_METADATA_CHARACTERS, INLINE_CONTENT_BYTES } from "../../../limits.ts";
import type { SendingDomain } from "../../../resources/domains/domain-lookups.ts";
import type { RenderedEntry } from "./batch-rendering.ts";
import { fitsInline, itemOf } from "../message-content.ts";
import { candidateOf, contentOf, type Draft, messageOf } from "../draft.ts";
import { Findings } from "../findings.ts";
import type { RenderedEmail } from "../render-emails.ts";
import { requireSendingDomain } from "../sender.ts";

type Sender =
  | Extract<AdmitItem, { kind: "failed" }>
  | { readonly kind: "verified"; readonly domain: SendingDomain };
type Senders = ReadonlyMap<string, Sender>;

export interface LargeItem {
  readonly kind: "large";
  readonly candidate: Draft["candidate"];
  readonly email: RenderedEmail;
}

export type BatchItem = AdmitItem | LargeItem;

/**
 * One item for each entry, in order; undefined, and reported, when together they are too large to
 * be admitted at once.
 */
export async function itemsOf(
  request: ApiRequest,
  entries: readonly RenderedEntry[],
  findings: Findings,
): Promise<BatchItem[] | undefined> {
  const senders = await sendersOf(request, entries);
  const items: BatchItem[] = [];
  let characters = 0;
  for (const entry of entries) {
    const item = itemFrom(request, entry, senders);
    items.push(item);
    if (item.kind !== "failed") characters += item.candidate.meta.length;
    if (characters > BATCH_METADATA_CHARACTERS) {
      findings.invalid(
        "emails",
        `hold more than ${BATCH_METADATA_CHARACTERS} characters of addresses, headers and labels`,
      );
      return undefined;
    }
  }
  return items;
}

/** In UTF-16 units of its text, HTML and attachments: its JSON is no shorter. */
export function contentUnits({ text, html, attachments }: RenderedEmail): number {
  return attachments.reduce(
    (units, { content }) => units + content.length,
    (text?.length ?? 0) + (html?.length ?? 0),
  );
}

/**
 * Each domain that the entries are from, looked up once: its row, or what entries from it fail
 * with.
 */
async function sendersOf(
  { env, caller }: ApiRequest,
  entries: readonly RenderedEntry[],
): Promise<Senders> {
  const names = new Set(
    entries.flatMap((entry) => (entry.kind === "valid" ? [entry.email.from.domain] : [])),
  );
  const senders = Array.from(names, async (name): Promise<[string, Sender]> => {
    const findings = new Findings();
    const domain = await requireSendingDomain(env, caller, name, findings);
    return [
      name,
      domain ? { kind: "verified", domain } : { kind: "failed", error: findings.itemError() },
    ];
  });
  return new Map(await Promise.all(senders));
}

function itemFrom(request: ApiRequest, entry: RenderedEntry, senders: Senders): BatchItem {
  if (entry.kind === "failed") return entry;
  const sender = senders.get(entry.email.from.domain);
  if (!sender) throw new Error("the domain of an entry's sender was not looked up");
  return sender.kind === "failed" ? sender : draftItem(request, entry.email, sender.domain);
}

function draftItem(
  { caller, now }: ApiRequest,
  email: RenderedEmail,
  domain: SendingDomain,
): BatchItem {
  const candidate = candidateOf(
    messageOf(email, { id: newEmailId(now), teamId: caller.team.id, acceptedAt: now, domain }),
  );
  if (contentUnits(email) <= INLINE_CONTENT_BYTES) {
    const draft = { candidate, content: contentOf(email) };
    if (fitsInline(draft)) return itemOf(draft);
  }
  return { kind: "large", candidate, email };
}
