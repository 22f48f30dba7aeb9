// Tests unsubscribe links (src/mail/unsubscribe-link.ts) against vectors/tokens.json: each names
// its recipient and topic by itself, and cannot be forged.
import { describe, expect, it } from "vitest";
import {
  isUnsubscribeUrl,
  readUnsubscribeToken,
  unsubscribeUrl,
  type UnsubscribeRef,
} from "../../../src/mail/unsubscribe-link.ts";
import vectors from "../../../vectors/tokens.json" with { type: "json" };

const { signing_key: KEY, unsubscribe: vector } = vectors;
const HOST = "https://postern.example";

const refOf = (one: (typeof vector.genuine)[0]): UnsubscribeRef => ({
  teamNumber: one.team_number,
  releaseDay: one.release_day,
  emailId: one.email_id,
  recipient: one.recipient,
  topic: one.topic,
  sender: one.sender,
});

async function tokenOf(ref: UnsubscribeRef): Promise<string> {
  return (await unsubscribeUrl(HOST, KEY, ref)).slice(`${HOST}/u/`.length);
}

describe("unsubscribe links", () => {
  it.each(vector.genuine)("are made and read as the vector says: $name", async (one) => {
    const token = await tokenOf(refOf(one));
    expect(token).toBe(one.token);
    expect(await readUnsubscribeToken(KEY, token)).toEqual(refOf(one));
    expect(token.length).toBeLessThan(760);
  });

  it.each(vector.refused)("are refused as the vector says: $why", async ({ token }) => {
    expect(await readUnsubscribeToken(KEY, token)).toBeUndefined();
  });

  it("cut the sender between characters", async () => {
    const [one] = vector.genuine as [(typeof vector.genuine)[0]];
    const long = { ...refOf(one), sender: `${"ü".repeat(39)}x😀` };
    expect(await readUnsubscribeToken(KEY, await tokenOf(long))).toEqual({
      ...long,
      sender: `${"ü".repeat(39)}x`,
    });
  });

  it("are distinguished from other links by their beginning", async () => {
    expect(isUnsubscribeUrl(HOST, `${HOST}/u/${vector.genuine[0]?.token}`)).toBe(true);
    expect(isUnsubscribeUrl(HOST, `${HOST}/users`)).toBe(false);
    expect(isUnsubscribeUrl(HOST, `https://evil.example/?${HOST}/u/x`)).toBe(false);
  });
});
