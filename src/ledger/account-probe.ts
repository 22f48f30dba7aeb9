// Asks the deployment's Metrics object whether this ledger may release a probe of the courier's
// account (docs/architecture.md §Hold). Tells the Metrics object at what time a copy of this team
// showed that the account's hold is over. The ledger's alarm calls this code. If the Metrics object
// does not respond, the ledger asks again after a pause.
import type { Env } from "../env.ts";
import { logWarning } from "../lib/log.ts";
import { METRICS_OBJECT } from "../rpc/metrics-calls.ts";
import type { Holds } from "./open/hold-periods.ts";
import { withTimeout } from "../lib/with-timeout.ts";
import { objectOf } from "../object-of.ts";

/** Maximum wait of the alarm for the response. The ledger releases nothing during this wait. */
const TIMEOUT_MS = 10_000;

interface ProbeDependencies {
  readonly teamId: string;
  readonly env: () => Env;
  /** Returns the current Holds object. A rollback replaces that object. */
  readonly holds: () => Holds;
  readonly write: (work: () => void) => Promise<void>;
}

export async function requestAccountProbe(
  { teamId, env, holds, write }: ProbeDependencies,
  now: number,
): Promise<void> {
  const { freedAt } = holds();
  const question = holds().probeRequest(now);
  if (freedAt === null && !question) return;
  try {
    const object = objectOf(env(), "METRICS", METRICS_OBJECT);
    const answer = await withTimeout(TIMEOUT_MS, async () => {
      if (freedAt !== null) await object.noteAccountFree(freedAt);
      return question && object.askAccount(question);
    });
    if (answer) await write(() => holds().takePermit(answer, Date.now()));
  } catch (error) {
    holds().postponeRequest(now);
    logWarning("account_hold_not_asked", { team_id: teamId, error: String(error) });
  }
  holds().freedAt = null;
}
