// Tests src/resources/events/chunked-message.ts: finding a message in the chunks.
import { describe, expect, it } from "vitest";
import { newEmailId } from "../../../../src/lib/ids.ts";
import type { MessageRecord } from "../../../../src/rpc/event-records.ts";
import { findChunkedMessage } from "../../../../src/resources/events/chunked-message.ts";
import { dayOf } from "../../../../src/db/days.ts";
import { aMessage, DAY, env, newTeam, NOON, ofMessage, write } from "./sample-events.ts";

describe("the search for a message in the chunks", () => {
  it("finds a message by any of its events, on any day and shard", async () => {
    for (const age of [0, 1, 4, 11, 34]) {
      const team = newTeam(30, [
        { from: "20200101", shards: [0] },
        { from: dayOf(NOON - 3 * DAY), shards: [0, 1] },
      ]);
      const [message, other] = [["ada@example.org"], ["other@example.org"]].map((recipients) =>
        aMessage(team.id, { emailId: newEmailId(NOON - 34 * DAY), recipients }),
      ) as [MessageRecord, MessageRecord];
      const messages = [message, other];
      const events = messages.map((one) => ofMessage(one, { occurredAt: NOON - age * DAY }));
      await write(team, events, { messages });
      expect(await findChunkedMessage(env, team, message.emailId, NOON)).toEqual(message);
      expect(await findChunkedMessage(env, newTeam(), message.emailId, NOON)).toBeUndefined();
    }
  });

  it("begins with the day that its caller names", async () => {
    const team = newTeam();
    const message = aMessage(team.id, { emailId: newEmailId(NOON - 20 * DAY) });
    await write(team, [ofMessage(message, { occurredAt: NOON - 10 * DAY })], {
      messages: [message],
    });
    const from = (age: number) =>
      findChunkedMessage(env, team, message.emailId, NOON, dayOf(NOON - age * DAY));
    expect([await from(12), await from(10), await from(9)]).toEqual([message, message, undefined]);
  });

  it("finds nothing under an unknown id, an id of a time without tables, or a text that is not an id", async () => {
    const team = newTeam();
    for (const id of [
      aMessage(team.id).emailId,
      "email_00000000-0000-7000-8000-000000000000",
      "email_ffffffff-ffff-7fff-8000-000000000000",
      "email_",
      "nonsense",
    ])
      expect(await findChunkedMessage(env, team, id, NOON)).toBeUndefined();
  });
});
