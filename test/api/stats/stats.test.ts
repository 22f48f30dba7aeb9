// Tests GET /v1/stats (contract.md §Statistics) over counts that were written together with chunks
// of the log.
import { beforeAll, describe, expect, it } from "vitest";
import type { Team } from "../../../src/endpoint.ts";
import { newEmailId } from "../../../src/lib/ids.ts";
import { DAY_MS, HOUR_MS } from "../../../src/limits.ts";
import { teamFor } from "../../../src/resources/team-settings/team-cache.ts";
import type { Stats } from "../../../src/resources/stats/wire.ts";
import { bindings, call, errorsOf, makeTeam, ok } from "../../support/api.ts";
import { dayOf } from "../../../src/db/days.ts";
import { aPage, type SampleEvent, writeCounted } from "../../unit/resources/stats/sample-counts.ts";
import { ofFile } from "../../support/before-tests.ts";

const NAMES = "sent delivered delayed bounced complained opened clicked unsubscribed suppressed";
const COUNTS = Object.fromEntries(NAMES.split(" ").map((name) => [name, 0]));
/** Noon of yesterday. The tests ask for the statistics of the two hours that begin then. */
const NOON = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS / 2;
const at = (ms: number) => new Date(ms).toISOString();
const TWO_HOURS = `start=${at(NOON)}&end=${at(NOON + 2 * HOUR_MS)}`;
const LONG = `start=${at(NOON - 9 * DAY_MS)}&interval=hour`;
const TOO_LONG = "must be day for a window of more than 7 days";

const team = ofFile(makeTeam);
let settings: Team;

const get = (query: string, key = team.key) => call("GET", `/v1/stats?${query}`, { key });

async function stats(query: string, key = team.key): Promise<Stats> {
  return ok<Stats>(get(query, key));
}

async function write(
  of: Pick<Team, "id" | "number">,
  happenings: readonly SampleEvent[],
): Promise<void> {
  for (const happened of Map.groupBy(happenings, (one) => dayOf(one.at)).values())
    await writeCounted(bindings.SHARD_0, aPage(of, happened));
}

const bounce = (classification: string | null): Partial<SampleEvent> => ({
  type: "email.bounced",
  bounce: { type: "permanent", classification, smtpCode: 550, smtpResponse: "550 no" },
});

beforeAll(async () => {
  settings = (await teamFor(bindings, team.id, Date.now()))!;
  await write(settings, [
    { at: NOON, type: "email.sent", recipient: "a@x.example" },
    { at: NOON + 1, type: "email.sent", recipient: "b@x.example" },
    { at: NOON + 2, type: "email.delivered", recipient: "a@x.example" },
    { at: NOON + 3, recipient: "b@x.example", ...bounce("InvalidRecipient") },
    { at: NOON + 4, recipient: "c@y.example", ...bounce(null) },
    { at: NOON + HOUR_MS, type: "email.opened", recipient: "a@x.example" },
    { at: NOON - DAY_MS, type: "email.clicked", recipient: "a@x.example" },
  ]);
});

