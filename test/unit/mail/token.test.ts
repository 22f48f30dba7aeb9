// Tests signed recipient tokens (src/mail/token.ts) against vectors/tokens.json: only genuine
// tokens are read, in upper or lower case.
import { fc } from "../../support/properties.ts";
import { describe, expect, it } from "vitest";
import { decodeBase32, encodeBase32 } from "../../../src/lib/crypto/base32.ts";
import { newEmailId } from "../../../src/lib/ids.ts";
import { releaseDayAt } from "../../../src/mail/recipient-ref.ts";
import { mintToken, readToken } from "../../../src/mail/token.ts";
import vectors from "../../../vectors/tokens.json" with { type: "json" };

const { signing_key: KEY, return_path: vector } = vectors;
const PURPOSE = "return-path";
const ref = {
  teamNumber: 2_097_151,
  emailId: newEmailId(1_700_000_000_000),
  recipientIndex: 49,
  releaseDay: 20_779,
};
const BODY_BYTES = 24;

/** Changes the bytes before a token's signature and keeps the signature. */
function alterToken(token: string, change: (bytes: Uint8Array) => void): string {
  const bytes = decodeBase32(token)!;
  change(bytes);
  return encodeBase32(bytes);
}

describe("recipient tokens", () => {
  it.each(vector.genuine)("are made and read as the vector says: $name", async (one) => {
    const named = {
      teamNumber: one.team_number,
      emailId: one.email_id,
      recipientIndex: one.recipient_index,
      releaseDay: one.release_day,
    };
    expect(await mintToken(KEY, PURPOSE, named)).toBe(one.token);
    for (const text of [one.token, one.token.toUpperCase()])
      expect(await readToken(KEY, PURPOSE, text)).toEqual(named);
  });

  it.each(vector.refused)("are refused as the vector says: $why", async ({ token }) => {
    expect(await readToken(KEY, PURPOSE, token)).toBeUndefined();
  });

  it("are read back in upper and lower case", async () => {
    const refs = fc.record({
      teamNumber: fc.integer({ min: 1, max: 2 ** 32 - 1 }),
      emailId: fc.integer({ min: 0, max: 2 ** 48 - 1 }).map((ms) => newEmailId(ms)),
      recipientIndex: fc.integer({ min: 0, max: 255 }),
      releaseDay: fc.integer({ min: 0, max: 65_535 }),
    });
    await fc.assert(
      fc.asyncProperty(refs, async (one) => {
        const token = await mintToken(KEY, PURPOSE, one);
        expect(await readToken(KEY, PURPOSE, token)).toEqual(one);
        expect(await readToken(KEY, PURPOSE, token.toUpperCase())).toEqual(one);
      }),
    );
  });

  it("have 61 characters, so that with their prefix they fit a local part of 64", async () => {
    const token = await mintToken(KEY, PURPOSE, ref);
    expect(token).toMatch(/^[a-z2-7]{61}$/);
    expect(`b+${token}`).toHaveLength(63);
  });

  it("are refused with any bit flipped", async () => {
    const token = await mintToken(KEY, PURPOSE, ref);
    for (let bit = 0; bit < 8 * (BODY_BYTES + 14); bit += 1) {
      const turned = alterToken(token, (bytes) => (bytes[bit >> 3]! ^= 1 << (bit & 7)));
      expect(await readToken(KEY, PURPOSE, turned), `bit ${bit}`).toBeUndefined();
    }
  });

  it("are refused when cut anywhere", async () => {
    const token = await mintToken(KEY, PURPOSE, ref);
    for (let length = 0; length < token.length; length += 1) {
      expect(await readToken(KEY, PURPOSE, token.slice(0, length))).toBeUndefined();
      expect(await readToken(KEY, PURPOSE, token.slice(token.length - length))).toBeUndefined();
    }
  });

  it("are not made of an id, number, index or day that does not fit", async () => {
    for (const wrong of [
      { emailId: "email_1" },
      { teamNumber: -1 },
      { teamNumber: 2 ** 32 },
      { recipientIndex: 256 },
      { releaseDay: 65_536 },
      { releaseDay: 1.5 },
    ])
      await expect(mintToken(KEY, PURPOSE, { ...ref, ...wrong })).rejects.toThrow(
        /that a token can hold|of a token/,
      );
  });
});

describe("a release day", () => {
  it("is counted in UTC from 1970", () => {
    expect(releaseDayAt(0)).toBe(0);
    expect(releaseDayAt(Date.UTC(2026, 10, 22) - 1)).toBe(releaseDayAt(Date.UTC(2026, 10, 22)) - 1);
    expect(releaseDayAt(Date.UTC(2026, 10, 22, 23, 59))).toBe(Date.UTC(2026, 10, 22) / 86_400_000);
  });
});
