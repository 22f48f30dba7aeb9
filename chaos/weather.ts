// The weather: an HTTP server that every part of the stack asks before it does something, and that
// answers what is to go wrong, as the plans of the rounds under way say. Crash points report here
// too (src/lib/crash-point.ts). When it strikes a process dead, whoever asked is never answered.
import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type Server as HttpServer,
  type ServerResponse,
} from "node:http";
import type { Cleanup } from "../bench/harness/cleanup.ts";
import { Chance } from "./chance.ts";
import { CRASH_POINTS, type FaultKind, type RoundPlan, type Strike, type Victim } from "./plan.ts";

/** What a part of the stack is told to suffer. The numbers are there whatever the kind. */
export interface Suffering {
  readonly kind: FaultKind;
  readonly ms: number;
  readonly salt: number;
  readonly seconds: number;
}

/** Something that went wrong on purpose. */
export interface ScheduledFault {
  readonly at: number;
  readonly what: string;
}

interface Front {
  plan: RoundPlan;
  readonly chance: Chance;
  readonly met: Map<string, number>;
  readonly strikes: Set<Strike>;
}

const TICK_MS = 100;
const MILLISECONDS: Partial<Record<FaultKind, readonly [least: number, most: number]>> = {
  slow: [20, 400],
  hang: [1_200, 2_500],
  cut: [2, 250],
};

export class Weather {
  readonly happenings: ScheduledFault[] = [];
  /** Faults as `operation kind`, and kills as `victim at operation`, by how often. */
  readonly faults = new Map<string, number>();
  readonly kills = new Map<string, number>();
  /** Alarms that were thrown away since the last call to takeLost(). */
  #lost = 0;
  #fronts: readonly Front[] = [];
  readonly #strike: (victim: Victim) => void;
  #server: HttpServer | undefined;

  /** `strike` kills. */
  constructor(strike: (victim: Victim) => void) {
    this.#strike = strike;
  }

  async listen(cleanup: Cleanup, port: number): Promise<void> {
    this.#server = createServer((request, response) => void this.#answer(request, response));
    this.#server.listen(port, "127.0.0.1");
    await once(this.#server, "listening");
    const ticks = setInterval(() => void this.meet("tick"), TICK_MS);
    cleanup.add(() => {
      clearInterval(ticks);
      this.#server?.closeAllConnections();
      this.#server?.close();
    });
  }

  begin(plans: readonly RoundPlan[]): void {
    this.#fronts = plans.map((plan) => ({
      plan,
      chance: new Chance(`${plan.seed}/${plan.round}/weather`),
      met: new Map(),
      strikes: new Set(plan.strikes),
    }));
  }

  /**
   * Ends every fault. Kills at after_page stay, because most pages are written once the storm is
   * over.
   */
  calm(): void {
    for (const front of this.#fronts) {
      front.plan = { ...front.plan, odds: [] };
      for (const strike of front.strikes)
        if (strike.operation !== "after_page") front.strikes.delete(strike);
    }
  }

  takeLost(): number {
    const lost = this.#lost;
    this.#lost = 0;
    return lost;
  }

  /** Something is about to happen. "dead": whoever is about to do it has just been killed. */
  async meet(operation: string): Promise<"dead" | "alive"> {
    let dead = false;
    for (const front of this.#fronts) {
      const times = (front.met.get(operation) ?? 0) + 1;
      front.met.set(operation, times);
      for (const strike of front.strikes) {
        if (strike.operation !== operation || strike.nth !== times) continue;
        front.strikes.delete(strike);
        if (strike.delayMs === 0) this.#kill(strike, front.plan.round);
        else setTimeout(() => this.#kill(strike, front.plan.round), strike.delayMs);
        const owner = ownerOf(operation);
        dead ||= strike.delayMs === 0 && owner !== undefined && strike.victims.includes(owner);
      }
    }
    return dead ? "dead" : "alive";
  }

  /** What is to go wrong with it; undefined: nothing. */
  decide(operation: string, about = ""): Suffering | undefined {
    for (const { plan, chance } of this.#fronts) {
      for (const odds of plan.odds) {
        if (
          odds.operation !== operation ||
          !chance.happens(`${operation} ${odds.fault}`, odds.probability)
        )
          continue;
        if (operation.startsWith("alarm.") && odds.fault === "lose") this.#lost += 1;
        const [least, most] = MILLISECONDS[odds.fault] ?? [0, 0];
        const suffering = {
          kind: odds.fault,
          ms: chance.between("ms", least, most),
          salt: chance.draw("salt"),
          seconds: 1,
        };
        this.#note(
          this.faults,
          `${operation} ${odds.fault}`,
          `round ${plan.round}: ${operation} ${odds.fault}${suffering.ms ? ` ${suffering.ms} ms` : ""} ${about}`,
        );
        return suffering;
      }
    }
    return undefined;
  }

  note(what: string): void {
    this.happenings.push({ at: Date.now(), what });
  }

  #kill(strike: Strike, round: number): void {
    for (const victim of strike.victims) {
      this.#note(
        this.kills,
        `${victim} at ${strike.operation}`,
        `round ${round}: ${victim} killed at ${strike.operation} #${strike.nth} +${strike.delayMs} ms`,
      );
      this.#strike(victim);
    }
  }

  #note(tally: Map<string, number>, name: string, what: string): void {
    tally.set(name, (tally.get(name) ?? 0) + 1);
    this.note(what);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on("error", () => undefined);
    request.resume();
    const [path = "", about = ""] = (request.url ?? "").split("?");
    const name = path.replace(/^\/(?:fault\/)?/, "");
    if ((await this.meet(name)) === "dead") return;
    response.end(JSON.stringify(this.decide(name, about) ?? { kind: "pass" }));
  }
}

/** Who asks. */
function ownerOf(operation: string): Victim | undefined {
  if (operation.startsWith("mx.")) return "mx";
  return operation === "tick" || operation === "receiver" || operation === "dns"
    ? undefined
    : "worker";
}

export function isCrashPoint(operation: string): boolean {
  return CRASH_POINTS.some((point) => point === operation);
}
