// The deployed worker in a workerd with a limited heap, with a meter of its isolate's memory
// (heap-meter.ts), its tenants, and a gateway that takes every copy and keeps none.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { listenOnLoopback } from "../../harness/loopback.ts";
import { bundleEntry } from "../../harness/worker-bundle.ts";
import { CONFIG, ROOT } from "../../harness/compatibility.ts";
import { Cleanup } from "../../harness/cleanup.ts";
import {
  ADMIN_TOKEN,
  createTenant,
  GATEWAY_TOKEN,
  newDkimKey,
  type Tenant,
  VARS,
} from "../../harness/tenant.ts";
import { startWorker, type Worker } from "../../harness/workerd.ts";

const PLENTY = 1_000_000;
const FLAGS = "MINIFLARE_WORKERD_V8_FLAGS";

export interface Held {
  readonly megabytes: number;
  readonly heapMegabytes: number;
  readonly bufferMegabytes: number;
  readonly at: string;
}

export interface Copy {
  readonly rcpt_to: string;
  readonly size: number;
}

interface Gateway {
  url: string;
  readonly copies: Copy[];
  wanted: number;
}

export class MemoryHarness {
  readonly worker: Worker;
  readonly #limitMegabytes: number;
  readonly #gateway: Gateway;
  readonly #cleanup: Cleanup;
  readonly #teams: string[] = [];

  private constructor(worker: Worker, limitMegabytes: number, gateway: Gateway, cleanup: Cleanup) {
    this.worker = worker;
    this.#limitMegabytes = limitMegabytes;
    this.#gateway = gateway;
    this.#cleanup = cleanup;
  }

  /**
   * `heapMegabytes` is the heap limit: an isolate that exceeds it is ended, and its workerd with
   * it.
   */
  static async start(heapMegabytes: number): Promise<MemoryHarness> {
    const cleanup = new Cleanup();
    const folder = mkdtempSync(join(tmpdir(), "postern-memory-"));
    cleanup.add(() => rmSync(folder, { recursive: true, force: true }));
    const before = process.env[FLAGS];
    process.env[FLAGS] =
      `--max-old-space-size=${heapMegabytes} --expose-gc --track-gc-object-stats`;
    try {
      mkdirSync(join(folder, "bundle"));
      const parts = JSON.stringify(join(ROOT, "src", "worker.ts"));
      const meter = JSON.stringify(fileURLToPath(import.meta.resolve("./heap-meter.ts")));
      // The meter comes first, so that everything the worker's modules take from the global scope
      // is watched.
      const entry = [
        `import { withMeter } from ${meter};`,
        `import worker from ${parts};`,
        `export * from ${parts};`,
        "export default withMeter(worker);",
      ];
      const bundle = await bundleEntry(cleanup, join(folder, "bundle"), entry.join("\n"), CONFIG);
      const gateway = await startGateway(cleanup);
      const vars = {
        ...VARS,
        EGRESS_URL: gateway.url,
        WEBHOOK_ALLOW_PRIVATE: "true",
        LOG_LEVEL: "warning",
      };
      const worker = await startWorker(cleanup, bundle, { state: join(folder, "state"), vars });
      return new MemoryHarness(worker, heapMegabytes, gateway, cleanup);
    } finally {
      if (before === undefined) delete process.env[FLAGS];
      else process.env[FLAGS] = before;
    }
  }

  stop(): Promise<void> {
    return this.#cleanup.run();
  }

  /** The copies that the gateway took since takeCopies(). */
  get copies(): readonly Copy[] {
    return this.#gateway.copies;
  }

  /** Resets the copies. From now on the gateway takes `wanted` copies and refuses more. */
  takeCopies(wanted = Number.POSITIVE_INFINITY): void {
    this.#gateway.copies.length = 0;
    this.#gateway.wanted = wanted;
  }

  async tenant(): Promise<Tenant> {
    const tenant = await createTenant(this.worker, PLENTY, newDkimKey());
    this.#teams.push(tenant.teamId);
    return tenant;
  }

  /** Deletes the teams, so that their pending mail is not sent. */
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
   * Runs `work` and returns the most memory that the isolate held meanwhile, accurate to an eighth
   * of the room below the limit.
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

/** Answers each frame of docs/egress-protocol.md as soon as it is complete. */
async function startGateway(cleanup: Cleanup): Promise<Gateway> {
  const gateway: Gateway = { url: "", copies: [], wanted: Number.POSITIVE_INFINITY };
  const server = createServer((request, response) => {
    response.writeHead(200, { "Content-Type": "application/x-ndjson" });
    const frames = new Frames(({ key, ...copy }) => {
      if (gateway.copies.length >= gateway.wanted) return void request.destroy();
      gateway.copies.push(copy);
      const reply = {
        kind: "reply",
        key,
        code: 250,
        enhanced: "2.0.0",
        text: "queued",
        stage: "end",
        mx_host: "mx.example.net",
        tls: null,
      };
      response.write(`${JSON.stringify(reply)}\n`);
    });
    request.on("data", (chunk: Buffer) => frames.take(chunk));
    request.on("end", () => response.end());
    request.on("error", () => response.destroy());
  });
  const port = await listenOnLoopback(server);
  cleanup.add(() => server.closeAllConnections());
  cleanup.add(() => server.close());
  gateway.url = `http://127.0.0.1:${port}`;
  return gateway;
}

/** Reads frames without keeping the messages. */
class Frames {
  readonly #taken: (head: Copy & { readonly key: string }) => void;
  #rest: Buffer = Buffer.alloc(0);
  #head: (Copy & { readonly key: string }) | null = null;
  #left = 0;

  constructor(taken: (head: Copy & { readonly key: string }) => void) {
    this.#taken = taken;
  }

  take(chunk: Buffer): void {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const skipped = Math.min(this.#left, this.#rest.length);
      this.#left -= skipped;
      this.#rest = this.#rest.subarray(skipped);
      if (this.#left > 0) return;
      if (this.#head) this.#taken(this.#head);
      this.#head = null;
      const length = this.#rest.length < 4 ? Number.POSITIVE_INFINITY : this.#rest.readUInt32BE(0);
      if (this.#rest.length < 4 + length) return;
      const head = JSON.parse(this.#rest.subarray(4, 4 + length).toString()) as Copy & {
        key: string;
      };
      this.#head = { key: head.key, rcpt_to: head.rcpt_to, size: head.size };
      this.#left = head.size;
      this.#rest = this.#rest.subarray(4 + length);
    }
  }
}
