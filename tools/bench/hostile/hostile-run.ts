// One run of `bench hostile`: steady mail to good servers through one side, and beside it mail to
// bad ones. Everything is started for the run alone.
import { setTimeout as sleep } from "node:timers/promises";
import { startNode } from "../../harness/child.ts";
import { Cleanup } from "../../harness/cleanup.ts";
import { sendDue, TICK_MS, waitUntilDrained } from "../harness/ceiling.ts";
import { type BadCounts, type BadPorts, type ServerRoute, routesOf } from "./bad-kinds.ts";
import { type GoodFigures, GoodMail, type GoodServers } from "./good-mail.ts";
import type { HostileSide } from "./mail-sides.ts";

/** Mail to bad servers that stands beside the good mail. */
export interface Trouble {
  readonly name: string;
  /** Share of all steady recipients that are at bad servers. */
  readonly share: number;
  readonly servers: BadCounts;
  /** Recipients of another team's list, all at one server that is silent after the dot. */
  readonly list: number;
  /** True: more connections are wanted than the gateway has. */
  readonly isBeyondCaps?: boolean;
}

export interface Span {
  readonly warmUpSeconds: number;
  readonly seconds: number;
}

/** `facts`: what was read of the side when the last message had been sent. */
export interface RunFigures<Facts> extends GoodFigures {
  readonly about: string;
  readonly facts: Facts;
  /** Messages to bad servers that were accepted. */
  readonly bad: number;
  /** Good messages that had not arrived long after the bad servers were gone. */
  readonly lost: number;
}

const LIST_PART = 100;
/** A list is sent during this share of the run. */
const LIST_SHARE = 0.75;
/** Good mail still arrives, while the bad servers are there, for so long; then without them. */
const ARRIVE_MS = 5_000;
const RECOVER_MS = 60_000;

/** Returns the reason as a string if the side can't start. */
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
    await sendSteadily(mail, rate, warmUpSeconds, () => undefined);
    await waitUntilDrained(mail);
    mail.forget();
    await read(side);
    const trouble = new TroubleMail(side, routes, (rate * share) / (1 - share), list, seconds);
    await sendSteadily(mail, rate, seconds, (begun) => trouble.send(begun));
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

/** Sends at fixed times, and calls `beside` at each look with the time of the start. */
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

/** The mail to bad servers: the steady team's by turns to each, and the list. */
class TroubleMail {
  accepted = 0;
  readonly #side: HostileSide;
  readonly #domains: readonly string[];
  readonly #rate: number;
  readonly #list: { readonly domain: string; readonly parts: number; readonly perSecond: number };
  #steadySent = 0;
  #partsSent = 0;
  #made = 0;

  constructor(
    side: HostileSide,
    routes: readonly ServerRoute[],
    rate: number,
    list: number,
    seconds: number,
  ) {
    const domains = routes.map(([domain]) => domain);
    const parts = Math.ceil(list / LIST_PART);
    this.#side = side;
    this.#rate = rate;
    // The list has the last server for itself.
    this.#list = {
      domain: domains.at(-1) ?? "",
      parts,
      perSecond: parts / (seconds * LIST_SHARE),
    };
    this.#domains = list > 0 ? domains.slice(0, -1) : domains;
  }

  /** Sends what is due since `start`. */
  send(start: number): void {
    const load = { follow: () => this.#sendOne() };
    if (this.#rate > 0) this.#steadySent = sendDue(load, start, this.#rate, this.#steadySent);
    const { perSecond, parts } = this.#list;
    const part = { follow: () => this.#sendPart() };
    if (this.#partsSent < parts) this.#partsSent = sendDue(part, start, perSecond, this.#partsSent);
  }

  async #sendOne(): Promise<void> {
    const domain = this.#domains[this.#made % this.#domains.length]!;
    await this.#note(this.#side.send(this.#nextAt(domain)), 1);
  }

  async #sendPart(): Promise<void> {
    const recipients = Array.from({ length: LIST_PART }, () => this.#nextAt(this.#list.domain));
    await this.#note(this.#side.sendList(recipients), LIST_PART);
  }

  #nextAt(domain: string): string {
    this.#made += 1;
    return `reader-${this.#made}@${domain}`;
  }

  /** A refusal shows in the number of accepted messages. */
  async #note(sent: Promise<unknown>, messages: number): Promise<void> {
    try {
      await sent;
      this.accepted += messages;
    } catch (error) {
      console.error(`a message to a bad server was refused: ${String(error)}`);
    }
  }
}
