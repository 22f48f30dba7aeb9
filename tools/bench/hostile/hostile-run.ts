// One run of `bench hostile`: one side sends steady mail to good servers, and at the same time mail
// to bad servers. Each run starts its own processes.
import { setTimeout as sleep } from "node:timers/promises";
import { startNode } from "../../harness/child.ts";
import { type Cleanup, withOwnCleanup } from "../../harness/cleanup.ts";
import { measureFullRate, sendSteadily, waitUntilDrained } from "../harness/ceiling.ts";
import { type GoodFigures, GoodMail, type GoodServers } from "./good-mail.ts";
import type { HostileSide } from "./mail-sides.ts";
import type { ConsumerShift } from "./metered-consumers.ts";
import type { BadKind, ServerRoute, Span, Trouble } from "./troubles.ts";

export interface RunFigures extends GoodFigures {
  readonly about: string;
  /** The work of the queue's consumers until the last message was sent. */
  readonly shifts: readonly ConsumerShift[];
  /** Messages to bad servers that were accepted. */
  readonly bad: number;
  /** Good messages that did not arrive, even within RECOVER_MS after the bad servers ended. */
  readonly lost: number;
}

const LIST_PART = 100;
/** Time limit for `hasHandedOver` after another team's list was sent. */
const LIST_MS = 30_000;
const LOOK_MS = 100;
/**
 * Milliseconds in which good mail may still arrive after the last message was sent. ARRIVE_MS is
 * the wait while the bad servers run, and RECOVER_MS the wait after they have ended.
 */
const ARRIVE_MS = 5_000;
const RECOVER_MS = 60_000;

/** Runs one side. Returns a string with the reason if the side can't start. */
export function runBeside(
  cleanup: Cleanup,
  good: GoodServers,
  { share, servers, list }: Trouble,
  rate: number,
  { warmUpSeconds, seconds }: Span,
  startSide: (own: Cleanup, routes: readonly ServerRoute[]) => Promise<HostileSide | string>,
): Promise<RunFigures | string> {
  return withOwnCleanup(cleanup, async (own) => {
    const bad = startNode(own, import.meta.resolve("./bad-servers.ts"), {
      env: { BENCH_BAD_SERVERS: JSON.stringify(servers) },
    });
    const [, ports = ""] = await bad.says(/^listening on (\{.*\})$/);
    const routes = routesOf(JSON.parse(ports) as Readonly<Record<BadKind, readonly number[]>>);
    const side = await startSide(own, [...good.routes, ...routes]);
    if (typeof side === "string") return side;
    const mail = new GoodMail(good, side.send);
    await measureFullRate(mail, warmUpSeconds);
    await waitUntilDrained(mail);
    mail.forget();
    await side.readShifts();
    const trouble = new TroubleMail(side, routes);
    if (list > 0) await trouble.sendList(list);
    const isOver = (passed: number): boolean => passed >= seconds;
    await Promise.all([
      sendSteadily(mail, rate, isOver),
      sendSteadily(trouble, (rate * share) / (1 - share), isOver),
    ]);
    const shifts = await side.readShifts();
    await waitUntilDrained(mail, ARRIVE_MS);
    const figures = mail.figures();
    await bad.stop();
    await waitUntilDrained(mail, RECOVER_MS);
    const { missing: lost, doubled } = mail.figures();
    return { ...figures, doubled, about: side.about, shifts, bad: trouble.accepted, lost };
  });
}

function routesOf(ports: Readonly<Record<BadKind, readonly number[]>>): ServerRoute[] {
  return Object.entries(ports).flatMap(([kind, some]) =>
    some.map((port, index): ServerRoute => [`${kind}-${index}.bad.example`, port]),
  );
}

/** Sends mail to the bad servers in turn. */
class TroubleMail {
  accepted = 0;
  readonly #side: HostileSide;
  readonly #domains: readonly string[];
  #made = 0;

  constructor(side: HostileSide, routes: readonly ServerRoute[]) {
    this.#side = side;
    this.#domains = routes.map(([domain]) => domain);
  }

  /** Sends one message of the steady team. */
  follow(): Promise<void> {
    return this.#note(this.#side.send(this.#next()), 1);
  }

  /**
   * Sends the other team's list. Then waits until mail servers have the list or its messages wait
   * for a connection, but at most LIST_MS.
   */
  async sendList(messages: number): Promise<void> {
    for (let sent = 0; sent < messages; sent += LIST_PART) {
      const recipients = Array.from({ length: LIST_PART }, () => this.#next());
      await this.#note(this.#side.sendList(recipients), LIST_PART);
    }
    const until = performance.now() + LIST_MS;
    while (performance.now() < until && !(await this.#side.hasHandedOver(messages)))
      await sleep(LOOK_MS);
  }

  #next(): string {
    this.#made += 1;
    return `reader-${this.#made}@${this.#domains[this.#made % this.#domains.length]}`;
  }

  /** Counts the messages as accepted if their request succeeds. */
  async #note(sent: Promise<unknown>, messages: number): Promise<void> {
    try {
      await sent;
      this.accepted += messages;
    } catch (error) {
      console.error(`a message to a bad server was refused: ${String(error)}`);
    }
  }
}
