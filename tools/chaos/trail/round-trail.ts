// Reads a round's audit trail, and compares it with the changes by the round's clients.
import type { BegunRound } from "../begun-round.ts";
import type { ChaosHarness } from "../chaos-harness.ts";
import type { Violation } from "../check/check.ts";
import { compareEntries } from "./check-trail.ts";

export async function findWrongEntries(
  harness: ChaosHarness,
  { sent, made, team, managedFrom }: BegunRound,
): Promise<Violation[]> {
  const entries = await team.trail(managedFrom);
  const headers = { Authorization: `Bearer ${team.apiKey}` };
  const imports = new Set<string>();
  for (const { operation, target } of entries) {
    if (operation !== "suppression.import" || target === null) continue;
    const { status } = await harness.fetch(`/v1/suppressions/imports/${target}`, { headers });
    if (status === 200) imports.add(target);
  }
  return compareEntries({ made, entries, imports, sent });
}
