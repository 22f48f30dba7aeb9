// Tests copies for which the gateway has no outcome yet when the worker stops waiting for it
// (docs/architecture.md §Ask), from acceptance to the events.
import { describe, expect, it } from "vitest";
import { RELEASE_WAIT_MS } from "../../../src/ledger/open/job-waits.ts";
import { DELIVERED, UNDER_WAY } from "../../support/fakes/fake-egress.ts";
import { Harness, someone, kindsOf } from "../../support/harness.ts";
import { ofEachTest } from "../../support/before-tests.ts";

const harness = ofEachTest(Harness.make);

async function timesOf(id: string): Promise<number[]> {
  const events = await harness.history(id, 2);
  return events.map(({ occurred_at: at }) => Date.parse(at));
}

describe("a copy whose server is slow", () => {
  it("is sent once, and the ledger asks for its outcome by its key until the outcome is known", async () => {
    const to = someone();
    harness.egress.replies(to, UNDER_WAY, UNDER_WAY, DELIVERED);
    const id = await harness.send({ to: [to], text: "Hello." });
    expect(kindsOf(await harness.history(id, 2))).toBe("sent delivered");
    expect(harness.egress.to(to)).toHaveLength(1);
    const expected = [`${id}/0/1`, `${id}/0/1`];
    expect(harness.egress.asked.filter((key) => key.startsWith(id))).toEqual(expected);
  });

  it("has events at the times at which the gateway took it and the server replied", async () => {
    const to = someone();
    const ages = { taken_ms_ago: 40, replied_ms_ago: 30 };
    harness.egress.replies(to, UNDER_WAY, { ...DELIVERED, ...ages });
    const [sent, delivered] = await timesOf(await harness.send({ to: [to], text: "Hello." }));
    expect(delivered! - sent!).toBe(10);
  });

  it("keeps the times of its first hand-over to the gateway when the copy is handed over again", async () => {
    const to = someone();
    const ages = { taken_ms_ago: 40, replied_ms_ago: 30 };
    const unheard = { kind: "never_heard" };
    harness.egress.replies(to, UNDER_WAY, unheard, { ...DELIVERED, ...ages });
    const id = await harness.send({ to: [to], text: "Hello." });
    const holds = async () => (await harness.ledger.find(id)).open?.holds;
    await expect.poll(holds).toEqual(["courier"]);
    await harness.pass(RELEASE_WAIT_MS);
    const [sent, delivered] = await timesOf(id);
    expect(delivered! - sent!).toBe(10);
  });

  it("waits for a free connection without an event, is explained meanwhile, and is handed over with its waiting time", async () => {
    const to = someone();
    const room = { why: "waited", room_in_ms: 60_000, waited_ms: 120_000 };
    harness.egress.replies(to, UNDER_WAY, { kind: "not_taken", ...room }, DELIVERED);
    const id = await harness.send({ to: [to], text: "Hello." });
    const explained = async () => (await harness.lookUp(id)).recipients[0]?.explanation;
    await expect.poll(explained).toMatchObject({ state: "queued", cause: "no_free_connection" });
    expect(await harness.history(id, 0)).toEqual([]);
    await harness.pass(60_000);
    expect(kindsOf(await harness.history(id, 2))).toBe("sent delivered");
    const [first, second] = harness.egress.to(to);
    expect([first!.key, second!.key]).toEqual([`${id}/0/1`, `${id}/0/1`]);
    expect(first!.waited_ms).toBeUndefined();
    expect(second!.waited_ms).toBeGreaterThanOrEqual(180_000);
  });

  it("has no event before its acceptance, whatever the gateway's clock says", async () => {
    const to = someone();
    const day = 86_400_000;
    const ages = { taken_ms_ago: day, replied_ms_ago: day };
    const before = Date.now();
    harness.egress.replies(to, UNDER_WAY, { ...DELIVERED, ...ages });
    const [sent, delivered] = await timesOf(await harness.send({ to: [to], text: "Hello." }));
    expect(sent).toBeGreaterThanOrEqual(before);
    expect(delivered! - sent!).toBe(1);
  });
});
