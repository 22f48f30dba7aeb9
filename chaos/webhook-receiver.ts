// The webhooks' receiver: verifies every delivery by both schemes of signatures, and keeps what it
// answered with a 2xx. It fails, hangs and drops as the weather says.
import { createHmac } from "node:crypto";
import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Cleanup } from "../bench/harness/cleanup.ts";
import type { Weather } from "./weather.ts";

interface Body {
  readonly batch_id: string;
  readonly events: readonly {
    readonly id: string;
    readonly type: string;
    readonly data: { readonly email_id: string };
  }[];
}

/** A webhook as the receiver knows it. */
export interface Hook {
  readonly secret: string;
  /** Event ids by how often a batch that held them was answered with a 2xx. */
  readonly received: Map<string, number>;
  /** Deliveries that nobody should have made: why. */
  readonly wrong: string[];
  /** So many more deliveries fail, storm or not. */
  deafFor: number;
}

/** Longer than the service waits. */
const HANG_MS = 6_000;

export class Receiver {
  readonly #hooks = new Map<string, Hook>();
  readonly #weather: Weather;

  constructor(weather: Weather) {
    this.#weather = weather;
  }

  async listen(cleanup: Cleanup, port: number): Promise<void> {
    const server = createServer((request, response) => void this.#take(request, response));
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    cleanup.add(() => {
      server.closeAllConnections();
      server.close();
    });
  }

  /** Takes deliveries to that path. */
  add(path: string, secret: string): Hook {
    const hook: Hook = { secret, received: new Map(), wrong: [], deafFor: 0 };
    this.#hooks.set(path, hook);
    return hook;
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on("error", () => undefined);
    try {
      await this.#deliver(request, response);
    } catch {
      request.destroy(); // The service has gone away, killed perhaps.
    }
  }

  async #deliver(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const hook = this.#hooks.get(request.url ?? "");
    const body = Buffer.concat((await request.toArray()) as Buffer[]).toString();
    if (!hook) return void response.writeHead(404).end();
    const problem = problemOf(request.headers, body, hook.secret);
    if (problem !== null) {
      hook.wrong.push(problem);
      return void response.writeHead(400).end();
    }
    if (hook.deafFor > 0) {
      hook.deafFor -= 1;
      return void response.writeHead(502).end();
    }
    await this.#weather.meet("receiver");
    const { kind, ms } = this.#weather.decide("receiver") ?? { kind: "pass", ms: 0 };
    if (kind === "fail") return void response.writeHead(503).end();
    if (kind === "drop") return void request.destroy();
    if (kind === "slow" || kind === "hang") await sleep(kind === "hang" ? HANG_MS : ms);
    if (response.destroyed) return;
    for (const { id } of (JSON.parse(body) as Body).events)
      hook.received.set(id, (hook.received.get(id) ?? 0) + 1);
    // It has it, and nobody hears of that.
    if (kind === "fail_after") return void request.destroy();
    response.writeHead(204).end();
  }
}

/** null: both signatures are right, and the body is what it says it is. */
function problemOf(headers: IncomingHttpHeaders, body: string, secret: string): string | null {
  const time = String(headers["service-timestamp"]);
  const id = String(headers["webhook-id"]);
  const own = createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");
  if (headers["service-signature"] !== `t=${time},v1=${own}`)
    return `service-signature of ${id} is wrong`;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const standard = createHmac("sha256", key).update(`${id}.${time}.${body}`).digest("base64");
  if (headers["webhook-signature"] !== `v1,${standard}`)
    return `webhook-signature of ${id} is wrong`;
  return (JSON.parse(body) as Body).batch_id === id ? null : `the body of ${id} is another's`;
}
