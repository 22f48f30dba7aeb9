// Tests hostile receivers (src/resources/webhooks/outbox/outbox-sender.ts, post.ts) through a
// webhook's real outbox: whatever a receiver does is a failed attempt within bounded time, and
// other batches are posted meanwhile.
import { beforeEach, describe, expect, it } from "vitest";
import type { TestTeam } from "../support/api.ts";
import { holdTime } from "../support/held-time.ts";
import { logged, newBatches, type TestOutbox, outboxOf, post } from "../support/test-outbox.ts";
import { FakeReceiver } from "../support/fakes/fake-receiver.ts";
import { busyTeam, create } from "../support/test-webhooks.ts";

const MB = 1024 * 1024;

let receiver: FakeReceiver;
let outbox: TestOutbox;
let team: TestTeam;

beforeEach(async () => {
  receiver = new FakeReceiver().install();
  team = await busyTeam();
  outbox = outboxOf(await create(team));
});

/** A body of `chunks` chunks, one every `wait` milliseconds. */
function body(
  chunks: number,
  size: number,
  wait: number,
  onPull: () => void = () => undefined,
): ReadableStream {
  let left = chunks;
  return new ReadableStream({
    type: "bytes",
    async pull(controller) {
      onPull();
      if (wait > 0) await scheduler.wait(wait);
      if (left === 0) {
        controller.close();
        controller.byobRequest?.respond(0);
        return;
      }
      left -= 1;
      controller.enqueue(new Uint8Array(size).fill(0x61));
    },
  });
}

describe("a receiver that", () => {
  it.each<[string, () => Response | Promise<Response>, object]>([
    [
      "never answers",
      () => new Promise<Response>(() => undefined),
      { statusCode: null, error: "timed_out" },
    ],
    [
      "never ends its answer",
      () => new Response(body(1_000, 1, 100)),
      { statusCode: null, error: "timed_out" },
    ],
    [
      "redirects",
      () =>
        new Response(null, { status: 307, headers: { Location: "https://hooks.example.com/" } }),
      { statusCode: 307, error: null },
    ],
    [
      "closes the connection",
      () => Promise.reject(new Error("Network connection lost.")),
      { statusCode: null, error: "unreachable" },
    ],
  ])(
    "%s fails its batch within five seconds and delays no other batch",
    async (_, answer, expected) => {
      receiver.answer = (request) =>
        receiver.received.length === 1 ? answer() : new Response(request.url);
      const time = holdTime(5_000);
      await post(outbox, team, newBatches(8));
      // The other batches are delivered while the clock of the timeout is stopped.
      await expect.poll(() => receiver.received.length).toBe(8);
      await expect
        .poll(
          async () =>
            (await outbox.deliveries(10, null)).filter(({ outcome }) => outcome === "delivered")
              .length,
        )
        .toBe(7);
      time.pass();
      expect(await logged(outbox, 8)).toMatchObject([
        { outcome: "failed", ...expected },
        ...Array.from({ length: 7 }, () => ({ outcome: "delivered" })),
      ]);
      expect(receiver.received).toHaveLength(8);
    },
  );

  it("sends 100 MB fails its batch, and only the start is read", async () => {
    let pulls = 0;
    receiver.answer = () => new Response(body(100, MB, 0, () => void (pulls += 1)));
    await post(outbox, team, newBatches(1));
    expect(await logged(outbox, 1)).toMatchObject([
      { outcome: "failed", statusCode: null, error: "unreachable" },
    ]);
    expect(pulls).toBeLessThan(5);
  });

  it("hangs on every connection delays no other webhook", async () => {
    receiver.names["other.example.com"] = ["93.184.216.34"];
    const other = outboxOf(
      await create(team, {
        name: "Other",
        url: "https://other.example.com/",
        events: ["email.sent"],
      }),
    );
    receiver.answer = ({ url }) =>
      url.includes("other") ? new Response("ok") : new Promise<Response>(() => undefined);
    // The clock of the receivers' timeout is stopped.
    const time = holdTime(5_000);
    await post(outbox, team, newBatches(20));
    await post(other, team, newBatches(20));
    await logged(other, 20);
    expect(await outbox.deliveries(10, null)).toEqual([]);
    time.pass();
  });
});
