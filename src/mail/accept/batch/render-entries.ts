// Renders the entries of a batch together, because rendering is bounded for a request as a whole.
// An entry that already failed for its IP pool is rendered too: an error in one entry of a strict
// batch refuses all.
import type { AdmitItem } from "../../../rpc/ledger-calls.ts";
import type { Findings } from "../findings.ts";
import { type RenderedEmail, renderEmails } from "../render/render-emails.ts";
import type { SendContext } from "../send-context.ts";
import type { ValidEntry } from "./batch-entries.ts";

export type RenderedEntry =
  | Extract<AdmitItem, { kind: "failed" }>
  | { readonly kind: "valid"; readonly email: RenderedEmail };

/**
 * One result for each entry, in order; undefined when `findings` got an error. An entry of a
 * permissive batch that has errors fails with them.
 */
export async function renderEntries(
  context: SendContext,
  entries: readonly ValidEntry[],
  findings: Findings,
): Promise<RenderedEntry[] | undefined> {
  const sends = entries.filter((entry) => entry.kind !== "invalid");
  const emails = (await renderEmails(context, sends)).values();
  if (findings.count > 0) return undefined;
  return entries.map((entry): RenderedEntry => {
    const email = entry.kind === "invalid" ? undefined : emails.next().value;
    if (entry.kind === "failed") return { kind: "failed", error: entry.error };
    return email ? { kind: "valid", email } : { kind: "failed", error: entry.findings.itemError() };
  });
}
