// Tests the list of a team's messages page by page (contract.md §List of messages), while messages
// move from the ledger into chunks. Chunks are in the order of attempts, but the list is in the
// order of acceptance.
import { describe, expect, it } from "vitest";
import type { EventRecord, MessageRecord } from "../../../../src/rpc/event-records.ts";
import type { MessageFilters } from "../../../../src/rpc/history-query.ts";
import type {
  LedgerMessagesQuery,
  LedgerMessage,
  LedgerMessages,
} from "../../../../src/rpc/message-list-calls.ts";
import { dayOf } from "../../../../src/db/days.ts";
import type { Team } from "../../../../src/endpoint.ts";
import type { Env } from "../../../../src/env.ts";
import { newEmailId } from "../../../../src/lib/ids.ts";
import {
  listMessages,
  type MessageList,
} from "../../../../src/mail/lookup/messages/list-messages.ts";
import {
  FIRST_POSITION,
  type MessageListPosition,
  listPositionText,
  readListPosition,
} from "../../../../src/mail/lookup/messages/list-position.ts";
import { toListedEmail } from "../../../../src/mail/lookup/messages/wire.ts";
import type { EventType } from "../../../../src/rpc/event-types.ts";
import { chunkIndexTable, chunksTable } from "../../../../src/db/day-tables.ts";
import { MessageScan } from "../../../../src/resources/events/message-scan.ts";
import { tokensOf } from "../../../../src/resources/events/chunk-tokens.ts";
import { withRecentEvents, writeRows } from "../../resources/events/logged-events.ts";
import {
  aMessage,
  byMessage,
  DAY,
  env,
  newTeam,
  NOON,
  ofMessage,
} from "../../resources/events/sample-events.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = NOON + 3 * DAY;

/** A message with the time of its first attempt, and its events. */
interface Sent {
  readonly message: MessageRecord;
  readonly begunAt: number;
  readonly events: readonly EventRecord[];
}