describe("GET /v1/stats", () => {
  it("answers an entry for each hour, with every count", async () => {
    expect(await stats(TWO_HOURS)).toEqual({
      interval: "hour",
      start: at(NOON),
      end: at(NOON + 2 * HOUR_MS),
      data: [
        {
          start: at(NOON),
          counts: { ...COUNTS, sent: 2, delivered: 1, bounced: 2 },
          bounced: { InvalidRecipient: 1, none: 1 },
        },
        { start: at(NOON + HOUR_MS), counts: { ...COUNTS, opened: 1 }, bounced: {} },
      ],
    });
  });

  it("answers an entry for each whole day in UTC", async () => {
    const { start, end, data } = await stats(
      `start=${at(NOON - DAY_MS)}&end=${at(NOON)}&interval=day`,
    );
    expect([start, end]).toEqual([at(NOON - 1.5 * DAY_MS), at(NOON + DAY_MS / 2)]);
    expect(data.map(({ counts }) => counts)).toEqual([
      { ...COUNTS, clicked: 1 },
      { ...COUNTS, sent: 2, delivered: 1, bounced: 2, opened: 1 },
    ]);
  });

  it("adds a total if grouped by type, and changes nothing else", async () => {
    const { total, ...rest } = await stats(`${TWO_HOURS}&group_by=type`);
    expect(rest).toEqual(await stats(`${TWO_HOURS}&group_by=none`));
    expect(total).toEqual({
      start: at(NOON),
      counts: { ...COUNTS, sent: 2, delivered: 1, bounced: 2, opened: 1 },
      bounced: { InvalidRecipient: 1, none: 1 },
    });
  });

  it("has an entry for each domain of an interval if grouped by recipient domain", async () => {
    const { data } = await stats(`${TWO_HOURS}&group_by=recipient_domain`);
    const entry = (ms: number, recipient_domain: string, counts: object, bounced: object) => ({
      start: at(ms),
      recipient_domain,
      counts: { ...COUNTS, ...counts },
      bounced,
    });
    expect(data).toEqual([
      entry(NOON, "x.example", { sent: 2, delivered: 1, bounced: 1 }, { InvalidRecipient: 1 }),
      entry(NOON, "y.example", { bounced: 1 }, { none: 1 }),
      entry(NOON + HOUR_MS, "x.example", { opened: 1 }, {}),
    ]);
  });

  describe("by provider", () => {
    const busy = ofFile(makeTeam);
    const from = (mxHost: string) => ({
      exchange: { stage: "end", response: "250 ok", mxHost, tls: null, rule: null },
    });
    const [microsoft, other] = [from("acme.mail.protection.outlook.com"), from("mx.y.example")];
    const simulated = "delivered@simulator.postern.test";

    beforeAll(async () => {
      const id = newEmailId(NOON);
      await write((await teamFor(bindings, busy.id, Date.now()))!, [
        { at: NOON, type: "email.sent", emailId: id, attempt: 1, recipient: "a@acme.example" },
        { at: NOON + 1, emailId: id, attempt: 1, recipient: "a@acme.example", ...microsoft },
        { at: NOON + 2, recipient: "b@outlook.com", type: "email.complained" },
        { at: NOON + 3, recipient: "c@y.example", ...bounce("SpamBlock"), ...other },
        { at: NOON + 4, recipient: "d@z.example", type: "email.suppressed" },
        { at: NOON + 5, recipient: simulated, ...from("mx.simulator.postern.test") },
        { at: NOON + HOUR_MS, recipient: simulated, type: "email.opened" },
      ]);
    });

    const grouped = async (more = ""): Promise<[string | null, Record<string, number>][]> => {
      const { data } = await stats(`${TWO_HOURS}&group_by=provider${more}`, busy.key);
      return data.map(({ provider = "", counts }) => [
        provider,
        Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
      ]);
    };

    it("has an entry for each provider of an interval, and null for mail without one", async () => {
      expect(await grouped()).toEqual([
        ["microsoft", { sent: 1, delivered: 1, complained: 1 }],
        ["other", { bounced: 1 }],
        ["simulator", { delivered: 1 }],
        [null, { suppressed: 1 }],
        ["simulator", { opened: 1 }],
      ]);
    });

    it("counts for each provider the events that a filter by this provider finds", async () => {
      for (const provider of ["microsoft", "other", "simulator", "google"]) {
        const counted = (await grouped()).filter(([name]) => name === provider);
        const listed = await busy.get(`/v1/events?${TWO_HOURS}&provider=${provider}`);
        const { data } = await listed.json<{ data: { type: string }[] }>();
        const counts = counted.flatMap(([, own]) => Object.values(own));
        expect(data).toHaveLength(counts.reduce((sum, count) => sum + count, 0));
      }
    });

    it("leaves the simulator's mail out of every group if the request excludes it", async () => {
      const exclude = "&simulator=exclude";
      expect((await grouped(exclude)).map(([name]) => name)).toEqual(["microsoft", "other", null]);
      for (const group of ["none", "recipient_domain"]) {
        const { data } = await stats(`${TWO_HOURS}&group_by=${group}${exclude}`, busy.key);
        const total = (name: "delivered" | "opened") =>
          data.reduce((sum, { counts }) => sum + counts[name], 0);
        expect([total("delivered"), total("opened")]).toEqual([1, 0]);
        expect(data.map((entry) => entry.recipient_domain)).not.toContain("simulator.postern.test");
      }
    });
  });

  it("shows a team only its own counts, and no further back than its retention", async () => {
    const short = await makeTeam({ event_retention_days: 3 });
    const { number } = (await teamFor(bindings, short.id, Date.now()))!;
    await write({ id: short.id, number }, [{ at: NOON }, { at: NOON - 6 * DAY_MS }]);
    const { start, data } = await stats(`start=2020-01-01&interval=day`, short.key);
    expect(Date.parse(start)).toBeGreaterThan(NOON - 5 * DAY_MS);
    expect(data.reduce((sum, { counts }) => sum + counts.delivered, 0)).toBe(1);
  });

  it.each([
    ["start=yesterday", { start: ["must be an ISO 8601 date-time"] }],
    ["end=", { end: ["must be an ISO 8601 date-time"] }],
    ["simulator=only", { simulator: ["must be one of: include, exclude"] }],
    ["interval=week", { interval: ["must be one of: hour, day"] }],
    [
      "group_by=domain",
      {
        group_by: ["must be one of: none, type, recipient_domain, sending_domain, provider"],
      },
    ],
    [
      "group_by=sending_domain&simulator=exclude",
      { simulator: ["must be include by sending_domain, whose counts have all mail"] },
    ],
    ["start=2026-01-02&end=2026-01-01", { start: ["must be before end"] }],
    [`${LONG}&group_by=recipient_domain`, { interval: [`${TOO_LONG} by recipient_domain`] }],
    [`${LONG}&group_by=provider`, { interval: [`${TOO_LONG} by provider`] }],
  ])("refuses %s, and names the parameter", async (query, errors) => {
    expect(await errorsOf(get(query))).toEqual(errors);
  });
});
