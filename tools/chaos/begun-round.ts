// A round whose clients send: its plan, its team, their messages, and the state before the round.
import type { ChaosTeam } from "./chaos-team.ts";
import type { SentMessage } from "./clients.ts";
import type { RoundPlan } from "./plan.ts";
import type { BothCounters } from "./read-counters.ts";
import type { MadeChange } from "./trail/change-maker.ts";

export interface BegunRound {
  readonly plan: RoundPlan;
  readonly team: ChaosTeam;
  /** Unix milliseconds. */
  readonly begun: number;
  readonly debitedBefore: number;
  readonly countedBefore: BothCounters;
  /** The number of ledger evictions and of failed deletions in R2 before the round. */
  readonly lossesBefore: number;
  readonly bounced: ReadonlySet<string>;
  readonly sent: SentMessage[];
  readonly made: MadeChange[];
  /** The time from which on only the round's clients change the team's objects. */
  readonly managedFrom: number;
}
