// Tests the filters of listEvents() (src/resources/events/history.ts), and that teams see only
// their own events.
import { describe, expect, it } from "vitest";
import { dayOf } from "../../../../src/db/days.ts";
import { newEmailId, newId } from "../../../../src/lib/ids.ts";
import { type EventRecord } from "../../../../src/rpc/event-records.ts";
import { type EventFilters } from "../../../../src/rpc/history-query.ts";
import { matchOf } from "../../../../src/resources/events/chunk-tokens.ts";
import { anEvent, DAY, env, newTeam, NOON, write } from "./sample-events.ts";
import { withRecentEvents } from "./logged-events.ts";
import { idsOf, pagesOf } from "./scan-harness.ts";

const SIMULATED = "simulator.postern.test";
const by = (name: string) => ({ name, simulated: SIMULATED });
const BLOCKED = "550 5.7.1 Messages from … weren't sent (S3150).";
const bounced = (classification: string | null, ip = "192.0.2.7") => ({
  type: "email.bounced" as const,
  bounce: {
    type: "permanent" as const,
    classification,
    smtpCode: 550,
    smtpResponse: `550 5.7.1 Messages from ${ip} weren't sent (S3150).`,
  },
});
const from = (mxHost: string, response: string | null = null) => ({
  stage: "end",
  response,
  mxHost,
  tls: null,
  rule: null,
});

describe("the filters of the list of events", () => {
  const templates = [newId("template"), newId("template")] as const;
  const emails = [
    newEmailId(NOON - 20 * DAY),
    newEmailId(NOON - 2 * DAY),
    newEmailId(NOON - DAY),
  ] as const;

  it.each([
    ["subject", "GRÖSSE beleg", { subject: "Ihr Beleg: Größe 42, größe 43" }],
    ["event_type", "email.bounced", { type: "email.bounced" }],
    ["recipient", "grace@example.org", { recipient: "Grace@Example.org" }],
    ["email_id", emails[1], { emailId: emails[1] }],
    ["message_id", "<own@elsewhere.example>", { messageId: "<own@elsewhere.example>" }],
    ["domain", "b.example", { fromDomain: "b.example" }],
    ["recipient_domain", "b.example", { recipient: "ada@B.example" }],
    ["provider", by("microsoft"), { exchange: from("acme.mail.protection.outlook.com") }],
    ["provider", by("other"), { exchange: from("mx.b.example") }],
    ["provider", by("google"), { recipient: "ada@gmail.com" }],
    ["provider", by("simulator"), { recipient: `bounced@${SIMULATED}`, exchange: from("mx.s") }],
    ["provider", by("none"), { recipient: "ada@example.org", campaign: "none" }],
    ["refusal", BLOCKED, bounced("SpamBlock")],
    [
      "refusal",
      "421 Busy, …",
      { type: "email.delayed", exchange: from("mx.s", "421 Busy, q8f3Ab77c1d9") },
    ],
    ["bounce_classification", ["PolicyRelated", "SpamBlock"], bounced("SpamBlock")],
    ["bounce_classification", ["none"], bounced(null)],
    ["topic", "security", { topic: "security" }],
    ["campaign", "Spring", { campaign: "Spring" }],
    ["template_id", templates[1], { templateId: templates[1] }],
    ["ip_pool", "fast", { ipPool: "fast" }],
    ["tags", ["blue"], { tags: ["red", "blue"] }],
    ["metadata", { name: "order", value: "5" }, { metadata: { order: "5", shop: "a=b" } }],
  ] satisfies [keyof EventFilters, unknown, Partial<EventRecord>][])(
    "include %s, which finds its event and no other",
    async (name, value, fields) => {
      const team = newTeam();
      const [wanted, other] = [
        anEvent(team.id, fields),
        anEvent(team.id, {
          campaign: "spring",
          topic: "receipts",
          ...(name === "provider" && { exchange: from("mx.zoho.com") }),
          ...(/refusal|bounce/.test(name) && bounced("InvalidRecipient", "blocked")),
        }),
      ];
      await write(team, [wanted, other]);
      expect(await idsOf(team, { filters: { [name]: value } })).toEqual([wanted.id]);
    },
  );

  it.each([
    { email_id: "nonsense" },
    { email_id: emails[0].slice("email_".length) },
    { email_id: emails[0].toUpperCase() },
    { message_id: "" },
    { template_id: "template_1" },
    { topic: "*" },
    { campaign: "' OR 1=1 --" },
    { ip_pool: "\0" },
    { tags: ['"', "(", "NEAR"] },
    { recipient: "💥" },
  ] satisfies EventFilters[])("find nothing for %j", async (filters) => {
    const team = newTeam();
    await write(team, [anEvent(team.id, { emailId: emails[0] })]);
    expect(await idsOf(team, { filters })).toEqual([]);
  });
});

describe("the filter of events by provider", () => {
  it("finds an attempt's sent event together with its outcome, and `other` leaves out the simulator's mail", async () => {
    const team = newTeam();
    const sent = { type: "email.sent", attempt: 1 } as const;
    const emailId = newEmailId(NOON);
    const events = [
      anEvent(team.id, { ...sent, emailId }),
      anEvent(team.id, { emailId, attempt: 1, exchange: from("aspmx.l.google.com") }),
      anEvent(team.id, { ...sent, emailId, recipient: "grace@example.org" }),
      anEvent(team.id, { type: "email.opened", emailId }),
      anEvent(team.id, { recipient: `delivered@${SIMULATED}`, exchange: from("mx.s") }),
      anEvent(team.id, { exchange: from("mx.example.org") }),
    ] as const;
    await write(team, events);
    expect(await idsOf(team, { filters: { provider: by("google") } })).toEqual(
      [events[0].id, events[1].id].toSorted().toReversed(),
    );
    expect(await idsOf(team, { filters: { provider: by("other") } })).toEqual([events[5].id]);
  });
});

describe("the list of a team's events", () => {
  it("skips chunks that the index finds by mistake, and has no chunks of another team", async () => {
    const [team, neighbour] = [newTeam(), newTeam()];
    const wanted = [1, 2, 3].map((minute) =>
      anEvent(team.id, { campaign: "spring", occurredAt: NOON - minute * 60_000 }),
    );
    const others = [team, neighbour].map((one) =>
      Array.from({ length: 20 }, (_, index) =>
        anEvent(one.id, { campaign: "other", occurredAt: NOON - index * 10_000 }),
      ),
    );
    await write(team, [...wanted, ...others[0]!], { perPage: 1 });
    await write(neighbour, others[1]!, { perPage: 1 });
    // Imitates a collision of tokens: to the index, every chunk of the day has a token that comes
    // from another value.
    const day = dayOf(NOON);
    const sql =
      `INSERT INTO page_index_${day} (rowid, tokens) SELECT key, ?1 FROM pages_${day} ORDER BY ` +
      "key";
    await env.SHARD_0.prepare(sql)
      .bind(matchOf(team.id, { campaign: "spring" }).replaceAll(/[()]/g, ""))
      .run();
    const filters = { campaign: "spring" };
    const pages = await pagesOf(withRecentEvents([]), team, { filters, limit: 2 });
    const ids = pages.map((page) => page.map(({ id }) => id));
    expect(ids).toEqual([[wanted[0]?.id, wanted[1]?.id], [wanted[2]?.id]]);
  });
});
