// One run of `bench hostile`: one side sends steady mail to good servers, and at the same time mail
// to bad servers. Each run starts its own processes.
import { setTimeout as sleep } from "node:timers/promises";
import { startNode } from "../../harness/child.ts";
import { Cleanup } from "../../harness/cleanup.ts";
import { measureFullRate, sendDue, TICK_MS, waitUntilDrained } from "../harness/ceiling.ts";
import { type BadCounts, type BadPorts, type ServerRoute, routesOf } from "./bad-kinds.ts";
import { type GoodFigures, GoodMail, type GoodServers } from "./good-mail.ts";
import type { HostileSide } from "./mail-sides.ts";

/** The mail to bad servers that is sent at the same time as the good mail. */
export interface Trouble {
  readonly name: string;
  /** The fraction of the steady team's recipients that are at bad servers. */
  readonly share: number;
  readonly servers: BadCounts;
  /** Number of recipients in another team's list. The list is sent before the good mail begins. */
  readonly list: number;
}

export interface Span {
  readonly warmUpSeconds: number;
  readonly seconds: number;
}

/** `facts` has the side's figures, read after the last message was sent. */
export interface RunFigures<Facts> extends GoodFigures {
  readonly about: string;
  readonly facts: Facts;
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
export async function runBeside<Side extends HostileSide, Facts>(
  cleanup: Cleanup,
  good: GoodServers,
  { share, servers, list }: Trouble,
  rate: number,
  { warmUpSeconds, seconds }: Span,
  startSide: (own: Cleanup, routes: readonly ServerRoute[]) => Promise<Side | string>,
  read: (side: Side) => Promise<Facts>,
): Promise<RunFigures<Facts> | string> {
  const own = new Cleanup(cleanup.lifetimeSeconds);
  cleanup.add(() => own.run());
  try {
    const bad = startNode(own, import.meta.resolve("./bad-servers.ts"), {
      env: { BENCH_BAD_SERVERS: JSON.stringify(servers) },
    });
    const [, ports = ""] = await bad.says(/^listening on (\{.*\})$/);
    const routes = routesOf(JSON.parse(ports) as BadPorts);
    const side = await startSide(own, [...good.routes, ...routes]);
    if (typeof side === "string") return side;
    const mail = new GoodMail(good, side.send);
    await measureFullRate(mail, warmUpSeconds);
    await waitUntilDrained(mail);
    mail.forget();
    await read(side);
    const trouble = new TroubleMail(side, routes);
    if (list > 0) await trouble.sendList(list);
    const badRate = (rate * share) / (1 - share);
    await sendSteadily(mail, rate, seconds, (begun) => trouble.send(begun, badRate));
    const facts = await read(side);
    await waitUntilDrained(mail, ARRIVE_MS);
    const figures = mail.figures();
    await bad.stop();
    await waitUntilDrained(mail, RECOVER_MS);
    const { missing: lost, doubled } = mail.figures();
    return { ...figures, doubled, about: side.about, facts, bad: trouble.accepted, lost };
  } finally {
    await own.run();
  }
}

/**
 * Sends good mail at fixed times. Calls `beside` at each interval, with the start time of the run.
 */
async function sendSteadily(
  mail: GoodMail,
  rate: number,
  seconds: number,
  beside: (start: number) => void,
): Promise<void> {
  const start = performance.now();
  for (let sent = 0; performance.now() < start + seconds * 1_000; await sleep(TICK_MS)) {
    sent = sendDue(mail, start, rate, sent);
    beside(start);
  }
}

/** Sends mail to the bad servers in turn. */
class TroubleMail {
  accepted = 0;
  readonly #side: HostileSide;
  readonly #domains: readonly string[];
  #sent = 0;
  #made = 0;

  constructor(side: HostileSide, routes: readonly ServerRoute[]) {
    this.#side = side;
    this.#domains = routes.map(([domain]) => domain);
  }

  /** Sends every message of the steady team that is due by now, counted from `start`. */
  send(start: number, rate: number): void {
    const load = { follow: () => this.#note(this.#side.send(this.#next()), 1) };
    if (rate > 0) this.#sent = sendDue(load, start, rate, this.#sent);
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

  /**
   * Adds the messages to the accepted ones when their request succeeds. Does not count refused
   * messages.
   */
  async #note(sent: Promise<unknown>, messages: number): Promise<void> {
    try {
      await sent;
      this.accepted += messages;
    } catch (error) {
      console.error(`a message to a bad server was refused: ${String(error)}`);
    }
  }
}
