// Counts the recipients of mail from one sending domain. Pure.
import type { Stats } from "../../../../packages/postern/src/generated/types.ts";
import { formatCount } from "../../parts/figures.ts";

type Entries = readonly Pick<Stats["data"][number], "sending_domain" | "counts">[];

/** The name of the entry that sums up the mail of unnamed domains. */
const REST = "other";

/**
 * Returns the count as text. It ends with a plus if mail of unnamed domains may also come from this
 * domain.
 */
export function sentFrom(domain: string, entries: Entries): string {
  const sumOf = (name: string): number =>
    entries
      .filter((entry) => entry.sending_domain === name)
      .reduce((sum, { counts }) => sum + counts.sent, 0);
  return formatCount(sumOf(domain)) + (sumOf(REST) > 0 ? "+" : "");
}
