// Waits until the rounds of a storm are settled. The wait has no time limit: it ends when no work
// is open, or when some work is overdue by its own schedule.
import { setTimeout as sleep } from "node:timers/promises";
import type { Violation } from "./check.ts";
import { describeRemains, findUnsettled, isSettled, OverdueWork } from "./overdue.ts";
import type { ChaosTeam } from "../chaos-team.ts";
import type { RemainingState } from "../faulty-worker.ts";

/** Milliseconds between two checks of a round's open work. */
const LOOK_MS = 250;
/**
 * A pause lasts this many times as long as the check before it, so that the checks put little load
 * on a slow worker.
 */
const PAUSE_PER_LOOK = 10;

export class Settling {
  /** The state of each round that is not settled yet, by number. */
  readonly #open = new Map<number, RemainingState>();

  /** Waits until a round is settled or overdue. Returns the overdue work. */
  async wait(round: number, team: ChaosTeam): Promise<Violation[]> {
    const overdue = new OverdueWork();
    for (let quiet = 0; ;) {
      const begun = Date.now();
      const remains = await team.remains();
      const tookMs = Date.now() - begun;
      this.#open.set(round, remains);
      quiet = isSettled(remains) ? quiet + 1 : 0;
      const violations = findUnsettled(overdue.look(remains.work, remains.now), remains);
      if (quiet === 2 || violations.length > 0) {
        this.#open.delete(round);
        return violations;
      }
      await sleep(Math.max(LOOK_MS, tookMs * PAUSE_PER_LOOK));
    }
  }

  /** Describes the open work of the rounds that are not settled yet. */
  describe(): string[] {
    return [...this.#open].flatMap(([round, remains]) =>
      describeRemains(remains).map((line) => `round ${round} waits: ${line}`),
    );
  }
}
