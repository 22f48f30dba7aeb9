// No event is lost on its way to a webhook (src/resources/webhooks), with the worker killed at each
// named crash point on that way: the receiver gets every event, and a repeated batch has the same
// id and the same bytes.
import { createServer, type Server } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listenOnLoopback } from "../../harness/loopback.ts";
import { Stack } from "./stack.ts";

const POINTS = [
  "webhook_after_enqueue",
  "webhook_after_claim",
  "webhook_after_post",
  "after_append",
];
const DELIVERED_WITHIN_MS = 120_000;

interface Delivery {
  readonly batchId: string;
  readonly body: string;
  readonly events: readonly {
    readonly id: string;
    readonly type: string;
    readonly data: { readonly email_id: string };
  }[];
}

let stack: Stack;
let harness: Server;
let receiver: Server;
let verifier: Webhook;
/** The crash point at which the worker dies next. */
let armed: string | undefined;
const deliveries: Delivery[] = [];
/** Number of deliveries when the worker died last. */
let killedAfter = 0;

beforeAll(async () => {
  harness = createServer((request, response) => {
    if (request.url?.slice(1) === armed) {
      armed = undefined;
      killedAfter = deliveries.length;
      stack.killWorker(); // no answer: the caller at the crash point never continues
    } else response.end();
  });
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      const { events } = verifier.verify(body, request.headers as Record<string, string>) as Pick<
        Delivery,
        "events"
      >;
      deliveries.push({ batchId: String(request.headers["webhook-id"]), body, events });
      response.end();
    });
  });
  stack = await Stack.start({
    CRASH_POINT_URL: `http://127.0.0.1:${await listenOnLoopback(harness)}`,
    RETRY_SPEEDUP: "20",
  });
  const url = `http://127.0.0.1:${await listenOnLoopback(receiver)}/hook`;
  const response = await stack.api("POST", "/v1/webhooks", {
    name: "Receiver",
    url,
    events: ["email.sent", "email.delivered"],
  });
  expect(response.status).toBe(201);
  verifier = new Webhook(((await response.json()) as { signing_secret: string }).signing_secret);
});
afterAll(async () => {
  await stack.destroy();
  for (const server of [harness, receiver]) {
    server.closeAllConnections();
    server.close();
  }
});

/** Sends like a client that retries under one Idempotency-Key until it gets an answer. */
async function sendPatiently(point: string): Promise<string> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    try {
      const response = await stack.send(`${point}@example.net`, point, {
        "Idempotency-Key": point,
      });
      if (response.status === 202) return ((await response.json()) as { id: string }).id;
      await response.arrayBuffer();
    } catch {
      // The worker is down.
    }
    await wait(250);
  }
  throw new Error(`${point} was never accepted`);
}

describe("the worker killed", () => {
  it.each(POINTS)(
    "%s loses no event and changes no batch",
    async (point) => {
      const before = deliveries.length;
      armed = point;
      const id = await sendPatiently(point);
      const told = () =>
        deliveries
          .slice(before)
          .flatMap(({ events }) => events.filter(({ data }) => data.email_id === id));
      await expect
        .poll(() => [...new Set(told().map(({ type }) => type))].toSorted(), {
          timeout: DELIVERED_WITHIN_MS,
          interval: 250,
        })
        .toEqual(["email.delivered", "email.sent"]);
      expect(armed).toBeUndefined();
      // A batch that was posted but not recorded is sent again. It may be this message's or the
      // previous one's, whose last batch may not be recorded yet.
      if (point === "webhook_after_post") {
        const posted = new Set(deliveries.slice(0, killedAfter).map(({ batchId }) => batchId));
        const isToldAgain = () =>
          deliveries.slice(killedAfter).some(({ batchId }) => posted.has(batchId));
        await expect.poll(isToldAgain, { timeout: DELIVERED_WITHIN_MS, interval: 250 }).toBe(true);
      }
      for (const [batchId, same] of Map.groupBy(deliveries, (one) => one.batchId))
        expect(new Set(same.map(({ body }) => body)).size, batchId).toBe(1);
    },
    150_000,
  );

  it("does not repeat a batch once it is recorded", async () => {
    await wait(3_000);
    const count = deliveries.length;
    await wait(4_000);
    expect(deliveries).toHaveLength(count);
  });
});
