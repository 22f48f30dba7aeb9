// Tests hostile receivers (src/resources/webhooks/outbox/outbox-sender.ts, post.ts) through a
// webhook's real outbox: whatever a receiver does, its attempt fails within bounded time, and other
// batches are posted meanwhile.
import { busyTeam } from "../support/api.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { holdTime } from "../support/held-time.ts";
import { logged, newBatches, type TestOutbox, outboxOf, post } from "../support/test-outbox.ts";
import { FakeReceiver } from "../support/fakes/fake-receiver.ts";
import { create } from "../support/test-webhooks.ts";
import { ofEachTest } from "../support/before-tests.ts";

const receiver = ofEachTest(() => new FakeReceiver().install());
let outbox: TestOutbox;
const team = ofEachTest(busyTeam);

beforeEach(async () => {
  outbox = outboxOf(await create(team));
});

describe("a receiver that", () => {
  it("hangs on every connection delays no other webhook", async () => {
    receiver.names["other.example.com"] = ["93.184.216.34"];
    const wish = { name: "Other", url: "https://other.example.com/", events: ["email.sent"] };
    const other = outboxOf(await create(team, wish));
    receiver.answer = ({ url }) =>
      url.includes("other") ? new Response("ok") : new Promise<Response>(() => undefined);
    // The timer that ends a slow receiver's request is stopped.
    const time = holdTime(5_000);
    await post(outbox, team, newBatches(20));
    await post(other, team, newBatches(20));
    await logged(other, 20);
    expect(await outbox.deliveries(10, null)).toEqual([]);
    time.pass();
  });
});
