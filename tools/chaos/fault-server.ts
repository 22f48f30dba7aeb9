// The fault server. Every part of the stack asks it over HTTP before an operation. It answers with
// the fault that the plans of the running rounds demand. Crash points report to it too
// (src/lib/crash-point.ts). It does not answer a process that it kills.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Cleanup } from "../harness/cleanup.ts";
import type { LostResponse } from "./email-service/carried-copies.ts";
import { Chance } from "./chance.ts";
import { serveOnLoopback } from "./loopback-server.ts";
import type { FaultKind, RoundPlan } from "./plan.ts";
import { CRASH_POINTS, isLate, type PlannedKill, type Victim } from "./plan-kills.ts";
import { RecentLines } from "./recent-lines.ts";

interface ActiveRound {
  plan: RoundPlan;
  readonly chance: Chance;
  readonly met: Map<string, number>;
  readonly kills: Set<PlannedKill>;
}

const TICK_MS = 100;
/**
 * Milliseconds of delay that count as a stall of the machine. Here a retry waits only 100 ms, so
 * after a stall it may come before the event about the previous copy.
 */
const STALL_MS = 150;
const MILLISECONDS: Partial<Record<FaultKind, readonly [least: number, most: number]>> = {
  slow: [20, 400],
  hang: [1_200, 2_500],
  cut: [2, 250],
};
/**
 * The least and the most milliseconds for which the mail server hangs. The longest times exceed the
 * gateway's wait for the reply to a final dot.
 */
const MX_HANG_MS = [2_500, 3_600] as const;

export class FaultServer {
  /** The last faults and kills. */
  readonly injected = new RecentLines();
  /** Counts of faults as `operation kind`, and of kills as `victim at operation`. */
  readonly faults = new Map<string, number>();
  readonly kills = new Map<string, number>();
  /** Sends through the Email Service whose answers were lost. */
  readonly lostAnswers: LostResponse[] = [];
  /** The times when the machine stalled, in Unix milliseconds. */
  readonly stalls: number[] = [];
  /** Number of alarms that faults have lost since the last call of takeLost(). */
  #lost = 0;
  #rounds: readonly ActiveRound[] = [];
  readonly #onKill: (victim: Victim) => void;

  /** `onKill` is called to kill a victim. */
  constructor(onKill: (victim: Victim) => void) {
    this.#onKill = onKill;
  }

  /** Resolves with the port. */
  listen(cleanup: Cleanup): Promise<number> {
    let last = Date.now();
    const ticks = setInterval(() => {
      const now = Date.now();
      if (now - last > TICK_MS + STALL_MS) this.stalls.push(now);
      last = now;
      void this.meet("tick");
    }, TICK_MS);
    cleanup.add(() => clearInterval(ticks));
    return serveOnLoopback(cleanup, (request, response) => void this.#answer(request, response));
  }

  begin(plans: readonly RoundPlan[]): void {
    this.#rounds = plans.map((plan) => ({
      plan,
      chance: new Chance(`${plan.seed}/${plan.round}/weather`),
      met: new Map(),
      kills: new Set(plan.kills),
    }));
  }

  /**
   * Ends all faults. Removes the planned kills, except those that may still come after the storm.
   */
  calm(): void {
    for (const active of this.#rounds) {
      active.plan = { ...active.plan, odds: [] };
      for (const kill of active.kills) if (!isLate(kill)) active.kills.delete(kill);
    }
  }

  takeLost(): number {
    const lost = this.#lost;
    this.#lost = 0;
    return lost;
  }

  /**
   * Counts an operation that is about to happen. Returns "dead" if a planned kill ends the process
   * of this operation.
   */
  async meet(operation: string): Promise<"dead" | "alive"> {
    let dead = false;
    for (const active of this.#rounds) {
      const times = (active.met.get(operation) ?? 0) + 1;
      active.met.set(operation, times);
      for (const kill of active.kills) {
        if (kill.operation !== operation || kill.nth !== times) continue;
        active.kills.delete(kill);
        if (kill.delayMs === 0) this.#kill(kill, active.plan.round);
        else setTimeout(() => this.#kill(kill, active.plan.round), kill.delayMs);
        const owner = ownerOf(operation);
        dead ||= kill.delayMs === 0 && isVictim(owner, kill.victims);
      }
    }
    return dead ? "dead" : "alive";
  }

  /** Returns the fault that this operation must have, or undefined without a fault. */
  decide(operation: string, about = "") {
    for (const { plan, chance } of this.#rounds) {
      for (const odds of plan.odds) {
        if (
          odds.operation !== operation ||
          !chance.happens(`${operation} ${odds.fault}`, odds.probability)
        )
          continue;
        if (operation.startsWith("alarm.") && odds.fault === "lose") this.#lost += 1;
        if (operation === "email.send" && odds.fault === "fail_after")
          this.lostAnswers.push({ at: Date.now(), recipient: about });
        const [least, most] = millisecondsOf(operation, odds.fault);
        const ms = chance.between("ms", least, most);
        const fault = { kind: odds.fault, ms, salt: chance.draw("salt") };
        const name = `${operation} ${odds.fault}`;
        const lasting = ms > 0 ? ` ${ms} ms` : "";
        this.#note(this.faults, name, `round ${plan.round}: ${name}${lasting} ${about}`);
        return fault;
      }
    }
    return undefined;
  }

  #kill(kill: PlannedKill, round: number): void {
    for (const victim of kill.victims) {
      this.#note(
        this.kills,
        `${victim} at ${kill.operation}`,
        `round ${round}: killed ${victim} at ${kill.operation} #${kill.nth}, +${kill.delayMs} ms`,
      );
      this.#onKill(victim);
    }
  }

  #note(tally: Map<string, number>, name: string, what: string): void {
    tally.set(name, (tally.get(name) ?? 0) + 1);
    this.injected.add(what);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on("error", () => undefined);
    request.resume();
    const [path = "", about = ""] = (request.url ?? "").split("?");
    const name = path.replace(/^\/(?:fault\/)?/, "");
    if ((await this.meet(name)) === "dead") return;
    const fault = this.decide(name, decodeURIComponent(about));
    response.end(JSON.stringify(fault ?? { kind: "pass" }));
  }
}

function millisecondsOf(operation: string, fault: FaultKind): readonly [number, number] {
  return fault === "hang" && operation.startsWith("mx.")
    ? MX_HANG_MS
    : (MILLISECONDS[fault] ?? [0, 0]);
}

/** Returns which part of the stack performs the operation. */
function ownerOf(operation: string): "mx" | "worker" | undefined {
  if (operation.startsWith("mx.")) return "mx";
  return ["tick", "receiver", "dns", "email.event"].includes(operation) ? undefined : "worker";
}

function isVictim(owner: "mx" | "worker" | undefined, victims: readonly Victim[]): boolean {
  return victims.some(
    (victim) => victim === owner || (owner === "worker" && victim === "worker_for_minutes"),
  );
}

export function isCrashPoint(operation: string): boolean {
  return CRASH_POINTS.some((point) => point === operation);
}
