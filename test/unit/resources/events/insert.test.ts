// What src/resources/events guarantees: insert.
import { describe, expect, it } from "vitest";
import type { HistoryScope } from "../../../../src/db/client.ts";
import { dayOf } from "../../../../src/db/partitions.ts";
import type { EventRecord } from "../../../../src/resources/events/records.ts";
import { findMessage, insertHistory, listEvents } from "../../../../src/resources/events/store.ts";
import { positionOf } from "../../../../src/resources/events/window.ts";
import { aMessage, anEvent, atPlace, DAY, env, newTeam, NOON, sorted } from "./sample.ts";

async function idsOf(scope: HistoryScope, filters = {}): Promise<(string | undefined)[]> {
  const { events } = await listEvents(scope, filters, positionOf({ start: 0 }, null, 30, NOON + DAY), 100);
  return sorted(events.map(({ id }) => id));
}

/** How many entries the index has for what only this event can be found by: more than one shows as a repeat. */
async function entriesOf(scope: HistoryScope, event: EventRecord): Promise<number> {
  return (await idsOf(scope, { email_id: event.emailId })).length;
}

/** A database that counts its round trips. */
function watched(db: D1Database): { db: D1Database; trips: () => number } {
  let trips = 0;
  const counted = new Proxy(db, {
    get(target, name) {
      if (name === "batch") {
        return (statements: D1PreparedStatement[]) => {
          trips += 1;
          return target.batch(statements);
        };
      }
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
  return { db: counted, trips: () => trips };
}

describe("insertHistory", () => {
  it("records messages and events of several days and teams in one round trip", async () => {
    const [one, other] = [newTeam(), newTeam()];
    const message = aMessage(one.teamId);
    const events = [anEvent(one.teamId), anEvent(one.teamId, { occurredAt: NOON - DAY }), anEvent(other.teamId)];
    const earlier = [0, 1].map((days) => anEvent(newTeam().teamId, { occurredAt: NOON - days * DAY }));
    await insertHistory(env.SHARD_0, [aMessage(other.teamId)], earlier);
    const { db, trips } = watched(env.SHARD_0);
    await insertHistory(db, [message], events);
    expect(trips()).toBe(1);
    expect(await idsOf(one)).toEqual(sorted([events[0]?.id, events[1]?.id]));
    expect(await findMessage(env.SHARD_0, message.emailId)).toEqual(message);
  });

  it("makes one event of the same happening recorded twice, in one batch or in two", async () => {
    const scope = newTeam();
    const event = anEvent(scope.teamId);
    await insertHistory(scope.db, [], [event, { ...event, tags: ["again"] }]);
    await insertHistory(scope.db, [], [event, anEvent(scope.teamId)]);
    expect(await entriesOf(scope, event)).toBe(1);
    expect(await idsOf(scope)).toHaveLength(2);
  });

  it("adds no index entry for an event that is there already", async () => {
    const scope = newTeam();
    const event = anEvent(scope.teamId, { campaign: "first" });
    await insertHistory(scope.db, [], [event]);
    await insertHistory(scope.db, [], [{ ...event, campaign: "second" }]);
    const table = `event_index_${dayOf(event.occurredAt)}`;
    await scope.db.prepare(`CREATE VIRTUAL TABLE IF NOT EXISTS terms_of_index USING fts5vocab(${table}, instance)`).run();
    const key = "SELECT key FROM events_20261020 WHERE email = unhex(?1)";
    const row = await scope.db
      .prepare(`SELECT count(*) AS n FROM terms_of_index WHERE doc = (${key})`)
      .bind(event.emailId.slice(6).replaceAll("-", ""))
      .first("n");
    // team, type, recipient, email, domain, and the first campaign.
    expect(row).toBe(6);
  });

  it("keeps both of two events that start at one place, however they arrive", async () => {
    const event = (place: string, mark: string) => (scope: HistoryScope, occurredAt: number) =>
      atPlace(anEvent(scope.teamId, { occurredAt }), place, mark);
    const orders: ((a: EventRecord, b: EventRecord, c: EventRecord) => EventRecord[][])[] = [
      (a, b, c) => [[a, b, c]],
      (a, b, c) => [[a], [b], [c]],
      (a, b, c) => [[b], [a, b, c]],
      (a, b, c) => [
        [a, b],
        [b, a],
        [c, a, b],
      ],
      (a, b, c) => [[c], [b], [a], [a, b, c], [c], [b]],
    ];
    for (const [index, order] of orders.entries()) {
      const scope = newTeam();
      const at = NOON + index;
      // The third one starts where the second one is displaced to; the place before wraps to the first.
      const events = [event("03ffffff", "1"), event("03ffffff", "2"), event("00000000", "3")].map((make) => make(scope, at)) as [
        EventRecord,
        EventRecord,
        EventRecord,
      ];
      for (const batch of order(...events)) await insertHistory(scope.db, [], batch);
      expect(await idsOf(scope)).toEqual(sorted(events.map(({ id }) => id)));
      for (const one of events) expect(await entriesOf(scope, one)).toBe(1);
    }
  });

  it("makes a day's tables once for writers that start it at once", async () => {
    const scope = newTeam();
    const occurredAt = NOON - 9 * DAY;
    const events = Array.from({ length: 4 }, (_, index) => anEvent(scope.teamId, { occurredAt: occurredAt + index }));
    const messages = events.map(({ emailId }) => aMessage(scope.teamId, { emailId }));
    await Promise.all(events.map((event, index) => insertHistory(scope.db, messages.slice(index, index + 1), [event])));
    expect(await idsOf(scope)).toEqual(sorted(events.map(({ id }) => id)));
    for (const message of messages) expect(await findMessage(scope.db, message.emailId)).toEqual(message);
  });

  it("splits what is larger than a parameter may be", async () => {
    const scope = newTeam();
    const subject = "é".repeat(998);
    const events = Array.from({ length: 1_500 }, (_, index) =>
      anEvent(scope.teamId, { subject, occurredAt: NOON + index, campaign: String(index % 50) }),
    );
    const messages = events.slice(0, 900).map(({ emailId }) => aMessage(scope.teamId, { emailId, subject }));
    await insertHistory(scope.db, messages, events);
    const page = await idsOf(scope, { campaign: "7" });
    expect(page).toEqual(sorted(events.filter(({ campaign }) => campaign === "7").map(({ id }) => id)));
    expect(await findMessage(scope.db, messages[899]?.emailId ?? "")).toEqual(messages[899]);
  });

  it("leaves nothing of a batch that fails", async () => {
    const scope = newTeam();
    const event = anEvent(scope.teamId);
    const broken = { ...anEvent(scope.teamId), subject: null as unknown as string };
    await expect(insertHistory(scope.db, [], [event, broken])).rejects.toThrow("NOT NULL");
    expect(await idsOf(scope)).toEqual([]);
  });

  it("does nothing for nothing", async () => {
    const { db, trips } = watched(env.SHARD_0);
    await insertHistory(db, [], []);
    expect(trips()).toBe(0);
  });

  it("spends two row writes and at most 360 bytes an event, one row write a message", async () => {
    const scope = newTeam();
    const day = Date.UTC(2026, 9, 5);
    await insertHistory(scope.db, [], [anEvent(scope.teamId, { occurredAt: day })]);
    const typical = {
      recipient: "firstname.lastname@gmail.com",
      fromDomain: "mail.customer.com",
      subject: "Your order #123456 has been shipped",
    };
    const labels = { tags: ["receipt", "checkout"], topic: "receipts", campaign: "spring-campaign" };
    const exchange = {
      stage: "end",
      response: "250 2.0.0 OK  1760443201 41be03b00d2f7-b6a8f1c2d3esi2345678a12.345 - gsmtp",
      mxHost: "gmail-smtp-in.l.google.com",
      tls: "TLSv1.3",
      rule: null,
    };
    const events = Array.from({ length: 2_000 }, (_, index) => {
      const occurredAt = day + 1_000 + index * 40_000;
      const sent = anEvent(scope.teamId, {
        ...typical,
        ...labels,
        recipient: `${index}.${typical.recipient}`,
        type: "email.sent",
        attempt: 1,
        occurredAt,
      });
      const { emailId, messageId, recipient } = sent;
      const delivered = { emailId, messageId, recipient, attempt: 1, smtpCode: 250, exchange, occurredAt: occurredAt + 700 };
      return [sent, anEvent(scope.teamId, { ...typical, ...labels, ...delivered })];
    }).flat();
    let written = 0;
    const counting = {
      prepare: (sql: string) => scope.db.prepare(sql),
      batch: async (statements: D1PreparedStatement[]) => {
        const results = await scope.db.batch(statements);
        for (const { meta } of results) written += meta.rows_written;
        return results;
      },
    } as unknown as D1Database;
    const size = async () => (await scope.db.prepare("SELECT 1").run()).meta.size_after;
    const before = await size();
    for (let first = 0; first < events.length; first += 100) await insertHistory(counting, [], events.slice(first, first + 100));
    expect(written / events.length).toBeLessThanOrEqual(2);
    expect(((await size()) - before) / events.length).toBeLessThanOrEqual(360);
    await insertHistory(scope.db, [aMessage(scope.teamId)], []);
    written = 0;
    await insertHistory(counting, [aMessage(scope.teamId), aMessage(scope.teamId)], []);
    expect(written).toBe(2);
  });
});

describe("findMessage", () => {
  it("keeps the first record of a message", async () => {
    const scope = newTeam();
    const message = aMessage(scope.teamId);
    await insertHistory(scope.db, [message], []);
    await insertHistory(scope.db, [{ ...message, subject: "changed" }], []);
    expect(await findMessage(scope.db, message.emailId)).toEqual(message);
  });

  it("finds nothing under an unknown id, on a day without tables, or under what is no id", async () => {
    const { teamId } = newTeam();
    expect(await findMessage(env.SHARD_0, aMessage(teamId).emailId)).toBeUndefined();
    expect(await findMessage(env.SHARD_0, "email_00000000-0000-7000-8000-000000000000")).toBeUndefined();
    expect(await findMessage(env.SHARD_0, "email_ffffffff-ffff-7fff-8000-000000000000")).toBeUndefined();
    expect(await findMessage(env.SHARD_0, "nonsense")).toBeUndefined();
  });
});
