// Removes the second host of the gateway as an operator does (smtp-gateway/README.md §Several
// hosts). The worker is deployed with the host in EGRESS_LEAVING. When the worker's gauge says that
// the host has no recipients left, the host ends. Then a new host with an empty journal replaces
// it.
import { setTimeout as sleep } from "node:timers/promises";
import { ADMIN_TOKEN } from "../../harness/tenant.ts";
import { patience } from "../../harness/slowness.ts";
import type { GatewayHosts } from "./gateway-hosts.ts";

/** The parts of the harness that a departure needs. */
interface Stack {
  readonly hosts: GatewayHosts;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  deploy(vars: Readonly<Record<string, string>>): Promise<void>;
}

const GAUGE = /^postern_leaving_recipients (\S+)$/gm;
/**
 * The gauge includes a ledger only after the ledger's first report. A ledger without an alarm does
 * not report until the storm is over.
 */
const FIRST_LOOK_MS = patience(8_000);
const LOOK_EVERY_MS = 500;
const DEPARTURE_MS = 10 * 60_000;

export class Departure {
  readonly #stack: Stack;
  readonly #urls: readonly [a: string, b: string];
  #state: "none" | "leaving" | "left" = "none";
  #leaving: Promise<void> = Promise.resolve();
  /** Number of hosts that have left. */
  done = 0;

  constructor(stack: Stack, urls: readonly [a: string, b: string]) {
    this.#stack = stack;
    this.#urls = urls;
  }

  /** Begins a departure. The call has no effect if a departure has already begun. */
  begin(): void {
    if (this.#state !== "none") return;
    this.#state = "leaving";
    this.#leaving = this.#leave();
    // The error is dropped here, because ended() reports it.
    this.#leaving.catch(() => undefined);
  }

  /** Resolves when no host is leaving. Rejects if the gauge does not reach 0 in time. */
  async ended(): Promise<void> {
    await this.#leaving;
  }

  /** Lets the worker use both hosts again after a departure. */
  async undo(): Promise<void> {
    if (this.#state !== "left") return;
    await this.#stack.deploy({ EGRESS_URL: this.#urls.join(","), EGRESS_LEAVING: "" });
    this.#state = "none";
  }

  async #leave(): Promise<void> {
    const { hosts } = this.#stack;
    const [stays, leaves] = this.#urls;
    await this.#stack.deploy({ EGRESS_URL: stays, EGRESS_LEAVING: leaves });
    hosts.expectNoMail("b");
    await sleep(FIRST_LOOK_MS);
    const until = Date.now() + DEPARTURE_MS;
    while ((await this.#recipientsLeft()) !== 0) {
      if (Date.now() > until)
        throw new Error("the gauge never said that the host has nothing left");
      await sleep(LOOK_EVERY_MS);
    }
    await hosts.replace("b");
    this.#state = "left";
    this.done += 1;
  }

  /** Returns the value of the gauge. Null: the worker does not show the gauge. */
  async #recipientsLeft(): Promise<number | null> {
    const headers = { Authorization: `Bearer ${ADMIN_TOKEN}` };
    const response = await this.#stack.fetch("/admin/metrics", { headers });
    const text = await response.text();
    const counts = [...text.matchAll(GAUGE)].map(([, count]) => Number(count));
    return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0);
  }
}
