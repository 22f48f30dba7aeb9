// Runs the deployed worker in a workerd with a limited heap and a meter of the isolate's memory
// (heap-meter.ts). Also makes its teams, and a gateway that takes every copy and keeps none.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { UNNOTED_FIRST_MAIL } from "../../src/regions.ts";
import { bundleWrapped } from "../../tools/harness/worker-bundle.ts";
import { Cleanup } from "../../tools/harness/cleanup.ts";
import {
  ADMIN_TOKEN,
  createTenant,
  GATEWAY_TOKEN,
  newDkimKey,
  type Tenant,
  VARS,
} from "../../tools/harness/tenant.ts";
import { type TakenCopy, startAcceptingGateway } from "../../tools/harness/accepting-gateway.ts";
import { listenOnLoopback } from "../../tools/harness/loopback.ts";
import { startWorker, type Worker } from "../../tools/harness/workerd.ts";

const PLENTY = 1_000_000;
const FLAGS = "MINIFLARE_WORKERD_V8_FLAGS";

export interface Held {
  readonly megabytes: number;
  readonly heapMegabytes: number;
  readonly bufferMegabytes: number;
  readonly at: string;
}

interface Taken {
  readonly copies: TakenCopy[];
  wanted: number;
}

export class MemoryHarness {
  readonly worker: Worker;
  readonly #limitMegabytes: number;
  readonly #taken: Taken;
  readonly cleanup: Cleanup;
  readonly #teams: string[] = [];
  /** The DKIM key of all teams. They share it, because making a key takes a tenth of a second. */
  readonly #dkimKey = newDkimKey();

  private constructor(worker: Worker, limitMegabytes: number, taken: Taken, cleanup: Cleanup) {
    this.worker = worker;
    this.#limitMegabytes = limitMegabytes;
    this.#taken = taken;
    this.cleanup = cleanup;
  }

  /** `heapMegabytes`: the limit of the heap. If the isolate exceeds it, V8 ends workerd. */
  static async start(heapMegabytes: number): Promise<MemoryHarness> {
    const cleanup = new Cleanup();
    const before = process.env[FLAGS];
    process.env[FLAGS] =
      `--max-old-space-size=${heapMegabytes} --expose-gc --track-gc-object-stats`;
    try {
      // The meter runs before the worker's code, so that it watches everything that the worker's
      // modules take from the global scope.
      const meter = import.meta.resolve("./heap-meter.ts");
      const more = ["added.addSeeding(parts.TeamLedger.prototype);"];
      const bundle = await bundleWrapped(cleanup, meter, "added.withMeter(worker)", more);
      const taken: Taken = { copies: [], wanted: Number.POSITIVE_INFINITY };
      const gateway = await startAcceptingGateway(cleanup, (copy) => {
        const isWanted = taken.copies.length < taken.wanted;
        if (isWanted) taken.copies.push(copy);
        return isWanted;
      });
      const vars = {
        ...VARS,
        EGRESS_URL: gateway,
        WEBHOOK_ALLOW_PRIVATE: "true",
        LOG_LEVEL: "warning",
      };
      const worker = await startWorker(cleanup, bundle, { vars });
      return new MemoryHarness(worker, heapMegabytes, taken, cleanup);
    } finally {
      if (before === undefined) delete process.env[FLAGS];
      else process.env[FLAGS] = before;
    }
  }

  stop(): Promise<void> {
    return this.cleanup.run();
  }

  /** The copies that the gateway has taken since the last call of takeCopies(). */
  get copies(): readonly TakenCopy[] {
    return this.#taken.copies;
  }

  /**
   * Forgets the copies so far. The fake gateway then takes `wanted` copies and refuses all others.
   */
  takeCopies(wanted = Number.POSITIVE_INFINITY): void {
    this.#taken.copies.length = 0;
    this.#taken.wanted = wanted;
  }

