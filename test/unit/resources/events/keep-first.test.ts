// What is kept with a recorded message later: the first to come under a name, and never a part of the message itself.
import { describe, expect, it } from "vitest";
import { newEmailId } from "../../../../src/lib/ids.ts";
import { findMessage, insertHistory, keepFirst } from "../../../../src/resources/events/store.ts";
import { aMessage, NOON, newTeam } from "./sample.ts";

const { db, teamId } = newTeam();

async function recorded() {
  const message = aMessage(teamId);
  await insertHistory(db, [message], []);
  return message;
}

describe("facts kept with a message", () => {
  it("are the first under their name, which later ones are told", async () => {
    const { emailId } = await recorded();
    expect(JSON.parse((await keepFirst(db, emailId, "bounced0", '{"a":[1,"é"]}')) ?? "")).toEqual({ a: [1, "é"] });
    expect(JSON.parse((await keepFirst(db, emailId, "bounced0", '{"a":2}')) ?? "")).toEqual({ a: [1, "é"] });
    expect(JSON.parse((await keepFirst(db, emailId, "bounced1", '{"a":2}')) ?? "")).toEqual({ a: 2 });
  });

  it("are one, when many come at the same moment", async () => {
    const { emailId } = await recorded();
    const kept = await Promise.all(Array.from({ length: 10 }, (_, index) => keepFirst(db, emailId, "bounced0", `{"index":${index}}`)));
    expect(new Set(kept).size).toBe(1);
  });

  it("are no part of the message, and outlive another recording of it", async () => {
    const message = await recorded();
    await keepFirst(db, message.emailId, "bounced0", '{"a":1}');
    expect(await findMessage(db, message.emailId)).toEqual(message);
    await insertHistory(db, [message], []);
    expect(await keepFirst(db, message.emailId, "bounced0", '{"a":2}')).toBe('{"a":1}');
  });

  it("are nowhere, where there is no message", async () => {
    expect(await keepFirst(db, newEmailId(NOON), "bounced0", '{"a":1}')).toBeUndefined();
    expect(await keepFirst(db, newEmailId(Date.UTC(1999, 0)), "bounced0", '{"a":1}')).toBeUndefined();
    expect(await keepFirst(db, "email_x", "bounced0", '{"a":1}')).toBeUndefined();
  });
});
