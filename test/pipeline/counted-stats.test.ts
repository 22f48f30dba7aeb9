// Tests GET /v1/stats through the whole pipeline, from a send to its counts. An event counts once,
// whether it is among the ledger's recent events or in a chunk, and whatever its hour.
import { expect, it } from "vitest";
import { ok } from "../support/api.ts";
import { someone, Harness } from "../support/harness.ts";

/** Number of messages. Their events, two for each, are more than a chunk holds. */
const MESSAGES = 40;

async function totals(harness: Harness): Promise<Record<string, number>> {
  const { counts } = (
    await ok<{ total: { counts: Record<string, number> } }>(harness.get("/v1/stats?group_by=type"))
  ).total;
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

it("each event counts once, first among the recent events and then in chunks", async () => {
  const harness = await Harness.make();
  await harness.send({ to: [someone()], text: "Hello." });
  await expect.poll(() => totals(harness)).toEqual({ sent: 1, delivered: 1 });
  const emails = Array.from({ length: MESSAGES }, () => ({
    from: `a@${harness.domain}`,
    to: [someone()],
    subject: "Hi",
    text: "Hello.",
  }));
  expect((await harness.post("/v1/email/batch", { emails })).status).toBe(202);
  await expect.poll(() => totals(harness)).toEqual({ sent: MESSAGES + 1, delivered: MESSAGES + 1 });
  await expect.poll(async () => (await harness.usage()).unpaged).toBeLessThan(2 * MESSAGES);
  expect(await totals(harness)).toEqual({ sent: MESSAGES + 1, delivered: MESSAGES + 1 });
});
