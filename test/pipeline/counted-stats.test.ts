// From a send to its counts (GET /v1/stats), through the whole pipeline: what is in the ledger's
// log and what is in pages counts once, in any hour.
import { expect, it } from "vitest";
import { bindings, call } from "../support/api.ts";
import { someone, Harness } from "../support/harness.ts";

/** Two events each: more than a page is made of. */
const MESSAGES = 40;

async function totals(stand: Harness): Promise<Record<string, number>> {
  const response = await call("GET", "/v1/stats?group_by=type", { key: stand.team.key });
  expect(response.status).toBe(200);
  const { counts } = (await response.json<{ total: { counts: Record<string, number> } }>()).total;
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

it("counts each event once, from its message's first attempt on, in the log and in pages", async () => {
  const stand = await Harness.make();
  await stand.send({ to: [someone()], text: "Hello." });
  await expect.poll(() => totals(stand), { timeout: 20_000 }).toEqual({ sent: 1, delivered: 1 });
  const emails = Array.from({ length: MESSAGES }, () => ({
    from: `a@${stand.domain}`,
    to: [someone()],
    subject: "Hi",
    text: "Hello.",
  }));
  expect(
    (await call("POST", "/v1/email/batch", { key: stand.team.key, body: { emails } })).status,
  ).toBe(202);
  await expect
    .poll(() => totals(stand), { timeout: 20_000 })
    .toEqual({ sent: MESSAGES + 1, delivered: MESSAGES + 1 });
  const usage = () => bindings.TEAM_LEDGER.getByName(stand.team.id).usage(Date.now());
  await expect
    .poll(async () => (await usage()).unpaged, { timeout: 20_000 })
    .toBeLessThan(2 * MESSAGES);
  expect(await totals(stand)).toEqual({ sent: MESSAGES + 1, delivered: MESSAGES + 1 });
});
