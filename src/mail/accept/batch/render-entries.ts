// Renders the entries of a batch together, because rendering is bounded for a request as a whole.
// An entry that already failed for its IP pool is rendered too: an error in one entry refuses all.
import type { AdmitItem } from "../../../contracts/ledger-contract.ts";
import type { Findings } from "../findings.ts";
import { type RenderedEmail, renderEmails } from "../render/render-emails.ts";
import type { SendContext } from "../send-context.ts";
import type { ValidEntry } from "./batch-entries.ts";

export type RenderedEntry =
  | Extract<AdmitItem, { kind: "failed" }>
  | { readonly kind: "valid"; readonly email: RenderedEmail };

/** One result for each entry, in order; undefined when `findings` got an error. */
export async function renderEntries(
  context: SendContext,
  entries: readonly ValidEntry[],
  findings: Findings,
): Promise<RenderedEntry[] | undefined> {
  const sends = entries.map(({ email }, index) => ({
    email,
    findings: findings.under(`emails.${index}`),
  }));
  const emails = await renderEmails(context, sends);
  return emails?.map((email, index) => {
    const entry = entries[index];
    return entry?.kind === "failed"
      ? { kind: "failed", error: entry.error }
      : { kind: "valid", email };
  });
}