/** Numbers from 0 to below 1 that are the same in each run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

class History {
  readonly team = newTeam(30) as unknown as Team;
  readonly #sent: readonly Sent[];
  /**
   * Time in the test: attempts that begin before `#madeUntil` have been made, and events before
   * `#pagedUntil` are in chunks.
   */
  #madeUntil = 0;
  #pagedUntil = 0;

  constructor(sent: (team: Team) => readonly Sent[]) {
    this.#sent = sent(this.team);
  }

  /** Lets time pass until `until`. Events that were recent before are in chunks after it. */
  async goOn(until: number): Promise<void> {
    const [from, to] = [this.#pagedUntil, this.#madeUntil];
    [this.#pagedUntil, this.#madeUntil] = [to, until];
    const events = this.#events(from, to);
    const rows = events.map((event, index) => {
      return { seq: index + 1, at: event.occurredAt, events: [event] };
    });
    const messages = this.#sent.map(({ message }) => message);
    for (const onDay of Map.groupBy(rows, ({ at }) => dayOf(at)).values())
      for (let first = 0; first < onDay.length; first += 6)
        await writeRows(this.team, onDay.slice(first, first + 6), messages);
  }

  get env(): Env {
    const recent = this.#events(this.#pagedUntil, this.#madeUntil);
    const bound = withRecentEvents(recent);
    const ledger = {
      ...(bound.TEAM_LEDGER.getByName("") as object),
      listHeld: (ask: LedgerMessagesQuery) => Promise.resolve(this.#listHeld(ask)),
    };
    return { ...bound, TEAM_LEDGER: { getByName: () => ledger } as never };
  }

  #events(from: number, to: number): EventRecord[] {
    return this.#sent
      .flatMap(({ events }) => events)
      .filter(({ occurredAt }) => occurredAt > from && occurredAt <= to)
      .toSorted((left, right) => left.occurredAt - right.occurredAt);
  }

  #listHeld({ before, limit }: LedgerMessagesQuery): LedgerMessages {
    const held = this.#sent
      .filter(({ begunAt, message }) => begunAt > this.#pagedUntil && message.emailId < before)
      .map(({ message }): LedgerMessage => ({ kind: "logged", emailId: message.emailId, message }))
      .toSorted((left, right) => (left.emailId < right.emailId ? 1 : -1));
    return { messages: held.slice(0, limit), isMore: held.length > limit, bookmarks: {} };
  }

  /** Every page of the list, as a client that follows its cursors reads them. */
  async scan(
    limit: number,
    { filters = {}, between }: { filters?: MessageFilters; between?: () => Promise<void> } = {},
  ): Promise<MessageList[]> {
    const lists: MessageList[] = [];
    for (let place: MessageListPosition | undefined = FIRST_POSITION; place;) {
      if (lists.length > 0) await between?.();
      const list = await listMessages(this.env, this.team, filters, place, limit, NOW);
      expect(list.messages.length).toBeLessThanOrEqual(limit);
      lists.push(list);
      place = list.next === null ? undefined : readListPosition(listPositionText(list.next));
    }
    return lists;
  }
}

const idsIn = (lists: readonly MessageList[]) =>
  lists.flatMap(({ messages }) => messages.map(({ message }) => message.emailId));

/**
 * Makes a message that was accepted at `acceptedAt`, first attempted at `begunAt`, and opened nine
 * hours after that attempt.
 */
function sentAt(team: Team, acceptedAt: number, begunAt: number, given = {}): Sent {
  const message = aMessage(team.id, { emailId: newEmailId(acceptedAt), ...given });
  const events = [
    ofMessage(message, { type: "email.sent", attempt: 1, occurredAt: begunAt }),
    ofMessage(message, { type: "email.delivered", attempt: 1, occurredAt: begunAt + 900 }),
    ofMessage(message, { type: "email.opened", occurredAt: begunAt + 9 * HOUR }),
  ];
  return { message, begunAt, events };
}

/**
 * Makes messages that were accepted over three days. The first attempt of most follows at once; for
 * some it follows hours or days later.
 */
function someSent(team: Team, count: number, random: () => number): Sent[] {
  return Array.from({ length: count }, (_, index) => {
    const acceptedAt = Math.floor(NOON + random() * 2.9 * DAY);
    const isLate = random() < 0.3;
    const begunAt = acceptedAt + Math.floor(random() * (isLate ? 2 * DAY : MINUTE));
    return sentAt(team, acceptedAt, begunAt, { campaign: index % 3 === 0 ? "autumn" : null });
  });
}

describe("the list of all messages", () => {
  it.each([3, 20])(
    "has each message once, the last accepted first, while messages move into chunks: %i a page",
    async (limit) => {
      let all: readonly Sent[] = [];
      const history = new History((team) => (all = someSent(team, 24, numbers(limit))));
      await history.goOn(NOON + 1.5 * DAY);
      await history.goOn(NOON + 1.6 * DAY);
      let until = NOON + 1.6 * DAY;
      const between = () => history.goOn((until += limit * HOUR));
      const lists = await history.scan(limit, { between });
      const idsOf = (sent: readonly Sent[]) => {
        const ids = sent.map(({ message }) => message.emailId);
        return ids.toSorted().toReversed();
      };
      expect(idsIn(lists)).toEqual(idsOf(all));
      const ofAutumn = all.filter(({ message }) => message.campaign === "autumn");
      const filtered = await history.scan(limit, { filters: { campaign: "autumn" } });
      expect(idsIn(filtered)).toEqual(idsOf(ofAutumn));
    },
  );

  it("has a message for as long as the events of its first attempt are shown", async () => {
    const history = new History((team) => [
      sentAt(team, NOW - 4 * DAY, NOW - 4 * DAY + 1),
      sentAt(team, NOW - 5 * DAY, NOW - 2 * DAY),
      sentAt(team, NOW - DAY, NOW - DAY + 1),
    ]);
    Object.assign(history.team, { eventRetentionDays: 3 });
    await history.goOn(NOW);
    await history.goOn(NOW);
    const [list] = await history.scan(100);
    expect(list!.messages.map(({ createdAt }) => NOW - createdAt)).toEqual([DAY, 5 * DAY]);
  });
});

describe("the status of a message with two recipients", () => {
  /** The states of contract.md §List of messages in their order, with events that lead to them. */
  const STATES: readonly (readonly [state: string, types: readonly EventType[]])[] = [
    ["complained", ["email.sent", "email.delivered", "email.complained"]],
    ["bounced", ["email.sent", "email.bounced"]],
    ["suppressed", ["email.suppressed"]],
    ["delayed", ["email.sent", "email.delayed"]],
    ["queued", []],
    ["sent", ["email.sent"]],
    ["delivered", ["email.sent", "email.delivered"]],
  ];
  const pairs = STATES.flatMap(([state, types], index) =>
    STATES.slice(index + 1).map(([other, others]) => [state, other, [types, others]] as const),
  );

  it.each(pairs)("is %s also if the other recipient is %s", (state, _, ofBoth) => {
    const message = aMessage(newTeam().id);
    const statusOf = (types: readonly (readonly EventType[])[]) => {
      const events = message.recipients.flatMap((recipient, index) =>
        types[index]!.map((type) => ofMessage(message, { type, recipient })),
      );
      const listed = { message, createdAt: NOON, canceledAt: null, events };
      return toListedEmail({ ...listed, isReleased: true, isComplete: true }).status;
    };
    expect([statusOf(ofBoth), statusOf(ofBoth.toReversed())]).toEqual([state, state]);
  });
});

describe("a scan over more late chunks than a request reads", () => {
  it("stops reading late chunks after its maximum, and goes on without them", async () => {
    const team = newTeam();
    const [old, recent] = [NOON - HOUR, NOON + 2 * HOUR].map((acceptedAt) =>
      sentAt(team as unknown as Team, acceptedAt, NOON + DAY),
    );
    const sent = sentAt(team as unknown as Team, NOON, NOON + 1);
    const begin = ({ events }: Sent) => events[0]!;
    const row = (at: number, events: readonly EventRecord[]) => [{ seq: 1, at, events }];
    await writeRows(team, row(NOON + 1, [begin(sent)]), [sent.message]);
    const late = [begin(old!), begin(recent!)];
    await writeRows(team, row(NOON + DAY, late), [old!.message, recent!.message]);
    const [pages, index] = [chunksTable, chunkIndexTable].map((table) => table(dayOf(NOON + DAY)));
    const columns = "last_seq, oldest, newest, oldest_message, newest_late, body";
    const copies = `WITH RECURSIVE copy (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copy WHERE n < 500)`;
    const values = [team.number * 2 ** 32, (team.number + 1) * 2 ** 32];
    const tokens = tokensOf(team.id, byMessage(late), { isStray: false, isLate: true });
    const own = `FROM ${pages} p, copy WHERE key BETWEEN ?1 AND ?2`;
    const fill = (into: string, selected: string, ...more: string[]) => {
      const sql = `${copies} INSERT INTO ${into} SELECT key + n, ${selected} ${own}`;
      return env.SHARD_0.prepare(sql).bind(...values, ...more);
    };
    await env.SHARD_0.batch([
      fill(`${index} (rowid, tokens)`, "?3", tokens),
      fill(`${pages} (key, ${columns})`, columns),
    ]);
    const before = newEmailId(NOON + HOUR);
    const scan = new MessageScan(env, team, {}, { before, start: NOON - DAY, now: NOW }, {});
    while (scan.mayGoOn) {
      await scan.goOn(10);
      expect(scan.horizon! >= before).toBe(true);
    }
    await scan.goOn(10);
    expect(scan.horizon).toBe(null);
    const found = Array.from(scan.found, ({ emailId }) => emailId);
    expect(found.toSorted()).toEqual([old!.message.emailId, sent.message.emailId]);
  });
});