  async tenant(): Promise<Tenant> {
    const tenant = await createTenant(this.worker, PLENTY, this.#dkimKey);
    this.#teams.push(tenant.teamId);
    return tenant;
  }

  /** Makes a team with past mail, so that the worker calls its ledger (docs/near-its-users.md). */
  async tenantWithLedger(): Promise<Tenant> {
    const tenant = await this.tenant();
    const note = JSON.stringify(UNNOTED_FIRST_MAIL);
    const update = "UPDATE teams SET first_mail = ?1 WHERE id = ?2";
    await this.worker.stores.run("DB", update, note, tenant.teamId);
    return tenant;
  }

  /** Runs SQL in a team's ledger. */
  async runSql(teamId: string, sql: string): Promise<void> {
    const body = JSON.stringify({ teamId, sql });
    const { status } = await this.fetch("POST", "/memory/ledger", undefined, body);
    if (status !== 200) throw new Error(`the ledger answered ${status}: ${sql}`);
  }

  /** Ends a team's ledger. The next call starts it again. */
  async restartLedger(teamId: string): Promise<void> {
    await this.fetch("POST", "/memory/ledger", undefined, JSON.stringify({ teamId, sql: null }));
  }

  /** Deletes the teams, so that mail that still waits is not sent. */
  async clear(): Promise<void> {
    for (const teamId of this.#teams.splice(0))
      await this.fetch("DELETE", `/admin/teams/${teamId}`, ADMIN_TOKEN);
  }

  async fetch(
    method: string,
    path: string,
    apiKey?: string,
    body?: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return fetch(this.worker.origin + path, {
      method,
      headers: {
        ...(apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
  }

  /** Submits a message as the gateway does for SMTP. */
  async submit(apiKey: string, rcptTo: readonly string[], message: Uint8Array): Promise<Response> {
    const head = new TextEncoder().encode(
      JSON.stringify({ mail_from: "app@client.example", rcpt_to: rcptTo }),
    );
    const length = new Uint8Array(4);
    new DataView(length.buffer).setUint32(0, head.length);
    const headers = {
      "Content-Type": "application/octet-stream",
      "X-Gateway-Token": GATEWAY_TOKEN,
      "X-Client-IP": "203.0.113.9",
    };
    return this.fetch(
      "POST",
      "/gateway/messages",
      apiKey,
      new Uint8Array(Buffer.concat([length, head, message])),
      headers,
    );
  }

  /**
   * Runs `work` and returns the most memory that the isolate held meanwhile. The error is at most
   * an eighth of the memory that was still free below the limit.
   */
  async held(work: () => Promise<void>): Promise<Held> {
    await this.fetch("GET", `/memory/begin?megabytes=${this.#limitMegabytes}`);
    await work();
    const peak = (await (await this.fetch("GET", "/memory/end")).json()) as {
      bytes: number;
      heapBytes: number;
      bufferBytes: number;
      at: string;
    };
    const megabytes = (bytes: number): number => Math.round(bytes / 1024 / 102.4) / 10;
    return {
      megabytes: megabytes(peak.bytes),
      heapMegabytes: megabytes(peak.heapBytes),
      bufferMegabytes: megabytes(peak.bufferBytes),
      at: peak.at,
    };
  }
}

/** Starts a receiver for a webhook of the team. It accepts every delivery and collects event ids. */
export async function startReceiver(
  harness: MemoryHarness,
  apiKey: string,
): Promise<{ webhookId: string; events: ReadonlySet<string> }> {
  const events = new Set<string>();
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = (await json(request)) as { events: { id: string }[] };
    for (const { id } of body.events) events.add(id);
    response.end("ok");
  };
  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy());
  });
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}/`;
  harness.cleanup.add(() => server.close());
  harness.cleanup.add(() => server.closeAllConnections());
  const webhook = JSON.stringify({ name: "Told", url, events: ["email.delivered"] });
  const response = await harness.fetch("POST", "/v1/webhooks", apiKey, webhook);
  return { webhookId: ((await response.json()) as { id: string }).id, events };
}
