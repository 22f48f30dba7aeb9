// A team's history moves to another shard while its mail flows (docs/scaling.md §Moving a team): nothing is lost, nothing happens twice, and what comes back for mail
// of before still finds its message. What isolates do that have not heard of the move is done here with the team as they remember it.
import { beforeEach, describe, expect, it } from "vitest";
import type { Team } from "../../src/endpoint.ts";
import { newEmailId } from "../../src/lib/ids.ts";
import type { BounceFacts, Message } from "../../src/mail/message.ts";
import { type Entry, record, toMessageRecord } from "../../src/mail/record/record.ts";
import { recordReport, type Reported } from "../../src/mail/record/report.ts";
import { insertHistory } from "../../src/resources/events/store.ts";
import { forgetTeam, teamFor } from "../../src/resources/teams/cache.ts";
import { ADMIN_TOKEN, bindings, call } from "../support/api.ts";
import { askGateway } from "../support/gateway.ts";
import { messageWith } from "../unit/mail/compose/fixtures.ts";
import { fixture } from "../unit/mail/feedback/reading.ts";
import { aMessage, anEvent, atPlace } from "../unit/resources/events/sample.ts";
import { someone, Stand } from "../support/stand.ts";

interface Progress {
  readonly state: string;
  readonly copied: { readonly messages: number; readonly events: number };
  readonly next: string | null;
  readonly settles_at: string | null;
}

const DAY = 86_400_000;
const { SHARD_0: former } = bindings;
const { SHARD_1: shard } = bindings as unknown as { SHARD_1: D1Database };

let stand: Stand;
let teamId: string;

beforeEach(async () => {
  stand = await Stand.make();
  teamId = stand.team.id;
});

async function call1(to: number, after: string | null = null): Promise<Progress> {
  const response = await call("POST", `/admin/teams/${teamId}/history-shard`, { key: ADMIN_TOKEN, body: { shard: to, after } });
  expect(response.status, await response.clone().text()).toBe(200);
  return response.json();
}

/** Goes on until the state is one of those. Returns what was copied on the way. */
async function moveUntil(to: number, ...states: string[]): Promise<{ messages: number; events: number; last: Progress }> {
  let progress = await call1(to);
  const copied = { ...progress.copied };
  while (!states.includes(progress.state) && progress.next !== null) {
    progress = await call1(to, progress.next);
    copied.messages += progress.copied.messages;
    copied.events += progress.copied.events;
  }
  expect(states).toContain(progress.state);
  return { ...copied, last: progress };
}

/** As if the switch were so long ago that everybody has heard of it. */
async function settle(): Promise<void> {
  await bindings.DB.prepare("UPDATE teams SET history_moved_at = history_moved_at - 1200000 WHERE id = ?").bind(teamId).run();
}

async function team(): Promise<Team> {
  forgetTeam(teamId);
  const found = await teamFor(bindings, teamId, Date.now());
  if (!found) throw new Error("no team");
  return found;
}

/** Every row of the team on a shard, as text, in an order of its own; keys of a place are left out, which another event may have taken. */
async function rowsOn(db: D1Database): Promise<string[]> {
  const { results: days } = await db.prepare("SELECT kind, day FROM partitions").all<{ kind: string; day: string }>();
  const hex = teamId.slice("team_".length).replaceAll("-", "");
  const rows = await Promise.all(
    days.map(async ({ kind, day }) => {
      const { results } = await db.prepare(`SELECT * FROM ${kind}_${day} WHERE team = unhex(?1)`).bind(hex).all();
      return results.map(({ key, ...row }) => JSON.stringify([kind, day, Math.floor(Number(key ?? 0) / 2 ** 20), row]));
    }),
  );
  return rows.flat().toSorted();
}

const FULL: BounceFacts = { type: "transient", classification: "QuotaIssues", smtpCode: 452, smtpResponse: "452 4.2.2 full" };
const GONE: BounceFacts = { type: "permanent", classification: "InvalidRecipient", smtpCode: 550, smtpResponse: "550 5.1.1 gone" };

function freshMessage(): Message {
  const now = Date.now() - 60_000;
  return messageWith({ id: newEmailId(now), teamId, acceptedAt: now, recipients: [someone()] });
}

function entry(message: Message, type: "email.delayed" | "email.bounced"): Entry {
  const [recipient = ""] = message.recipients;
  const happening = { type, occurredAt: message.acceptedAt + 2_000, recipient, attempt: 1, smtpCode: 550, suppression: null };
  return { message, recipient, facts: { happenings: [{ ...happening, bounce: type === "email.bounced" ? GONE : null }], suppress: null } };
}

const reportOf = (message: Message): Reported => ({ type: "email.bounced", at: message.acceptedAt + 3_000, bounce: FULL, suppress: null });

async function bouncesOf({ id }: Message): Promise<unknown[]> {
  return stand.events(`email_id=${id}&event_type=email.bounced`);
}

