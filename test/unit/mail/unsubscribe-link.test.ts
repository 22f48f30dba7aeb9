// Tests unsubscribe links (src/mail/unsubscribe-link.ts): each names its recipient and topic by
// itself, and cannot be forged.
import { describe, expect, it } from "vitest";
import { newEmailId } from "../../../src/lib/ids.ts";
import { openToken, sealToken } from "../../../src/lib/crypto/signed-token.ts";
import { trackingUrl } from "../../../src/mail/tracking-link.ts";
import {
  isUnsubscribeUrl,
  readUnsubscribeToken,
  unsubscribeUrl,
  type UnsubscribeRef,
} from "../../../src/mail/unsubscribe-link.ts";

const KEY = "a signing key of more than 32 characters";
const HOST = "https://postern.example";
const REF: UnsubscribeRef = {
  teamNumber: 77,
  releaseDay: 19_675,
  emailId: newEmailId(1_700_000_000_000),
  recipient: "ann.smith@mail.example.org",
  topic: "news",
  sender: "The Daily Shop",
};

async function tokenOf(ref: UnsubscribeRef): Promise<string> {
  return (await unsubscribeUrl(HOST, KEY, ref)).slice(`${HOST}/u/`.length);
}

describe("unsubscribe links", () => {
  it("are read back as they were made, in about 120 characters", async () => {
    const token = await tokenOf(REF);
    expect(token).toMatch(/^[A-Za-z0-9_-]{100,140}$/);
    expect(await readUnsubscribeToken(KEY, token)).toEqual(REF);
  });

  it("hold the longest address and topic, and cut the sender between characters", async () => {
    const longest = {
      ...REF,
      recipient: `${"a".repeat(64)}@${"b".repeat(185)}.com`,
      topic: "t".repeat(64),
      sender: `${"ü".repeat(39)}x😀`,
    };
    const url = await unsubscribeUrl(HOST, KEY, longest);
    expect(url.length).toBeLessThan(800);
    expect(await readUnsubscribeToken(KEY, await tokenOf(longest))).toEqual({
      ...longest,
      sender: `${"ü".repeat(39)}x`,
    });
  });

  it("are refused for another purpose and under another key", async () => {
    const token = await tokenOf(REF);
    expect(await readUnsubscribeToken(`${KEY}!`, token)).toBeUndefined();
    const copy = { ...REF, recipientIndex: 0, url: "" };
    const tracked = await trackingUrl(KEY, "", "o", copy);
    expect(await readUnsubscribeToken(KEY, tracked.slice("https:///o/".length))).toBeUndefined();
  });

  it("are refused when too short or in another version, even if signed", async () => {
    const token = await tokenOf(REF);
    const body = (await openToken(KEY, "unsubscribe", token))!;
    expect([...body.subarray(0, 5), ...body.subarray(21, 23)]).toEqual([
      1, 0, 0, 0, 77, 0x4c, 0xdb,
    ]);
    const later = await sealToken(KEY, "unsubscribe", new Uint8Array([2, ...body.subarray(1)]));
    expect(await readUnsubscribeToken(KEY, later)).toBeUndefined();
    expect(
      await readUnsubscribeToken(KEY, await sealToken(KEY, "unsubscribe", body.subarray(0, 22))),
    ).toBeUndefined();
  });

  it("are distinguished from other links by their beginning", async () => {
    expect(isUnsubscribeUrl(HOST, await unsubscribeUrl(HOST, KEY, REF))).toBe(true);
    expect(isUnsubscribeUrl(HOST, `${HOST}/users`)).toBe(false);
    expect(isUnsubscribeUrl(HOST, `https://evil.example/?${HOST}/u/x`)).toBe(false);
  });
});
