// Reads what R2 has of a round's messages, for the check (content-in-r2.ts).
import type { BegunRound } from "../begun-round.ts";
import type { ChaosHarness } from "../chaos-harness.ts";
import type { ContentFacts } from "./content-in-r2.ts";

export async function readContentFacts(
  harness: ChaosHarness,
  { sent, team, begun, lossesBefore }: BegunRound,
): Promise<ContentFacts> {
  const ids = sent.flatMap(({ emailId }) => emailId ?? []);
  const wasKilled = harness.workerKills.some((at) => at >= begun);
  return {
    ...(await team.storedContent(ids, begun)),
    sent,
    days: team.contentDays,
    mayMissDeletions: wasKilled || lostDeletions(harness) > lossesBefore,
  };
}

/** Returns the number of evictions and of failed deletions until now. */
export function lostDeletions({ faults, ledgersEvicted }: ChaosHarness): number {
  return ledgersEvicted + (faults.faults.get("content.delete fail") ?? 0);
}
