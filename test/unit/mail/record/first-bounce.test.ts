// A recipient bounces once, whoever tells of it first: the server in an attempt, or a report that came back (docs/decisions/0008).
import { beforeEach, describe, expect, it } from "vitest";
import type { Team } from "../../../../src/endpoint.ts";
import { newEmailId } from "../../../../src/lib/ids.ts";
import type { BounceFacts, Message } from "../../../../src/mail/message.ts";
import { findBounced } from "../../../../src/mail/record/first-bounce.ts";
import { type Entry, record, toMessageRecord } from "../../../../src/mail/record/record.ts";
import { recordReport, type Reported } from "../../../../src/mail/record/report.ts";
import { keepFirst } from "../../../../src/resources/events/store.ts";
import { findActiveSuppressions } from "../../../../src/resources/suppressions/store.ts";
import { teamFor } from "../../../../src/resources/teams/cache.ts";
import { bindings, call, makeTeam, type TestTeam } from "../../../support/api.ts";
import { messageWith } from "../compose/fixtures.ts";

const SECOND = 1;

let given: TestTeam;
let team: Team;
let message: Message;
/** A minute ago, so that the default window of the history holds what came after. */
let now: number;

beforeEach(async () => {
  given = await makeTeam({ limits: { requests_per_second: 1_000 } });
  now = Date.now() - 60_000;
  const found = await teamFor(bindings, given.id, Date.now());
  if (!found) throw new Error("no team");
  team = found;
  const recipients = [`ann-${crypto.randomUUID()}@example.org`, `bob-${crypto.randomUUID()}@example.org`];
  message = messageWith({ id: newEmailId(now), teamId: given.id, acceptedAt: now, recipients });
});

const REFUSED: BounceFacts = { type: "permanent", classification: "InvalidRecipient", smtpCode: 550, smtpResponse: "550 5.1.1 gone" };
const FULL: BounceFacts = { type: "transient", classification: "QuotaIssues", smtpCode: 452, smtpResponse: "452 4.2.2 full" };

const recipient = () => message.recipients[SECOND] ?? "";

/** The second attempt to the second recipient, refused for good. */
function attempt(): Entry {
  const happening = { type: "email.bounced" as const, occurredAt: now + 2_000, recipient: recipient(), attempt: 2, smtpCode: 550 };
  const suppress = { classification: "InvalidRecipient", smtpCode: 550, at: now + 2_000 };
  return { message, recipient: recipient(), facts: { happenings: [{ ...happening, bounce: REFUSED, suppression: null }], suppress } };
}

/** The first attempt to both, put off. */
async function delay(): Promise<void> {
  const entries = message.recipients.map((address): Entry => {
    const happening = { type: "email.delayed" as const, occurredAt: now, recipient: address, attempt: 1, smtpCode: 451 };
    return { message, recipient: address, facts: { happenings: [{ ...happening, bounce: null, suppression: null }], suppress: null } };
  });
  await record(bindings, team, entries);
}

const reported = (): Reported => ({ type: "email.bounced", at: now + 1_000, bounce: FULL, suppress: null });
const report = () => recordReport(bindings, team, toMessageRecord(message), SECOND, reported());

async function bounces(): Promise<unknown[]> {
  const response = await call("GET", `/v1/events?email_id=${message.id}&event_type=email.bounced`, { key: given.key });
  return (await response.json<{ data: unknown[] }>()).data;
}

async function isSuppressed(): Promise<boolean> {
  return (await findActiveSuppressions({ db: bindings.SHARD_0, teamId: team.id }, [recipient()], Date.now())).size > 0;
}

const FROM_REPORT = { attempt: null, bounce_type: "transient", bounce_classification: "QuotaIssues" };
const FROM_ATTEMPT = { attempt: 2, bounce_type: "permanent", bounce_classification: "InvalidRecipient" };

describe("the first bounce", () => {
  it("is a report's, with its time of receipt: what an attempt hears later adds neither event nor suppression", async () => {
    await delay();
    await report();
    await record(bindings, team, [attempt()]);
    expect(await bounces()).toMatchObject([{ ...FROM_REPORT, recipient: recipient(), occurred_at: new Date(now + 1_000).toISOString() }]);
    expect(await isSuppressed()).toBe(false);
  });

  it("is an attempt's: a report adds nothing", async () => {
    await delay();
    await record(bindings, team, [attempt()]);
    await report();
    expect(await bounces()).toMatchObject([FROM_ATTEMPT]);
    expect(await isSuppressed()).toBe(true);
  });

  it("stays the attempt's when its recording is repeated, before the event was written or after", async () => {
    await delay();
    await record(bindings, team, [attempt()]);
    await record(bindings, team, [attempt()]);
    expect(await bounces()).toMatchObject([FROM_ATTEMPT]);
  });

  it("is one, when attempt and report are recorded at the same moment", async () => {
    await delay();
    await Promise.all([record(bindings, team, [attempt()]), report(), record(bindings, team, [attempt()]), report()]);
    const [first, ...others] = await bounces();
    expect(others).toEqual([]);
    expect(await isSuppressed()).toBe((first as { attempt: number | null }).attempt === 2);
  });

  it("concerns its recipient alone", async () => {
    await delay();
    await recordReport(bindings, team, toMessageRecord(message), 0, reported());
    await record(bindings, team, [attempt()]);
    expect(await bounces()).toMatchObject([{ recipient: recipient(), attempt: 2 }, { recipient: message.recipients[0] }]);
    expect(await isSuppressed()).toBe(true);
  });

  it("of a message that has no row yet is kept with it", async () => {
    await record(bindings, team, [attempt()]);
    await report();
    expect(await bounces()).toMatchObject([FROM_ATTEMPT]);
  });

  it("is finished by an attempt, when the recording of the report broke off", async () => {
    await delay();
    await keepFirst(bindings.SHARD_0, message.id, "bounced1", JSON.stringify(reported()));
    await record(bindings, team, [attempt()]);
    expect(await bounces()).toMatchObject([FROM_REPORT]);
  });
});

describe("whether a recipient has bounced", () => {
  it("is known of each, and what broke off is finished by asking", async () => {
    await delay();
    await keepFirst(bindings.SHARD_0, message.id, "bounced1", JSON.stringify(reported()));
    const recipients = [0, SECOND].map((recipientIndex) => ({ message: toMessageRecord(message), recipientIndex }));
    expect(await findBounced(bindings, team, recipients)).toEqual([false, true]);
    expect(await bounces()).toMatchObject([FROM_REPORT]);
  });
});
