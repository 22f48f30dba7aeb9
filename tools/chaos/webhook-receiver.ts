// The webhook receiver. It verifies both signature schemes of every delivery in either format, and
// records the events of deliveries that it answered with a 2xx. The fault server decides when it
// fails, hangs and drops connections.
import { createHash, createHmac } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Cleanup } from "../harness/cleanup.ts";
import type { FaultServer } from "./fault-server.ts";
import { serveOnLoopback } from "./loopback-server.ts";

interface Body {
  readonly batch_id: string;
  readonly events: readonly {
    readonly id: string;
    readonly data: { readonly reply_id?: string };
  }[];
}

/** The body of a single event, in Resend's form. */
interface ResendBody {
  readonly type: string;
  readonly data: { readonly email_id: string };
}

/** The deliveries about one reply that the receiver accepted. */
export interface ToldReply {
  /** The ids of the events and of the batches that reported the reply. */
  readonly events: Set<string>;
  readonly batches: Set<string>;
}

/** A webhook as the receiver knows it. */
export class ReceivedWebhook {
  readonly secret: string;
  /** The number of deliveries of each event that were answered with a 2xx, by event id. */
  readonly received = new Map<string, number>();
  /** The first arrival of each event, in Unix milliseconds. */
  readonly firstAt = new Map<string, number>();
  /** The deliveries about each reply, by the reply's id. */
  readonly replies = new Map<string, ToldReply>();
  /** Digests of the bodies, by `webhook-id`. A repeated attempt must have the same bytes. */
  readonly digests = new Map<string, string>();
  /** Errors in deliveries. */
  readonly wrong: string[] = [];
  /** The number of further deliveries that fail, even outside a storm. */
  failing = 0;

  constructor(secret: string) {
    this.secret = secret;
  }
}

/**
 * Milliseconds for which the receiver hangs. The time is longer than the service waits for an
 * answer.
 */
const HANG_MS = 6_000;

export class Receiver {
  readonly #hooks = new Map<string, ReceivedWebhook>();
  readonly #faults: FaultServer;

  constructor(faults: FaultServer) {
    this.#faults = faults;
  }

  /** Resolves with the port. */
  listen(cleanup: Cleanup): Promise<number> {
    return serveOnLoopback(cleanup, (request, response) => void this.#take(request, response));
  }

  /** Adds a webhook that posts its deliveries to the given path. */
  add(path: string, secret: string): ReceivedWebhook {
    const hook = new ReceivedWebhook(secret);
    this.#hooks.set(path, hook);
    return hook;
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on("error", () => undefined);
    try {
      await this.#deliver(request, response);
    } catch {
      request.destroy(); // The service closed the connection, or was killed.
    }
  }

  async #deliver(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const hook = this.#hooks.get(request.url ?? "");
    const body = Buffer.concat((await request.toArray()) as Buffer[]).toString();
    if (!hook) return void response.writeHead(404).end();
    const problem = problemOf(request.headers, body, hook);
    if (problem !== null) {
      hook.wrong.push(problem);
      return void response.writeHead(400).end();
    }
    const ids = eventIds(request.headers, body);
    for (const id of ids) hook.firstAt.set(id, hook.firstAt.get(id) ?? Date.now());
    if (hook.failing > 0) {
      hook.failing -= 1;
      return void response.writeHead(502).end();
    }
    await this.#faults.meet("receiver");
    const { kind, ms } = this.#faults.decide("receiver") ?? { kind: "pass", ms: 0 };
    if (kind === "fail") return void response.writeHead(503).end();
    if (kind === "drop") return void request.destroy();
    if (kind === "slow" || kind === "hang") await sleep(kind === "hang" ? HANG_MS : ms);
    if (response.destroyed) return;
    for (const id of ids) hook.received.set(id, (hook.received.get(id) ?? 0) + 1);
    noteReplies(hook, request.headers, body);
    // The receiver has recorded the delivery, but the service gets no answer.
    if (kind === "fail_after") return void request.destroy();
    response.writeHead(204).end();
  }
}

/** Records the replies of a delivery, in either format. */
function noteReplies(
  { replies }: ReceivedWebhook,
  headers: IncomingHttpHeaders,
  text: string,
): void {
  const batch = String(headers["webhook-id"]);
  const note = (reply: string, event: string): void => {
    const told = replies.get(reply) ?? { events: new Set(), batches: new Set() };
    replies.set(reply, { events: told.events.add(event), batches: told.batches.add(batch) });
  };
  const body = JSON.parse(text) as Body | ResendBody;
  if (!("events" in body)) {
    if (body.type === "email.received") note(`reply_${body.data.email_id}`, batch);
    return;
  }
  for (const { id, data } of body.events) if (data.reply_id !== undefined) note(data.reply_id, id);
}

/** A batch has the ids of its events in the body. A single event has its id in a header. */
function eventIds(headers: IncomingHttpHeaders, body: string): string[] {
  const single = headers["svix-id"];
  return single === undefined
    ? (JSON.parse(body) as Body).events.map(({ id }) => id)
    : [String(single)];
}

/**
 * Returns null if both signatures are right, the headers fit the body, and earlier attempts at this
 * batch had the same body. Else returns the first error.
 */
function problemOf(
  headers: IncomingHttpHeaders,
  body: string,
  { secret, digests }: ReceivedWebhook,
): string | null {
  const time = String(headers["service-timestamp"]);
  const id = String(headers["webhook-id"]);
  const own = createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");
  if (headers["service-signature"] !== `t=${time},v1=${own}`)
    return `service-signature of ${id} is wrong`;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const standard = createHmac("sha256", key).update(`${id}.${time}.${body}`).digest("base64");
  if (headers["webhook-signature"] !== `v1,${standard}`)
    return `webhook-signature of ${id} is wrong`;
  const isSingle = headers["svix-id"] === id && headers["svix-signature"] === `v1,${standard}`;
  if (!isSingle && (JSON.parse(body) as Body).batch_id !== id)
    return `the body of ${id} is another batch's`;
  const digest = createHash("sha256").update(body).digest("base64");
  const earlier = digests.get(id) ?? digest;
  digests.set(id, digest);
  return digest === earlier ? null : `the body of ${id} differs from an earlier attempt`;
}