describe("a team that is moved", () => {
  it("has every row on the new shard as it was, page after page, day after day", async () => {
    const now = Date.now();
    const moments = [0, 1, 2, 9, 28].map((days) => now - days * DAY - 1_000);
    const messages = moments.flatMap((at) => Array.from({ length: 60 }, () => aMessage(teamId, { emailId: newEmailId(at) })));
    const events = messages.flatMap(({ emailId }, index) => [
      anEvent(teamId, { emailId, occurredAt: (moments[Math.floor(index / 60)] ?? 0) + index, tags: ["a", "b"], topic: "news" }),
      anEvent(teamId, {
        emailId,
        occurredAt: (moments[Math.floor(index / 60)] ?? 0) + index,
        type: "email.bounced",
        bounce: GONE,
        attempt: 2,
        smtpCode: 550,
        exchange: { stage: "rcpt", response: "550 5.1.1 gone", mxHost: "mx.example.net", tls: "TLSv1.3", rule: "no_such_user" },
      }),
    ]);
    const twins = [1, 2, 3].map((one) =>
      atPlace(anEvent(teamId, { occurredAt: now - 5_000, recipient: `${one}@example.org` }), "7", `${one}`),
    );
    await insertHistory(former, messages, [...events, ...twins]);
    const before = await rowsOn(former);
    expect(before).toHaveLength(300 + 600 + 3);

    const listed = await stand.events("start=2000-01-01T00:00:00Z");
    await moveUntil(1, "settling");
    expect(await rowsOn(shard)).toEqual(before);
    expect(await stand.events("start=2000-01-01T00:00:00Z")).toEqual(listed);
    expect(await stand.events("start=2000-01-01T00:00:00Z&event_type=email.bounced&tags=a")).toEqual([]);
    expect(await stand.events("start=2000-01-01T00:00:00Z&topic=news&tags=b")).not.toEqual([]);
    await settle();
    expect((await moveUntil(1, "moved")).last).toMatchObject({ state: "moved", next: null, settles_at: null });
    expect(await rowsOn(shard)).toEqual(before);
    expect((await call1(1)).copied).toEqual({ messages: 0, events: 0 });
  });

  it("loses no event of the mail that flows meanwhile, and has none twice", async () => {
    const ids: string[] = [];
    const send = async () => ids.push(await stand.send({ to: [someone(), someone()], text: "Hello." }));
    await Promise.all(Array.from({ length: 10 }, send));
    let progress = await call1(1);
    while (progress.next !== null) {
      await send();
      progress = await call1(1, progress.next);
    }
    await Promise.all(Array.from({ length: 10 }, send));
    for (const id of ids) expect((await stand.history(id, 4)).map(({ type }) => type).toSorted()).toEqual(EVENTS_OF_TWO);
    await settle();
    await moveUntil(1, "moved");
    for (const id of ids) expect((await stand.events(`email_id=${id}`)).length).toBe(4);
    const after = await stand.send({ to: [someone(), someone()], text: "Hello." });
    await stand.history(after, 4);
    expect((await rowsOn(former)).join()).not.toContain(JSON.stringify(Array.from(uuidBytes(after))).slice(1, -1));
  });

  it("gets what an isolate writes that has not heard of it", async () => {
    const stale = await team();
    const before = Date.now();
    const { last } = await moveUntil(1, "settling");
    expect(Date.parse(last.settles_at ?? "")).toBeGreaterThan(before + 15 * 60_000);
    const message = freshMessage();
    await record(bindings, stale, [entry(message, "email.delayed")]);
    expect(await stand.events(`email_id=${message.id}`)).toEqual([]);
    expect(await call("GET", `/v1/email/${message.id}`, { key: stand.team.key }).then(({ status }) => status)).toBe(200);
    await moveUntil(1, "settling");
    expect(await stand.events(`email_id=${message.id}`)).toMatchObject([{ type: "email.delayed" }]);
    // What happened long ago and was recorded late is found at the end.
    const late = messageWith({ id: newEmailId(Date.now() - 4 * DAY), teamId, acceptedAt: Date.now() - 4 * DAY, recipients: [someone()] });
    await record(bindings, stale, [entry(late, "email.delayed")]);
    await moveUntil(1, "settling");
    await settle();
    await moveUntil(1, "moved");
    expect(await rowsOn(shard)).toEqual(await rowsOn(former));
    expect(await stand.events(`email_id=${late.id}&start=2000-01-01T00:00:00Z`)).toHaveLength(1);
  });

  it("is taken up again where a move was broken off, and can go back", async () => {
    const id = await stand.send({ to: [someone()], text: "Hello." });
    await stand.history(id, 2);
    await call1(1);
    await moveUntil(1, "settling");
    await settle();
    await moveUntil(1, "moved");
    const message = freshMessage();
    await record(bindings, await team(), [entry(message, "email.bounced")]);
    await moveUntil(0, "settling");
    await settle();
    await moveUntil(0, "moved");
    expect(await team()).toMatchObject({ historyShard: 0, formerShard: null });
    expect(await stand.events(`email_id=${id}`)).toHaveLength(2);
    await recordReport(bindings, await team(), toMessageRecord(message), 0, reportOf(message));
    expect(await bouncesOf(message)).toMatchObject([{ attempt: 1 }]);
  });
});

