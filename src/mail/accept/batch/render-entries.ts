// Renders the entries of a batch together, because all entries share one rendering limit. Also
// renders an entry with an unknown IP pool, because an error in one entry of a strict batch refuses
// all entries.
import type { AdmitItem } from "../../../rpc/ledger-calls.ts";
import type { FieldProblems } from "../field-problems.ts";
import { type RenderedEmail, renderEmails } from "../render/render-emails.ts";
import type { SendContext } from "../send-context.ts";
import type { ValidEntry } from "./batch-entries.ts";

export type RenderedEntry =
  | Extract<AdmitItem, { kind: "failed" }>
  | { readonly kind: "valid"; readonly email: RenderedEmail };

/**
 * Returns one result for each entry, in order. Returns undefined if it added an error to
 * `problems`. In a permissive batch, an entry with errors fails alone.
 */
export async function renderEntries(
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
