// Tests GET /v1/deliverability (contract.md §Deliverability) over counts that were written together
// with chunks of the log.
import { beforeAll, describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../src/limits.ts";
import type { Deliverability } from "../../../src/resources/deliverability/wire.ts";
import { teamFor } from "../../../src/resources/team-settings/team-cache.ts";
import { bindings, call, errorsOf, makeTeam, ok, type TestTeam } from "../../support/api.ts";
import { aPage, type SampleEvent, writeCounted } from "../../unit/resources/stats/sample-counts.ts";
import { ofFile } from "../../support/before-tests.ts";

/**
 * Noon of yesterday. The tests ask for the two hours that begin then, and compare them with the two
 * hours before.
 */
const NOON = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS / 2;
const at = (ms: number) => new Date(ms).toISOString();
const TWO_HOURS = `start=${at(NOON)}&end=${at(NOON + 2 * HOUR_MS)}`;

const team = ofFile(makeTeam);

const from = (mxHost: string) => ({
  exchange: { stage: "end", response: "250 ok", mxHost, tls: null, rule: null },
});
const google = { recipient: "a@gmail.com", ...from("aspmx.l.google.com") };
const refused = {
  type: "email.bounced",
  recipient: "b@outlook.com",
  bounce: {
    type: "permanent",
    classification: "SpamBlock",
    smtpCode: 550,
    smtpResponse: "550 5.7.1 Blocked [192.0.2.7] (S3150)",
  },
} as const;

async function write(of: TestTeam, happenings: readonly SampleEvent[]): Promise<void> {
  const settings = (await teamFor(bindings, of.id, Date.now()))!;
  await writeCounted(bindings.SHARD_0, aPage(settings, happenings));
}

async function deliverability(query: string, key = team.key): Promise<Deliverability> {
  return ok<Deliverability>(call("GET", `/v1/deliverability?${query}`, { key }));
}

/**
 * Returns the number of delivered messages by provider, in the window and in the previous window.
 */
const accepted = ({ providers }: Deliverability) =>
  providers.map(({ provider, current, previous }) => [
    provider,
    current.delivered,
    previous?.delivered,
  ]);

beforeAll(async () => {
  await write(team, [
    { at: NOON - 2 * HOUR_MS - 1, ...google },
    { at: NOON - 2 * HOUR_MS, ...google },
    { at: NOON - 1, ...google },
    { at: NOON, ...google },
    { at: NOON + 2 * HOUR_MS - 1, ...google },
    { at: NOON + 2 * HOUR_MS, ...google },
    { at: NOON + 1, recipient: "a@gmail.com", type: "email.complained" },
    ...Array.from({ length: 5 }, (_, index) => ({ at: NOON + 60_000 + index, ...refused })),
    { at: NOON + 3, recipient: "c@unknown.example", type: "email.suppressed" },
    { at: NOON + 4, recipient: "delivered@simulator.postern.test", ...from("mx.simulator") },
  ]);
});

describe("GET /v1/deliverability", () => {
  it("has the mail of the window, rounded to whole hours, and of the previous window", async () => {
    const answer = await deliverability(TWO_HOURS);
    expect(answer).toMatchObject({
      start: at(NOON),
      end: at(NOON + 2 * HOUR_MS),
      previous: { start: at(NOON - 2 * HOUR_MS), end: at(NOON) },
      rules: { version: 1, oldest: 1 },
    });
    expect(accepted(answer)).toEqual([
      ["microsoft", 0, 0],
      ["google", 2, 2],
      [null, 0, 0],
    ]);
    expect(answer.providers[1]!.current).toEqual({
      sent: 0,
      delivered: 2,
      deferred: 0,
      bounced: 0,
      bounces: {},
      complaints: 1,
      time_to_acceptance: { median_seconds: 1, p95_seconds: 1 },
    });
    expect(accepted(await deliverability(`start=${at(NOON - 1)}&end=${at(NOON + 1)}`))).toEqual([
      ["microsoft", 0, 0],
      ["google", 2, 2],
      [null, 0, 0],
    ]);
  });

  it("names the refusing provider, its words and their first time", async () => {
    const { providers, findings } = await deliverability(TWO_HOURS);
    expect(providers[0]!.refusals).toEqual([
      {
        kind: "bounced",
        classification: "SpamBlock",
        text: "550 5.7.1 Blocked […] (S3150)",
        count: 5,
        first_at: at(NOON + 60_000),
      },
    ]);
    expect(findings).toMatchObject([
      { kind: "refuses_all", provider: "microsoft", since: at(NOON + 60_000) },
    ]);
  });

  it("is empty without mail, and shows a team only its own mail within its retention", async () => {
    const short = await makeTeam({ event_retention_days: 3 });
    expect((await deliverability(TWO_HOURS, short.key)).providers).toEqual([]);
    await write(short, [{ at: NOON, ...google }]);
    const own = await deliverability(`start=${at(NOON - 9 * DAY_MS)}`, short.key);
    const expected = [[["google", 1, undefined]], null, []];
    expect([accepted(own), own.previous, own.findings]).toEqual(expected);
  });

  it.each([
    ["start=yesterday", { start: ["must be an ISO 8601 date-time"] }],
    ["start=2026-01-02&end=2026-01-01", { start: ["must be before end"] }],
  ])("refuses %s, and names the parameter", async (query, errors) => {
    expect(await errorsOf(team.get(`/v1/deliverability?${query}`))).toEqual(errors);
  });
});