const EVENTS_OF_TWO = ["email.delivered", "email.delivered", "email.sent", "email.sent"];

function uuidBytes(emailId: string): number[] {
  return Array.from(emailId.slice("email_".length).replaceAll("-", "").matchAll(/../g), ([pair]) => Number.parseInt(pair, 16));
}

describe("a report about mail of before the move", () => {
  async function sent(): Promise<{ id: string; to: string; token: string }> {
    const to = someone();
    const id = await stand.send({ to: [to], text: "Hello." });
    await stand.history(id, 2);
    return { id, to, token: /^b\+([a-z2-7]{56})@/.exec(stand.egress.to(to)[0]?.mail_from ?? "")?.[1] ?? "" };
  }

  const report = async (token: string, name: string, to: string) =>
    (await askGateway("POST", `/gateway/inbound/${token}`, { raw: fixture(name).replaceAll("ann@example.com", to) })).status;

  it.each(["settling", "moved"])("finds its message while it is %s, and is one bounce", async (state) => {
    const { id, to, token } = await sent();
    await moveUntil(1, "settling");
    if (state === "moved") {
      await settle();
      await moveUntil(1, "moved");
    }
    expect(await report(token, "postfix-user-unknown", to)).toBe(202);
    expect(await report(token, "postfix-mailbox-full", to)).toBe(202);
    await moveUntil(1, state);
    expect(await stand.events(`email_id=${id}&event_type=email.bounced`)).toMatchObject([{ bounce_classification: "InvalidRecipient" }]);
    expect((await call("GET", `/v1/suppressions/${to}`, { key: stand.team.key })).status).toBe(200);
  });

  it("finds a message that only the new shard has, in an isolate that has not heard of the move", async () => {
    const { id, to, token } = await sent();
    await moveUntil(1, "settling");
    const hex = id.slice("email_".length).replaceAll("-", "");
    const { results } = await former.prepare("SELECT day FROM partitions WHERE kind = 'messages'").all<{ day: string }>();
    await former.batch(results.map(({ day }) => former.prepare(`DELETE FROM messages_${day} WHERE email = unhex(?1)`).bind(hex)));
    // Reads the row as it was, and remembers that.
    await bindings.DB.prepare("UPDATE teams SET history_shard = 0, history_former_shard = NULL WHERE id = ?").bind(teamId).run();
    await team();
    await bindings.DB.prepare("UPDATE teams SET history_shard = 1, history_former_shard = 0 WHERE id = ?").bind(teamId).run();
    expect(await report(token, "postfix-user-unknown", to)).toBe(202);
    expect(await stand.events(`email_id=${id}&event_type=email.bounced`)).toHaveLength(1);
  });
});

describe("a recipient bounces once while the team is moved", () => {
  it.each([
    ["an isolate that has not heard of it", "one that has"],
    ["one that has", "an isolate that has not heard of it"],
  ])("first in %s, then in %s", async (first) => {
    const stale = await team();
    await moveUntil(1, "settling");
    const known = await team();
    const message = freshMessage();
    const tell = { attempt: (of: Team) => record(bindings, of, [entry(message, "email.bounced")]) };
    const hear = (of: Team) => recordReport(bindings, of, toMessageRecord(message), 0, reportOf(message));
    await record(bindings, stale, [entry(message, "email.delayed")]);
    if (first.startsWith("one")) {
      await hear(known);
      await tell.attempt(stale);
    } else {
      await hear(stale);
      await tell.attempt(known);
    }
    await moveUntil(1, "settling");
    await settle();
    await moveUntil(1, "moved");
    expect(await bouncesOf(message)).toMatchObject([{ attempt: null, bounce_classification: "QuotaIssues" }]);
    await record(bindings, await team(), [entry(message, "email.bounced")]);
    expect(await bouncesOf(message)).toHaveLength(1);
  });

  it("also when what was kept first is copied last", async () => {
    const stale = await team();
    const message = freshMessage();
    await record(bindings, stale, [entry(message, "email.delayed")]);
    await moveUntil(1, "settling");
    await recordReport(bindings, stale, toMessageRecord(message), 0, reportOf(message));
    await settle();
    await moveUntil(1, "moved");
    await record(bindings, await team(), [entry(message, "email.bounced")]);
    expect(await bouncesOf(message)).toMatchObject([{ attempt: null }]);
  });
});
