// The templates and variables of a batch: its entries rendered together, since what rendering takes
// is bounded for a request as a whole. An entry that has failed for its IP pool is rendered like
// the others: what is wrong with one refuses them all.
import type { ApiRequest } from "../../../endpoint.ts";
import type { AdmitItem } from "../../../contracts/ledger-contract.ts";
import type { ValidEntry } from "./batch-entries.ts";
import type { Findings } from "../findings.ts";
import { type RenderedEmail, renderEmails } from "../render-emails.ts";

export type RenderedEntry =
  | Extract<AdmitItem, { kind: "failed" }>
  | { readonly kind: "valid"; readonly email: RenderedEmail };

/** One for each entry, in order; undefined when `findings` got an error. */
export async function renderEntries(
  request: ApiRequest,
  entries: readonly ValidEntry[],
  findings: Findings,
): Promise<RenderedEntry[] | undefined> {
  const sends = entries.map(({ email }, index) => ({
    email,
    findings: findings.under(`emails.${index}`),
  }));
  const emails = await renderEmails(request, sends);
  return emails?.map((email, index) => {
    const entry = entries[index];
    return entry?.kind === "failed"
      ? { kind: "failed", error: entry.error }
      : { kind: "valid", email };
  });
}
